import { column } from '../db/defineRow.ts'

/**
 * `ageMs`: milliseconds since a node or source last confirmed a head. `maxAgeMs`: the age above which nothing is called synced; null:
 * there is no bound.
 */
export type HeadAge = { ageMs: number; maxAgeMs: number | null }

/**
 * Columns with the age of the head in a row of `chain` or `coin_network`. The age is null until a first head was confirmed, and 0 for a
 * head that is confirmed after the statement began.
 */
export function headAgeColumns(row: string) {
  return {
    headAgeMs: column
      .float8(`(extract(epoch FROM greatest(now(), ${row}.confirmed_at) - ${row}.confirmed_at) * 1000)::float8`)
      .orNull(),
    maxHeadAgeMs: column.int4(`${row}.max_head_age_ms`).orNull(),
  }
}

/** The columns of `headAgeColumns` as one value. */
export function headAgeOf(row: { headAgeMs: number | null; maxHeadAgeMs: number | null }): HeadAge | null {
  return row.headAgeMs === null ? null : { ageMs: row.headAgeMs, maxAgeMs: row.maxHeadAgeMs }
}

/** Whether a head was confirmed so long ago that nothing is called synced. */
export function isOld(head: HeadAge | null): head is HeadAge & { maxAgeMs: number } {
  return head !== null && head.maxAgeMs !== null && head.ageMs > head.maxAgeMs
}

/**
 * The age that a head may have, in milliseconds: the configured one, else several polls and time for a node to come back. `silenceMs`:
 * a source that streams is asked anew after so long without a message.
 */
export function maxHeadAgeOf(settings: {
  maxHeadAgeMs?: number | undefined
  pollIntervalMs: number
  silenceMs?: number
}): number {
  const { maxHeadAgeMs, pollIntervalMs, silenceMs = 0 } = settings
  return maxHeadAgeMs ?? Math.max(60_000, 10 * pollIntervalMs, 3 * silenceMs)
}
