import { expect, test } from 'vitest'
import type { QueuedWebhook } from '../attempt/loadWebhooks.ts'
import type { Target } from '../attempt/target.ts'
import { createClaims } from './claims.ts'
import { handOver } from './handOver.ts'
import { createStreamState, type SendQueue, sendQueueOf, setTarget } from './sendQueue.ts'

const webhook = (position: bigint, rest: Partial<QueuedWebhook> = {}) =>
  ({ position, replay: 0, failures: 0, retraction: false, body: '', ...rest }) as QueuedWebhook
const bounds = { limit: 10, capacity: 10 }

/** A stream with a loaded replay, a loaded retry, and a send queue of first attempts that is being read. */
function createStream() {
  const claims = createClaims<SendQueue>()
  const dropped: QueuedWebhook[] = []
  const effects = {
    onWaiting() {},
    onWanted() {},
    onDropped(_: SendQueue, webhooks: readonly QueuedWebhook[]) {
      for (const one of webhooks) claims.move(one, 'forget')
      dropped.push(...webhooks)
    },
  }
  const stream = createStreamState({ partition: 7, streamId: 's' }, effects)
  setTarget(stream, { status: 'active', url: 'http://receiver.example/' } as Target)
  const first = sendQueueOf(stream, 1n, effects)
  const read = (sendQueue: SendQueue, webhooks: QueuedWebhook[]) => {
    sendQueue.change({ type: 'read' })
    return handOver(sendQueue, { webhooks, cut: false, nextDueAt: undefined }, bounds, claims)
  }
  const [replay, retry] = [webhook(1n, { replay: 1 }), webhook(2n, { failures: 1 })]
  read(stream.replays, [replay])
  read(stream.retries, [retry])
  expect([stream.replays.state.loaded, stream.retries.state.loaded]).toEqual([[replay], [retry]])
  return { stream, first, read, dropped, replay, retry, claims }
}

test('behavior: a retraction removes loaded replays and retries from memory, and they can be loaded again', () => {
  const { stream, first, read, dropped, replay, retry } = createStream()
  const retraction = webhook(3n, { retraction: true })
  expect(read(first, [retraction])).toEqual([retraction])
  expect(first.state.loaded).toEqual([retraction])
  for (const sendQueue of [stream.replays, stream.retries])
    expect(sendQueue.state).toMatchObject({ loaded: [], reading: 'wanted' })
  expect(dropped).toEqual(expect.arrayContaining([replay, retry]))
  expect(read(stream.replays, [replay])).toEqual([replay])
})

test('behavior: other webhooks, and a retraction already held by this process, keep loaded replays and retries in memory', () => {
  const { stream, first, read, dropped, claims } = createStream()
  const held = webhook(3n, { retraction: true })
  claims.take(first, held)
  expect(read(first, [held, webhook(4n)])).toEqual([webhook(4n)])
  expect(dropped).toEqual([])
  expect([stream.replays.state.loaded.length, stream.retries.state.loaded.length]).toEqual([1, 1])
})
