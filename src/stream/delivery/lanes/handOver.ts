import type { QueuedWebhook } from '../attempt/loadWebhooks.ts'
import type { Claims } from './claims.ts'
import type { Lane } from './lane.ts'
import type { Loaded } from './queue.ts'

/** How many rows were read at most, and how many of them are taken at most. */
export type Bounds = { limit: number; room: number }

/**
 * Gives a lane the rows that were read for it, and ends its read. Answers the webhooks that the lane loaded: those that this
 * process did not have already, or none where rows changed while they were read.
 */
export function handOver(
  lane: Lane,
  { webhooks: rows, cut, nextDueAt }: Loaded,
  { limit, room }: Bounds,
  claims: Claims<Lane>,
): readonly QueuedWebhook[] {
  const webhooks: QueuedWebhook[] = []
  if (lane.state.reading !== 'reading, stale')
    for (const row of rows) if (webhooks.length < room && claims.take(lane, row)) webhooks.push(row)
  if (lane.kind === 'first' && webhooks.some(({ retraction }) => retraction)) {
    // The webhooks that a retraction takes back may still be in memory as retries or replays.
    lane.stream.retries.change({ type: 'empty' })
    lane.stream.replays.change({ type: 'empty' })
  }
  const more = cut || rows.length >= limit || webhooks.length >= room
  const last = rows.at(-1)?.position
  lane.change({ type: 'loaded', webhooks, last, more, nextDueAt: nextDueAt?.getTime() })
  return webhooks
}
