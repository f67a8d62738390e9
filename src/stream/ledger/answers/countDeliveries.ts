import type { Sql } from '../../../db/database.ts'
import { streamPartition } from '../../../sync/partition.ts'
import type { DeliveryListOptions, LogOptions } from '../../query.ts'

/** Webhooks that a filter gives, by the counters. */
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

/** Attempts, those of replays among them, by the counters. */
export async function countLogs(sql: Sql, { streamId }: Pick<LogOptions, 'streamId'>): Promise<number> {
  return (await readCounters(sql, streamId)).attempts
}

/** What the ledger holds of one stream, or of all: what was counted, less what was removed. */
async function readCounters(sql: Sql, streamId: string | null) {
  const [own, key] =
    streamId === null ? ['', []] : ['WHERE partition = $1 AND stream_id = $2', [streamPartition(streamId), streamId]]
  const [row] = await sql.rows<bigint[]>(
    `SELECT m.matched - b.webhooks, d.delivered - b.delivered, d.failed - b.failed, m.dropped + d.dropped - b.dropped, d.attempts - b.attempts
     FROM (SELECT coalesce(sum(matched), 0)::int8 AS matched, coalesce(sum(dropped), 0)::int8 AS dropped FROM webhook_matched ${own}) m,
       (SELECT coalesce(sum(delivered), 0)::int8 AS delivered, coalesce(sum(failed_for_good), 0)::int8 AS failed,
          coalesce(sum(dropped), 0)::int8 AS dropped, coalesce(sum(attempts), 0)::int8 AS attempts FROM webhook_delivered ${own}) d,
       (SELECT coalesce(sum(webhooks), 0)::int8 AS webhooks, coalesce(sum(delivered), 0)::int8 AS delivered,
          coalesce(sum(failed_for_good), 0)::int8 AS failed, coalesce(sum(dropped), 0)::int8 AS dropped,
          coalesce(sum(attempts), 0)::int8 AS attempts FROM webhook_base ${own}) b`,
    key,
  )
  const [matched = 0, delivered = 0, failed = 0, dropped = 0, attempts = 0] = row!.map(Number)
  return { matched, delivered, failed, dropped, attempts }
}
