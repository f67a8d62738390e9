import type { Sql } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'

/** Sums over all streams: of counters and of queue rows. */
export type LedgerBalance = {
  matched: number
  delivered: number
  /** Webhooks that failed permanently. */
  failed: number
  dropped: number
  /** Rows of the queue, without replays. */
  pending: number
  /**
   * Streams whose matched differs from delivered + failed + dropped + pending. Always empty, unless this program has a
   * bug.
   */
  unbalanced: { streamId: string; difference: number }[]
}

const balanceRow = defineRow({
  streamId: column.uuid('stream_id::text'),
  matched: column.int8('sum(matched)::int8').map(Number),
  delivered: column.int8('sum(delivered)::int8').map(Number),
  failed: column.int8('sum(failed)::int8').map(Number),
  dropped: column.int8('sum(dropped)::int8').map(Number),
  pending: column.int8('sum(pending)::int8').map(Number),
})

/**
 * Compares the counters of every stream with the queue, in one snapshot: matched = delivered + failed + dropped +
 * pending. On a cluster, each node sums its own streams in its own snapshot, as it has all rows of a stream.
 */
export async function checkLedger(sql: Sql): Promise<LedgerBalance> {
  const rows = await sql.rows(
    `SELECT ${balanceRow.columns} FROM (
       SELECT partition, stream_id, matched, 0 AS delivered, 0 AS failed, dropped, 0 AS pending FROM webhook_matched
       UNION ALL
       SELECT partition, stream_id, 0, delivered, failed_for_good, dropped, 0 FROM webhook_delivered
       UNION ALL
       SELECT partition, stream_id, 0, 0, 0, 0, 1 FROM webhook_queue WHERE replay = 0
     ) counted GROUP BY partition, stream_id`,
  )
  const balance: LedgerBalance = { matched: 0, delivered: 0, failed: 0, dropped: 0, pending: 0, unbalanced: [] }
  for (const { streamId, matched, delivered, failed, dropped, pending } of rows.map(balanceRow.decode)) {
    balance.matched += matched
    balance.delivered += delivered
    balance.failed += failed
    balance.dropped += dropped
    balance.pending += pending
    const difference = matched - delivered - failed - dropped - pending
    if (difference !== 0) balance.unbalanced.push({ streamId, difference })
  }
  return balance
}
