import { column } from '../db/defineRow.ts'

/** `ageMs`: milliseconds since a node or source last confirmed a head. `maxAgeMs`: the age above which nothing is synced; null: none. */
export type HeadAge = { ageMs: number; maxAgeMs: number | null }

/**
 * Columns for the age of the head, in a row of `chain` or `coin_network`: `confirmedAt` is null before a head was confirmed. `queriedAt` is the
 * database's time, so that clocks of other machines do not matter.
 */
export function headAgeColumns(row: string) {
  return {
    confirmedAt: column.timestamptz(`${row}.confirmed_at`).orNull(),
    queriedAt: column.timestamptz('now()'),
    maxHeadAgeMs: column.int4(`${row}.max_head_age_ms`).orNull(),
  }
}

type Requested = { confirmedAt: Date | null; queriedAt: Date }

/** Longest statement during which a head is confirmed, in milliseconds. */
const longestStatementMs = 60_000

/**
 * Milliseconds since a head was confirmed: 0 for one confirmed after the statement began; null: never. If the database's clock was set back since then,
 * the real age is unknown. Then it is the time by which the confirmation seems to be in the future, so the next confirmation ends this.
 */
export function headAgeMsOf({ confirmedAt, queriedAt }: Requested): number | null {
  if (confirmedAt === null) return null
  const ageMs = Number(queriedAt) - Number(confirmedAt)
  return ageMs < -longestStatementMs ? -ageMs : Math.max(0, ageMs)
}

/** The value of the columns of `headAgeColumns`. */
export function headAgeOf(row: Requested & { maxHeadAgeMs: number | null }): HeadAge | null {
  const ageMs = headAgeMsOf(row)
  return ageMs === null ? null : { ageMs, maxAgeMs: row.maxHeadAgeMs }
}

/** Whether the head was last confirmed so long ago that nothing is synced. */
export function isOld(head: HeadAge | null): head is HeadAge & { maxAgeMs: number } {
  return head !== null && head.maxAgeMs !== null && head.ageMs > head.maxAgeMs
}

/**
 * Maximum age of a head in milliseconds: the configured one, else several polls and time for a node to recover. `silenceMs`: time without a message
 * after which a streaming source is queried.
 */
export function maxHeadAgeOf(settings: {
  maxHeadAgeMs?: number | undefined
  pollIntervalMs: number
  silenceMs?: number
}): number {
  const { maxHeadAgeMs, pollIntervalMs, silenceMs = 0 } = settings
  return maxHeadAgeMs ?? Math.max(60_000, 10 * pollIntervalMs, 3 * silenceMs)
}
