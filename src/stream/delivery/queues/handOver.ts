import type { QueuedWebhook } from '../attempt/loadWebhooks.ts'
import type { Claims } from './claims.ts'
import type { SendQueue } from './sendQueue.ts'
import type { Loaded } from './webhookReader.ts'

/** Most rows to read, and most rows to take. */
export type Bounds = { limit: number; capacity: number }

/**
 * Passes the rows of a read to a send queue, and ends its read. Returns the webhooks that it loaded: those that this
 * process did not already have, or none if rows changed meanwhile.
 */
export function handOver(
  sendQueue: SendQueue,
  { webhooks: rows, cut, nextDueAt }: Loaded,
  { limit, capacity }: Bounds,
  claims: Claims<SendQueue>,
): readonly QueuedWebhook[] {
  const webhooks: QueuedWebhook[] = []
  if (sendQueue.state.reading !== 'reading, stale')
    for (const row of rows) if (webhooks.length < capacity && claims.take(sendQueue, row)) webhooks.push(row)
  if (sendQueue.kind === 'first' && webhooks.some(({ retraction }) => retraction)) {
    // The retracted webhooks may still be in memory as retries or replays.
    sendQueue.stream.retries.change({ type: 'empty' })
    sendQueue.stream.replays.change({ type: 'empty' })
  }
  const more = cut || rows.length >= limit || webhooks.length >= capacity
  const last = rows.at(-1)?.position
  sendQueue.change({ type: 'loaded', webhooks, last, more, nextDueAt: nextDueAt?.getTime() })
  return webhooks
}
