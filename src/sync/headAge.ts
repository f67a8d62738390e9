import { column } from '../db/defineRow.ts'

/**
 * `ageMs`: milliseconds since a node or source last confirmed a head. `maxAgeMs`: the age above which nothing is called synced; null:
 * there is no bound.
 */
export type HeadAge = { ageMs: number; maxAgeMs: number | null }

/**
 * Columns of which the age of the head comes, in a row of `chain` or `coin_network`: `confirmedAt` is null until a first head was confirmed.
 * `askedAt` is the database's own time, so that no clock of another machine counts.
 */
export function headAgeColumns(row: string) {
  return {
    confirmedAt: column.timestamptz(`${row}.confirmed_at`).orNull(),
    askedAt: column.timestamptz('now()'),
    maxHeadAgeMs: column.int4(`${row}.max_head_age_ms`).orNull(),
  }
}

type Asked = { confirmedAt: Date | null; askedAt: Date }

/** Milliseconds since a head was confirmed: 0 for one that is confirmed after the statement began; null: none was yet. */
export function headAgeMsOf({ confirmedAt, askedAt }: Asked): number | null {
  return confirmedAt === null ? null : Math.max(0, Number(askedAt) - Number(confirmedAt))
}

/** The columns of `headAgeColumns` as one value. */
export function headAgeOf(row: Asked & { maxHeadAgeMs: number | null }): HeadAge | null {
  const ageMs = headAgeMsOf(row)
  return ageMs === null ? null : { ageMs, maxAgeMs: row.maxHeadAgeMs }
}

/** Whether a head was confirmed so long ago that nothing is called synced. */
export function isOld(head: HeadAge | null): head is HeadAge & { maxAgeMs: number } {
  return head !== null && head.maxAgeMs !== null && head.ageMs > head.maxAgeMs
}

/**
 * The age that a head may have, in milliseconds: the configured one, else several polls and time for a node to come back. `silenceMs`:
 * a source that streams is queried again after so long without a message.
 */
export function maxHeadAgeOf(settings: {
  maxHeadAgeMs?: number | undefined
  pollIntervalMs: number
  silenceMs?: number
}): number {
  const { maxHeadAgeMs, pollIntervalMs, silenceMs = 0 } = settings
  return maxHeadAgeMs ?? Math.max(60_000, 10 * pollIntervalMs, 3 * silenceMs)
}
