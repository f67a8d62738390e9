import { expect, test } from 'vitest'
import type { QueuedWebhook } from '../attempt/loadWebhooks.ts'
import type { Target } from '../attempt/target.ts'
import { type Claims, createClaims } from './claims.ts'
import { createSender } from './createSender.ts'
import { createStreamState, type Lane, laneOf, setTarget } from './lane.ts'

const target = { status: 'active', delivery: 'ordered', url: 'http://receiver.example/', urlHash: Buffer.alloc(0) }

test('behavior: chains of a stream take turns where it may have fewer attempts under way than it has chains', async () => {
  const claims: Claims<Lane> = createClaims()
  const sent: string[] = []
  const sender = createSender({
    claims,
    attempt: async ({ chainId, position }) => {
      sent.push(`${chainId}:${position % 10n}`)
      return { at: new Date(), ms: 1, outcome: { status: 'delivered', code: 200, answer: Buffer.alloc(0) } }
    },
    clock: () => 0,
    settings: { maxConcurrencyPerUrl: 8, maxConcurrencyPerStream: 1, maxConcurrencyUnordered: 1, maxConcurrency: 8 },
    holds: () => true,
    unsettled: () => 0,
    onAttempt() {},
    onFreed() {},
    signal: new AbortController().signal,
  })
  const effects = { onWaiting: sender.queue, onWanted() {}, onDropped() {} }
  const stream = createStreamState({ partition: 7, streamId: 's' }, effects)
  setTarget(stream, target as unknown as Target)
  for (const chainId of [1n, 2n, 3n]) {
    const lane = laneOf(stream, chainId, effects)
    const webhooks = [1n, 2n, 3n].map(
      (number) =>
        ({
          chainId,
          position: 10n * chainId + number,
          replay: 0,
          failures: 0,
          retraction: false,
          body: '',
        }) as QueuedWebhook,
    )
    for (const webhook of webhooks) claims.take(lane, webhook)
    lane.change({ type: 'read' })
    lane.change({ type: 'loaded', webhooks, last: undefined, more: false, nextDueAt: undefined })
  }
  await expect.poll(() => sent.length).toBe(9)
  expect(sent).toEqual(['1:1', '2:1', '3:1', '1:2', '2:2', '3:2', '1:3', '2:3', '3:3'])
})
