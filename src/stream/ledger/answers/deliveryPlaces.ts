import type { WebhookStatus } from '../../query.ts'

/** Ledger rows that one page in status delivered scans: few of millions may be delivered. */
export const mostLookedAt = 20_000

/** Above every position. */
export const endOfLedger = 9_223_372_036_854_775_807n

export type PlaceFilter = { status: WebhookStatus | null; ofStream: boolean }

/**
 * SELECT of (partition, position) of webhooks, latest first: below position `$1`, at most `$2`; with `ofStream`, of the
 * stream `$3`, `$4`. Each list has an index in its order, so the cost of a page does not depend on its place or the
 * ledger's size.
 */
export function deliveryPlaces({ status, ofStream }: PlaceFilter): string {
  const own = ofStream ? 'partition = $3 AND stream_id = $4 AND' : ''
  const latest = `position < $1 ORDER BY position DESC LIMIT`
  switch (status) {
    case null:
      return `SELECT partition, position FROM webhook WHERE ${own} ${latest} $2`
    case 'failed':
    case 'dropped':
      return `SELECT partition, position FROM webhook_undelivered WHERE ${own} status = '${status}' AND ${latest} $2`
    case 'pending':
      // The queue's index is by stream and chain: the latest rows of all are among the latest of each.
      return `SELECT q.partition, q.position
        FROM (SELECT * FROM webhook_matched ${ofStream ? 'WHERE partition = $3 AND stream_id = $4' : ''}) m
        CROSS JOIN LATERAL (SELECT partition, position FROM webhook_queue
          WHERE partition = m.partition AND stream_id = m.stream_id AND chain_id = m.chain_id AND replay = 0 AND ${latest} $2) q
        ORDER BY q.position DESC LIMIT $2`
    case 'delivered':
      return `SELECT partition, position FROM (
          SELECT partition, position, status FROM webhook WHERE ${own} ${latest} ${mostLookedAt}) w
        WHERE status = 'delivered' ORDER BY position DESC LIMIT $2`
  }
}

/**
 * SELECT of the position where a page in status delivered stopped, with the same parameters without `$2`; no row: the
 * ledger ended.
 */
export const lastLookedAt = (ofStream: boolean) =>
  `SELECT position FROM webhook WHERE ${ofStream ? 'partition = $2 AND stream_id = $3 AND' : ''} position < $1
   ORDER BY position DESC OFFSET ${mostLookedAt - 1} LIMIT 1`
