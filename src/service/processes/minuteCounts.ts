import { type RateKind, rateKinds, shownMinutes } from '../../api/admin/overview.ts'
import type { Sql } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import { column, defineRow } from '../../db/defineRow.ts'

export const minuteMs = 60_000

/** The current count of a kind in a minute of a process. `minute`: its start, in milliseconds since 1970. */
export type MinuteCount = { minute: number; kind: RateKind; count: number }

const counted = defineLists<MinuteCount>({
  minute: list.timestamptz(({ minute }) => new Date(minute)),
  kind: list.text(({ kind }) => kind),
  count: list.int8(({ count }) => count),
})

/** Writes counts of a process, replacing earlier counts of the same minutes. */
export async function writeMinuteCounts(sql: Sql, processId: string, counts: readonly MinuteCount[]): Promise<void> {
  if (counts.length === 0) return
  await sql.run(
    `INSERT INTO minute_count (process_id, ${counted.columns}) SELECT $1, v.* FROM ${counted.unnest(2)}
     ON CONFLICT (minute, kind, process_id) DO UPDATE SET count = excluded.count`,
    [processId, ...counted.lists(counts)],
  )
}

/** Deletes the counts of minutes that are no longer shown. */
export async function removeOldCounts(sql: Sql): Promise<void> {
  await sql.run(
    `DELETE FROM minute_count WHERE (minute, kind, process_id) IN (
       SELECT minute, kind, process_id FROM minute_count
       WHERE minute <= date_trunc('minute', now()) - ${shownMinutes} * interval '1 minute' FOR UPDATE SKIP LOCKED)`,
  )
}

const sumRow = defineRow({
  minute: column.timestamptz('minute'),
  kind: column.text('kind'),
  count: column.int8('sum(count)::int8').map(Number),
})

/**
 * The sums over all processes, minute by minute, the oldest first, zero without counts. The last minute is the current one by the database's clock.
 */
export async function readMinuteRates(sql: Sql): Promise<{ from: Date; series: Record<RateKind, number[]> }> {
  const [[from] = [new Date(0)]] = await sql.rows<[Date]>(
    `SELECT date_trunc('minute', now()) - ${shownMinutes - 1} * interval '1 minute'`,
  )
  const rows = await sql.rows(`SELECT ${sumRow.columns} FROM minute_count WHERE minute >= $1 GROUP BY minute, kind`, [
    from,
  ])
  const quiet = () => Array.from({ length: shownMinutes }, () => 0)
  const series = Object.fromEntries(rateKinds.map((kind) => [kind, quiet()])) as Record<RateKind, number[]>
  for (const { minute, kind, count } of rows.map(sumRow.decode)) {
    const of = series[kind as RateKind] as number[] | undefined
    const place = Math.round((minute.getTime() - from.getTime()) / minuteMs)
    // A process of another version may count other kinds, and its clock may be ahead.
    if (of && place < shownMinutes) of[place] = count
  }
  return { from, series }
}
