import type { QueuedWebhook } from '../attempt/loadWebhooks.ts'
import type { Claims } from './claims.ts'
import type { SendQueue } from './sendQueue.ts'
import type { Loaded } from './webhookReader.ts'

/** How many rows were read at most, and how many of them are taken at most. */
export type Bounds = { limit: number; room: number }

/**
 * Gives a send queue the rows that were read for it, and ends its read. Answers the webhooks that the send queue loaded: those that this
 * process did not have already, or none if rows changed while they were read.
 */
export function handOver(
  sendQueue: SendQueue,
  { webhooks: rows, cut, nextDueAt }: Loaded,
  { limit, room }: Bounds,
  claims: Claims<SendQueue>,
): readonly QueuedWebhook[] {
  const webhooks: QueuedWebhook[] = []
  if (sendQueue.state.reading !== 'reading, stale')
    for (const row of rows) if (webhooks.length < room && claims.take(sendQueue, row)) webhooks.push(row)
  if (sendQueue.kind === 'first' && webhooks.some(({ retraction }) => retraction)) {
    // The webhooks that a retraction takes back may still be in memory as retries or replays.
    sendQueue.stream.retries.change({ type: 'empty' })
    sendQueue.stream.replays.change({ type: 'empty' })
  }
  const more = cut || rows.length >= limit || webhooks.length >= room
  const last = rows.at(-1)?.position
  sendQueue.change({ type: 'loaded', webhooks, last, more, nextDueAt: nextDueAt?.getTime() })
  return webhooks
}
