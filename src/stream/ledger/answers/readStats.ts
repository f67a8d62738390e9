import type { Row, Sql } from '../../../db/database.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import { largest, smallest } from '../../../util/extremes.ts'
import type { StatsPoint, StatsRange, StreamCounters, StreamStats } from '../../query.ts'

/** Columns of `webhook_delivered d` and `matched`. */
const counters = {
  totalWebhooksDelivered: column.int8('coalesce(d.delivered, 0)').map(Number),
  totalWebhooksFailed: column.int8('coalesce(d.failed, 0)').map(Number),
  totalLogsProcessed: column.int8('coalesce(m.logs, 0)').map(Number),
  totalTxsProcessed: column.int8('coalesce(m.txs, 0)').map(Number),
  totalTxsInternalProcessed: column.int8('coalesce(m.txs_internal, 0)').map(Number),
}

const statsRow = defineRow({
  streamId: column.uuid('coalesce(s.id, d.stream_id, m.stream_id)::text'),
  ...counters,
  createdAt: column.timestamptz('coalesce(s.created_at, d.created_at, m.updated_at)'),
  updatedAt: column.timestamptz('greatest(d.updated_at, m.updated_at, s.created_at)'),
})

/** Latencies are accurate to a tenth of a millisecond. */
const tenths = (ms: number) => Math.round(ms * 10) / 10

const pointRow = defineRow({
  at: column.timestamptz('at').map((at) => at.toISOString()),
  ...counters,
  attempts: column.int8('coalesce(d.attempts, 0)').map(Number),
  averageLatencyMs: column.float8('d.latency_ms / nullif(d.attempts, 0)').map(tenths).orNull(),
  slowestLatencyMs: column.float8('CASE WHEN d.attempts > 0 THEN d.slowest_ms END').map(tenths).orNull(),
})

const matched = (condition: string) => `
  (SELECT partition, stream_id, sum(logs)::int8 AS logs, sum(txs)::int8 AS txs, sum(txs_internal)::int8 AS txs_internal,
     max(updated_at) AS updated_at FROM webhook_matched ${condition} GROUP BY 1, 2) m`

const ofAll = `SELECT ${statsRow.columns}
FROM (SELECT partition, id AS stream_id, id, created_at FROM stream) s
FULL JOIN webhook_delivered d USING (partition, stream_id)
FULL JOIN ${matched('')} USING (partition, stream_id)
ORDER BY coalesce(s.created_at, d.created_at, m.updated_at), 1`

const ofOne = `SELECT ${statsRow.columns}
FROM (SELECT $1::smallint AS partition, $2::uuid AS stream_id) k
LEFT JOIN (SELECT partition, id AS stream_id, id, created_at FROM stream WHERE partition = $1 AND id = $2) s USING (partition, stream_id)
LEFT JOIN webhook_delivered d USING (partition, stream_id)
LEFT JOIN ${matched('WHERE partition = $1 AND stream_id = $2')} USING (partition, stream_id)
WHERE s.id IS NOT NULL OR d.stream_id IS NOT NULL OR m.stream_id IS NOT NULL`

/** Statistics of one stream, even if deleted; undefined: it never existed. */
export async function readStats(
  sql: Sql,
  stream: { partition: number; streamId: string },
): Promise<StreamStats | undefined> {
  const rows = await sql.rows(ofOne, [stream.partition, stream.streamId])
  return rows.length === 0 ? undefined : sumOf(rows)
}

/** The sum over all streams, including deleted ones. */
export async function readAllStats(sql: Sql): Promise<StreamStats> {
  return sumOf(await sql.rows(ofAll))
}

function sumOf(rows: readonly Row[]): StreamStats {
  const found = rows.map(statsRow.decode)
  const sum: StreamCounters = {
    totalWebhooksDelivered: 0,
    totalWebhooksFailed: 0,
    totalLogsProcessed: 0,
    totalTxsProcessed: 0,
    totalTxsInternalProcessed: 0,
  }
  for (const stream of found) for (const name of Object.keys(sum) as (keyof StreamCounters)[]) sum[name] += stream[name]
  const now = Date.now()
  const [made, changed] = [found.map((row) => row.createdAt.getTime()), found.map((row) => row.updatedAt.getTime())]
  return {
    ...sum,
    streams: found.map(({ createdAt, updatedAt, ...stream }) => stream),
    createdAt: new Date(made.length > 0 ? smallest(made) : now).toISOString(),
    updatedAt: new Date(changed.length > 0 ? largest(changed) : now).toISOString(),
  }
}

/** Counters of each minute or hour that begins from `from` to before `to`; empty ones are omitted. */
export async function readStatsHistory(
  sql: Sql,
  { partition, streamId }: { partition: number; streamId: string },
  { from, to, step }: StatsRange,
): Promise<StatsPoint[]> {
  const rows = await sql.rows(
    `SELECT ${pointRow.columns}
     FROM (SELECT at, delivered, failed, attempts, latency_ms, slowest_ms FROM webhook_delivered_span
       WHERE partition = $1 AND stream_id = $2 AND step = $3 AND at >= $4 AND at < $5) d
     FULL JOIN (SELECT at, sum(logs)::int8 AS logs, sum(txs)::int8 AS txs, sum(txs_internal)::int8 AS txs_internal FROM webhook_matched_span
       WHERE partition = $1 AND stream_id = $2 AND step = $3 AND at >= $4 AND at < $5 GROUP BY at) m USING (at)
     ORDER BY at`,
    [partition, streamId, step, from, to],
  )
  return rows.map(pointRow.decode)
}
