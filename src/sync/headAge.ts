import { column } from '../db/defineRow.ts'

/**
 * How long ago a node or source last confirmed a head, and how long ago that may be until nothing is called synced by it (null: no
 * bound), in milliseconds.
 */
export type HeadAge = { ageMs: number; maxAgeMs: number | null }

/**
 * Columns of the age of the head that a row of `chain` or `coin_network` has; its age is null while no head was ever told. A head that is
 * confirmed after the statement began is 0 ms old.
 */
export function headAgeColumns(row: string) {
  return {
    headAgeMs: column
      .float8(`(extract(epoch FROM greatest(now(), ${row}.confirmed_at) - ${row}.confirmed_at) * 1000)::float8`)
      .orNull(),
    maxHeadAgeMs: column.int4(`${row}.max_head_age_ms`).orNull(),
  }
}

/** The same as one value. */
export function headAgeOf(row: { headAgeMs: number | null; maxHeadAgeMs: number | null }): HeadAge | null {
  return row.headAgeMs === null ? null : { ageMs: row.headAgeMs, maxAgeMs: row.maxHeadAgeMs }
}

/** Whether a head was confirmed so long ago that nothing is called synced by it. */
export function isOld(head: HeadAge | null): head is HeadAge & { maxAgeMs: number } {
  return head !== null && head.maxAgeMs !== null && head.ageMs > head.maxAgeMs
}

/**
 * How old a head may be, in milliseconds: what the configuration says, else several polls, and time for a node to come back. A
 * stream that is quiet is asked anew only after each `silenceMs`.
 */
export function maxHeadAgeOf(settings: {
  maxHeadAgeMs?: number | undefined
  pollIntervalMs: number
  silenceMs?: number
}): number {
  const { maxHeadAgeMs, pollIntervalMs, silenceMs = 0 } = settings
  return maxHeadAgeMs ?? Math.max(60_000, 10 * pollIntervalMs, 3 * silenceMs)
}
