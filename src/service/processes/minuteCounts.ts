import { type RateKind, rateKinds, shownMinutes } from '../../api/admin/overview.ts'
import type { Sql } from '../../db/database.ts'

export const minuteMs = 60_000

/** What a process counted of a kind in a minute so far. `minute`: when it began, in milliseconds since 1970. */
export type MinuteCount = { minute: number; kind: RateKind; count: number }

/** Writes what a process counted in these minutes in place of what it wrote of them before. */
export async function writeMinuteCounts(sql: Sql, processId: string, counts: readonly MinuteCount[]): Promise<void> {
  if (counts.length === 0) return
  await sql.run(
    `INSERT INTO minute_count (minute, kind, process_id, count)
     SELECT minute, kind, $1, count FROM unnest($2::timestamptz[], $3::text[], $4::bigint[]) AS t (minute, kind, count)
     ON CONFLICT (minute, kind, process_id) DO UPDATE SET count = excluded.count`,
    [
      processId,
      counts.map(({ minute }) => new Date(minute)),
      counts.map(({ kind }) => kind),
      counts.map(({ count }) => count),
    ],
  )
}

/** Removes those of minutes that are not shown any more. */
export async function removeOldCounts(sql: Sql): Promise<void> {
  await sql.run(
    `DELETE FROM minute_count WHERE (minute, kind, process_id) IN (
       SELECT minute, kind, process_id FROM minute_count
       WHERE minute <= date_trunc('minute', now()) - ${shownMinutes} * interval '1 minute' FOR UPDATE SKIP LOCKED)`,
  )
}

/**
 * What all processes together counted, minute by minute, the oldest first, zero where nothing was counted. The last minute is the one
 * that runs, by the database's clock.
 */
export async function readRates(sql: Sql): Promise<{ from: Date; series: Record<RateKind, number[]> }> {
  const [[from] = [new Date(0)]] = await sql.rows<[Date]>(
    `SELECT date_trunc('minute', now()) - ${shownMinutes - 1} * interval '1 minute'`,
  )
  const rows = await sql.rows<[Date, string, bigint]>(
    'SELECT minute, kind, sum(count)::int8 FROM minute_count WHERE minute >= $1 GROUP BY 1, 2',
    [from],
  )
  const quiet = () => Array.from({ length: shownMinutes }, () => 0)
  const series = Object.fromEntries(rateKinds.map((kind) => [kind, quiet()])) as Record<RateKind, number[]>
  for (const [minute, kind, count] of rows) {
    const of = series[kind as RateKind] as number[] | undefined
    const place = Math.round((minute.getTime() - from.getTime()) / minuteMs)
    // Another version may count what this one does not know of, and a clock may go ahead.
    if (of && place < shownMinutes) of[place] = Number(count)
  }
  return { from, series }
}
