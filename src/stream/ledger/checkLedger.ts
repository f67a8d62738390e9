import type { Sql } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'

/** Sums over all streams: the counters, and the rows of the queue. */
export type LedgerBalance = {
  matched: number
  delivered: number
  /** Webhooks that failed for good. */
  failed: number
  dropped: number
  /** Rows of the queue, without replays. */
  pending: number
  /** Streams for which matched is not delivered + failed + dropped + pending. Always empty, unless this program has a fault. */
  unbalanced: { streamId: string; difference: number }[]
}

const balanceRow = defineRow({
  streamId: column.uuid('coalesce(m.stream_id, d.stream_id)::text'),
  matched: column.int8('coalesce(m.matched, 0)').map(Number),
  delivered: column.int8('coalesce(d.delivered, 0)').map(Number),
  failed: column.int8('coalesce(d.failed_for_good, 0)').map(Number),
  dropped: column.int8('coalesce(m.dropped, 0) + coalesce(d.dropped, 0)').map(Number),
  pending: column.int8('coalesce(q.pending, 0)').map(Number),
})

/** Compares the counters of every stream with the queue, in one snapshot: matched = delivered + failed + dropped + pending. */
export async function checkLedger(sql: Sql): Promise<LedgerBalance> {
  const rows = await sql.rows(
    `SELECT ${balanceRow.columns}
     FROM (SELECT partition, stream_id, sum(matched)::int8 AS matched, sum(dropped)::int8 AS dropped FROM webhook_matched GROUP BY 1, 2) m
     FULL JOIN webhook_delivered d USING (partition, stream_id)
     FULL JOIN (SELECT partition, stream_id, count(*) AS pending FROM webhook_queue WHERE replay = 0 GROUP BY 1, 2) q
       USING (partition, stream_id)`,
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
