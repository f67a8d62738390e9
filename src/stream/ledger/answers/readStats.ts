import type { Sql } from '../../../db/database.ts'
import { largest, smallest } from '../../../util/extremes.ts'
import type { StatsPoint, StatsRange, StreamCounters, StreamStats } from '../../query.ts'

type Columns = [string, bigint, bigint, bigint, bigint, bigint, Date, Date]

const columns = `
SELECT coalesce(s.id, d.stream_id, m.stream_id)::text, coalesce(d.delivered, 0), coalesce(d.failed, 0),
  coalesce(m.logs, 0), coalesce(m.txs, 0), coalesce(m.txs_internal, 0),
  coalesce(s.created_at, d.created_at, m.updated_at), greatest(d.updated_at, m.updated_at, s.created_at)`

const matched = (condition: string) => `
  (SELECT partition, stream_id, sum(logs)::int8 AS logs, sum(txs)::int8 AS txs, sum(txs_internal)::int8 AS txs_internal,
     max(updated_at) AS updated_at FROM webhook_matched ${condition} GROUP BY 1, 2) m`

const ofAll = `${columns}
FROM (SELECT partition, id AS stream_id, id, created_at FROM stream) s
FULL JOIN webhook_delivered d USING (partition, stream_id)
FULL JOIN ${matched('')} USING (partition, stream_id)
ORDER BY 7, 1`

const ofOne = `${columns}
FROM (SELECT $1::smallint AS partition, $2::uuid AS stream_id) k
LEFT JOIN (SELECT partition, id AS stream_id, id, created_at FROM stream WHERE partition = $1 AND id = $2) s USING (partition, stream_id)
LEFT JOIN webhook_delivered d USING (partition, stream_id)
LEFT JOIN ${matched('WHERE partition = $1 AND stream_id = $2')} USING (partition, stream_id)
WHERE s.id IS NOT NULL OR d.stream_id IS NOT NULL OR m.stream_id IS NOT NULL`

/** The statistics of one stream; undefined where there never was one. */
export async function readStats(
  sql: Sql,
  stream: { partition: number; streamId: string },
): Promise<StreamStats | undefined> {
  const rows = await sql.rows<Columns>(ofOne, [stream.partition, stream.streamId])
  return rows.length === 0 ? undefined : sumOf(rows)
}

/** The sum over all streams that ever were. */
export async function readAllStats(sql: Sql): Promise<StreamStats> {
  return sumOf(await sql.rows<Columns>(ofAll))
}

function sumOf(rows: readonly Columns[]): StreamStats {
  const streams = rows.map(([streamId, ...row]) => ({ ...countersOf(row), streamId }))
  const sum = countersOf([0n, 0n, 0n, 0n, 0n])
  for (const stream of streams)
    for (const name of Object.keys(sum) as (keyof StreamCounters)[]) sum[name] += stream[name]
  const times = (place: 6 | 7) => rows.map((row) => row[place].getTime())
  const now = Date.now()
  return {
    ...sum,
    streams,
    createdAt: new Date(rows.length > 0 ? smallest(times(6)) : now).toISOString(),
    updatedAt: new Date(rows.length > 0 ? largest(times(7)) : now).toISOString(),
  }
}

function countersOf([delivered, failed, logs, txs, txsInternal]: readonly unknown[]): StreamCounters {
  return {
    totalWebhooksDelivered: Number(delivered),
    totalWebhooksFailed: Number(failed),
    totalLogsProcessed: Number(logs),
    totalTxsProcessed: Number(txs),
    totalTxsInternalProcessed: Number(txsInternal),
  }
}

/** Minutes or hours that begin from `from` to before `to`, those in which anything was counted. */
export async function readStatsHistory(
  sql: Sql,
  { partition, streamId }: { partition: number; streamId: string },
  { from, to, step }: StatsRange,
): Promise<StatsPoint[]> {
  const rows = await sql.rows<[Date, bigint, bigint, bigint, bigint, bigint]>(
    `SELECT at, coalesce(d.delivered, 0), coalesce(d.failed, 0), coalesce(m.logs, 0), coalesce(m.txs, 0), coalesce(m.txs_internal, 0)
     FROM (SELECT at, delivered, failed FROM webhook_delivered_span
       WHERE partition = $1 AND stream_id = $2 AND step = $3 AND at >= $4 AND at < $5) d
     FULL JOIN (SELECT at, sum(logs)::int8 AS logs, sum(txs)::int8 AS txs, sum(txs_internal)::int8 AS txs_internal FROM webhook_matched_span
       WHERE partition = $1 AND stream_id = $2 AND step = $3 AND at >= $4 AND at < $5 GROUP BY at) m USING (at)
     ORDER BY at`,
    [partition, streamId, step, from, to],
  )
  return rows.map(([at, ...counts]) => ({ at: at.toISOString(), ...countersOf(counts) }))
}
