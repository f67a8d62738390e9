// @module-tag system

import { expect, inject, test } from 'vitest'
import { createStreamStore } from '../../src/stream/ledger/answers/createStreamStore.ts'
import { startReceiver } from '../receiver.ts'
import { createAttemptCounter } from './attemptCounter.ts'
import { insertStreams, testWebhooks } from './streams.ts'
import { createTestDelivery } from './testDelivery.ts'

/** 10,000 attempts, or 100,000 in a soak. */
const blocks = inject('rounds') > 1 ? 4_700 : 470
const streamCount = 16
const settings = { retryDelaysMs: Array.from({ length: 60 }, () => 1), minSuccessRate: 0 }
const queueLength = 'SELECT count(*)::int FROM webhook_queue'

test('behavior: ordered and unordered streams under load with failures repeat no attempt, and the ledger matches the receiver', async () => {
  await using t = await createTestDelivery(settings)
  const attempts = createAttemptCounter()
  let count = 0
  await using receiver = await startReceiver((received) => {
    receiver.received.length = 0
    attempts.count(received)
    count += 1
    return count % 4 === 0 ? 500 : 200
  })
  const streams = await insertStreams(
    t.db,
    Array.from({ length: streamCount }, (_, i) => `${receiver.url}/${i}`),
  )
  const half = streams.slice(streamCount / 2).map(({ id }) => id)
  await t.db.run(`UPDATE stream SET delivery = 'unordered' WHERE id = ANY($1::uuid[])`, [half])
  await t.start()
  for (let from = 1; from <= blocks; from += 47)
    await t.enqueue(streams.flatMap((stream) => testWebhooks(stream, from, Math.min(blocks, from + 46))))
  await t.untilValue(queueLength, 0)
  expect(attempts.repeated()).toEqual([])
  expect(count).toBeGreaterThanOrEqual(streamCount * blocks * 1.3)
  const recount = await t.recount()
  expect(recount).toMatchObject({ attempts: count, mismatches: [] })
})

test('behavior: 300 replays send 300 requests', async () => {
  await using t = await createTestDelivery(settings)
  await using receiver = await startReceiver()
  const [stream] = await insertStreams(t.db, [receiver.url])
  await t.start()
  await t.enqueue(testWebhooks(stream!, 1, 100))
  await t.untilValue(queueLength, 0)
  const store = createStreamStore({ db: t.db, settings: { secretOverlapMs: 0 } })
  for (let round = 0; round < 3; round++) {
    await store.replayRange(stream!.id, { chainId: null, fromBlock: null, toBlock: null, status: null })
    await t.untilValue(queueLength, 0)
  }
  const recount = await t.recount()
  expect(receiver.received.length).toBe(400)
  expect(recount).toMatchObject({ attempts: 400, mismatches: [] })
})
