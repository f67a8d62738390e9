import { expect } from 'vitest'
import type { QueuedWebhook } from '../../src/stream/delivery/attempt/loadWebhooks.ts'
import type { Target } from '../../src/stream/delivery/attempt/target.ts'
import type { Loader } from '../../src/stream/delivery/queues/createLoader.ts'
import { type StreamState, sendQueuesOf, underWayOf } from '../../src/stream/delivery/queues/sendQueue.ts'
import { nameOf, type QueueModel } from './queueModel.ts'

/** Bounds so low that a few webhooks reach them. */
export const settings = {
  ...{ maxConcurrencyPerUrl: 4, maxConcurrencyPerStream: 2, maxConcurrencyUnordered: 3, maxConcurrency: 5 },
  bufferBytes: 1_048_576,
}

/** Maximum number of webhooks that a send queue may have loaded. Webhooks loaded before a failure stay loaded. */
const widestWindow = 64

/** A snapshot of the delivery of one stream. */
export type Moment = {
  stream: StreamState
  queue: QueueModel
  loader: Pick<Loader, 'bufferedBytes'>
  posts: readonly { webhook: QueuedWebhook }[]
  isLeased: boolean
  /** For each address that returned 429, the end of its pause. */
  pausedUntil: ReadonlyMap<string, number>
  now: number
}

/** Invariants at any time: memory and attempts in flight are bounded, and no delivery is in flight twice. */
export function checkMoment({ stream, posts, loader }: Moment): void {
  const sendQueues = sendQueuesOf(stream)
  for (const { state, kind, gate } of sendQueues) {
    if (state.slot === 'waiting' && state.target)
      expect(gate?.endpoint.url, 'it waits where it sends to').toBe(state.target.url)
    expect(state.loaded.length).toBeLessThanOrEqual(
      kind === 'retries' ? settings.maxConcurrencyPerStream : widestWindow,
    )
    if (state.target === undefined) expect(state.loaded).toEqual([])
  }
  const deliveries = posts.map(({ webhook }) => `${webhook.position}:${webhook.replay}`)
  expect(new Set(deliveries).size, 'no delivery is under way twice').toBe(deliveries.length)
  const held = sendQueues.flatMap(({ state }) => [...state.loaded, ...state.underWay])
  expect(loader.bufferedBytes()).toBe(held.reduce((sum, { body }) => sum + body.length, 0))
}

/** Invariants when a webhook is sent, except for a probe. `sent`: names of the earlier attempts. */
export function checkSent(moment: Moment, webhook: QueuedWebhook, target: Target, sent: Set<string>): void {
  const { stream, queue, isLeased, pausedUntil, now } = moment
  const { position, chainId, replay, failures } = webhook
  expect(isLeased, 'only the holder of the lease sends').toBe(true)
  expect(pausedUntil.get(target.url) ?? 0, 'an address that answered 429 is left alone').toBeLessThanOrEqual(now)
  const retraction = queue.retractionOf(position)
  const isTakenBack = retraction !== undefined && sent.has(`${retraction}:0:0`)
  expect(isTakenBack, 'nothing is sent after what takes it back').toBe(false)
  const sendQueue = sendQueuesOf(stream).find(({ state }) => state.underWay.includes(webhook))!
  const isUnordered = sendQueue.kind === 'first' && target.delivery === 'unordered'
  const most = isUnordered ? settings.maxConcurrencyUnordered : settings.maxConcurrencyPerStream
  expect(underWayOf(stream, sendQueue.way), 'bounded for the stream').toBeLessThanOrEqual(most)
  const { underWay } = sendQueue.state
  const isAlone = sendQueue.kind === 'first' && (!isUnordered || underWay.some((own) => own.retraction))
  if (isAlone || sendQueue.kind === 'replays') expect(underWay, 'one after the other').toEqual([webhook])
  if (sendQueue.kind !== 'first' || failures > 0) return
  for (const row of queue.rows) {
    const isEarlier = row.chainId === chainId && row.replay === replay && row.position < position
    if (isEarlier) expect(row.failures > 0 || sent.has(nameOf(row)), 'in order').toBe(true)
  }
}
