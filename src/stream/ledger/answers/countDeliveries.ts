import type { Sql } from '../../../db/database.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import { streamPartition } from '../../../sync/partition.ts'
import type { DeliveryListOptions, LogOptions } from '../../query.ts'

/** Number of webhooks of a filter, from the counters. */
export async function countDeliveries(
  sql: Sql,
  { streamId, status }: Pick<DeliveryListOptions, 'streamId' | 'status'>,
): Promise<number> {
  const { matched, delivered, failed, dropped } = await readCounters(sql, streamId)
  switch (status) {
    case null:
      return matched
    case 'delivered':
      return delivered
    case 'failed':
      return failed
    case 'dropped':
      return dropped
    case 'pending':
      return matched - delivered - failed - dropped
  }
}

/** Number of attempts, including replays, from the counters; attempts of a single webhook are counted. */
export async function countLogs(
  sql: Sql,
  { streamId, webhookId }: Pick<LogOptions, 'streamId' | 'webhookId'>,
): Promise<number> {
  if (streamId === null || !webhookId) return (await readCounters(sql, streamId)).attempts
  const [row] = await sql.rows<[bigint]>(
    `SELECT count(*) FROM webhook w JOIN webhook_attempt a ON a.partition = w.partition AND a.position = w.position
     WHERE w.partition = $1 AND w.stream_id = $2 AND w.id = $3`,
    [streamPartition(streamId), streamId, webhookId],
  )
  return Number(row![0])
}

const counterRow = defineRow({
  matched: column.int8('m.matched - b.webhooks').map(Number),
  delivered: column.int8('d.delivered - b.delivered').map(Number),
  failed: column.int8('d.failed - b.failed').map(Number),
  dropped: column.int8('m.dropped + d.dropped - b.dropped').map(Number),
  attempts: column.int8('d.attempts - b.attempts').map(Number),
})

/** The counters of one stream, or of all (null), minus what retention removed. */
async function readCounters(sql: Sql, streamId: string | null) {
  const [own, key] =
    streamId === null ? ['', []] : ['WHERE partition = $1 AND stream_id = $2', [streamPartition(streamId), streamId]]
  const [row] = await sql.rows(
    `SELECT ${counterRow.columns}
     FROM (SELECT coalesce(sum(matched), 0)::int8 AS matched, coalesce(sum(dropped), 0)::int8 AS dropped FROM webhook_matched ${own}) m,
       (SELECT coalesce(sum(delivered), 0)::int8 AS delivered, coalesce(sum(failed_for_good), 0)::int8 AS failed,
          coalesce(sum(dropped), 0)::int8 AS dropped, coalesce(sum(attempts), 0)::int8 AS attempts FROM webhook_delivered ${own}) d,
       (SELECT coalesce(sum(webhooks), 0)::int8 AS webhooks, coalesce(sum(delivered), 0)::int8 AS delivered,
          coalesce(sum(failed_for_good), 0)::int8 AS failed, coalesce(sum(dropped), 0)::int8 AS dropped,
          coalesce(sum(attempts), 0)::int8 AS attempts FROM webhook_base ${own}) b`,
    key,
  )
  return counterRow.decode(row!)
}
