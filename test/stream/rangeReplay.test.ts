// @module-tag system

import { expect, test } from 'vitest'
import { createStreamStore } from '../../src/stream/ledger/answers/createStreamStore.ts'
import { streamChanged } from '../../src/stream/ledger/streamState.ts'
import { startReceiver } from '../receiver.ts'
import { failOnce, insertStreams, testWebhooks } from './streams.ts'
import { createTestDelivery } from './testDelivery.ts'

const queueLength = 'SELECT count(*)::int FROM webhook_queue'
const all = { chainId: null, fromBlock: null, toBlock: null, status: null }

test('behavior: a long range replay is queued in batches, sent in ledger order, and reports when it is done', async () => {
  await using t = await createTestDelivery()
  await using receiver = await startReceiver()
  const [stream] = await insertStreams(t.db, [receiver.url])
  const store = createStreamStore({ db: t.db, settings: { secretOverlapMs: 0 } })
  const first = await t.start()
  await t.enqueue(testWebhooks(stream!, 1, 1_050))
  await t.untilValue(queueLength, 0)
  await first.close()
  const requested = await store.replayRange(stream!.id, all)
  expect(requested).toMatchObject({ status: 'running', replayed: 1_000, progress: 0.952 })
  await t.enqueue(testWebhooks(stream!, 1_051, 1_052))
  await t.start()
  await t.untilValue('SELECT status FROM range_replay', 'done')
  await t.untilValue(queueLength, 0)
  const numbers = receiver.received.slice(1_050).map(({ body }) => Number(JSON.parse(body).block.number))
  const replayed = numbers.filter((number) => number <= 1_050)
  expect(replayed).toEqual(Array.from({ length: 1_050 }, (_, i) => i + 1))
  expect(numbers.length).toBe(1_052)
  expect(await store.rangeReplay(stream!.id, requested!.id)).toMatchObject({
    status: 'done',
    replayed: 1_050,
    progress: 1,
  })
  expect((await t.recount()).mismatches).toEqual([])
})

test('behavior: a range replay queues at most 5,000 webhooks, and stops when its stream is terminated', async () => {
  await using t = await createTestDelivery()
  const [stream] = await insertStreams(t.db, ['http://127.0.0.1:9'])
  const store = createStreamStore({ db: t.db, settings: { secretOverlapMs: 0 } })
  await t.db.run(`UPDATE stream SET status = 'paused'`)
  await t.enqueue(testWebhooks(stream!, 1, 5_500))
  await failOnce(t.db)
  await store.replayRange(stream!.id, all)
  await t.start()
  await t.untilValue('SELECT replayed::int FROM range_replay', 5_000)
  await t.db.transaction(async (tx) => {
    await tx.run(`UPDATE stream SET status = 'terminated'`)
    await streamChanged(tx, stream!)
  })
  await t.untilValue('SELECT status FROM range_replay', 'stopped')
  await t.untilValue(queueLength, 0)
  expect(await t.db.rows('SELECT message, replayed FROM range_replay')).toEqual([
    ['the stream is terminated; its webhooks are not sent again', 5_000n],
  ])
  expect((await t.recount()).mismatches).toEqual([])
})
