import { expect, test } from 'vitest'
import { createStreamStore } from '../../src/stream/ledger/answers/createStreamStore.ts'
import { keepSecret, streamChanged } from '../../src/stream/ledger/streamState.ts'
import { createWebhookSecret } from '../../src/stream/sign/webhookSecret.ts'
import { verifyWebhook } from '../../src/webhook.ts'
import { startReceiver } from '../receiver.ts'
import { insertStreams, testWebhook, testWebhooks } from './streams.ts'
import { createTestDelivery } from './testDelivery.ts'

const queueLength = 'SELECT count(*)::int FROM webhook_queue'

test('default: replays send the first body byte for byte under the same id, and count no webhook twice', async () => {
  await using t = await createTestDelivery({ retryDelaysMs: [60_000] })
  let isRejecting = true
  await using receiver = await startReceiver(({ body }) => (isRejecting && body.includes('"number":"2"') ? 500 : 200))
  const [stream] = await insertStreams(t.db, [receiver.url])
  const webhooks = testWebhooks(stream!, 1, 3)
  await t.start()
  await t.enqueue(webhooks)
  await receiver.until(3)
  await t.untilValue('SELECT failures FROM webhook_queue', 1)
  t.advance(120_000)
  await receiver.until(4)
  await t.untilValue(queueLength, 0)
  expect(await t.db.rows('SELECT delivered, failed, failed_for_good FROM webhook_delivered')).toEqual([[2n, 2n, 1n]])

  isRejecting = false
  const store = createStreamStore({ db: t.db, settings: { secretOverlapMs: 0 } })
  const range = { chainId: null, fromBlock: 1n, toBlock: 2n, status: null }
  expect(await store.replayRange(stream!.id, range)).toMatchObject({ status: 'done', replayed: 2 })
  await receiver.until(6)
  await t.untilValue(queueLength, 0)
  const replayed = receiver.received.slice(4).map(({ body, headers }) => [headers['webhook-id'], body])
  const firsts = receiver.received.slice(0, 2).map(({ body, headers }) => [headers['webhook-id'], body])
  expect(replayed.sort()).toEqual(firsts.sort())
  // The webhook that had finally failed is now delivered. The one that was delivered before counts once.
  expect(await t.db.rows('SELECT delivered, failed, failed_for_good FROM webhook_delivered')).toEqual([[3n, 2n, 0n]])
  expect((await t.recount()).mismatches).toEqual([])
})

test('behavior: replays of webhooks without a first attempt add no delivery, and each arrives once, in block order', async () => {
  await using t = await createTestDelivery({ retryDelaysMs: [60_000] })
  await using receiver = await startReceiver(({ body }) => (body.includes('"number":"1"') ? 500 : 200))
  const [stream] = await insertStreams(t.db, [receiver.url])
  const store = createStreamStore({ db: t.db, settings: { secretOverlapMs: 0 } })
  const all = { chainId: null, fromBlock: null, toBlock: null, status: null }
  await t.start()
  await t.enqueue(testWebhooks(stream!, 1, 1))
  await t.untilValue('SELECT failures FROM webhook_queue', 1)
  const setStatus = (status: string) =>
    t.db.transaction(async (tx) => {
      await tx.run('UPDATE stream SET status = $1', [status])
      await streamChanged(tx, stream!)
    })
  await setStatus('paused')
  await t.enqueue(testWebhooks(stream!, 2, 5))
  const [newest] = await t.db.rows<[string]>('SELECT id::text FROM webhook WHERE block_number = 5')
  expect(await store.replay(stream!.id, newest![0])).toMatchObject({ id: newest![0], status: 'pending' })
  expect(await store.replayRange(stream!.id, { ...all, fromBlock: 4n })).toMatchObject({ status: 'done', replayed: 0 })
  // The failed webhook waits for its retry, so its replay is a delivery of its own.
  expect(await store.replayRange(stream!.id, all)).toMatchObject({ status: 'done', replayed: 1 })
  expect(await t.db.rows('SELECT count(*)::int, count(*) FILTER (WHERE replay > 0)::int FROM webhook_queue')).toEqual([
    [6, 1],
  ])
  await setStatus('active')
  await t.untilValue(queueLength, 2)
  const numbers = receiver.received.map(({ body }) => Number(JSON.parse(body).block.number))
  expect(numbers.filter((number) => number > 1)).toEqual([2, 3, 4, 5])
  expect((await t.recount()).mismatches).toEqual([])
})

test('behavior: during a secret rotation both secrets verify, and after the overlap only the new one', async () => {
  await using t = await createTestDelivery()
  await using receiver = await startReceiver()
  const [stream] = await insertStreams(t.db, [receiver.url])
  await t.start()
  const secret = createWebhookSecret()
  const change = (overlapMs: number) =>
    t.db.transaction(async (tx) => {
      await tx.run('UPDATE stream SET webhook_secret = $1', [secret])
      await keepSecret(tx, { ...stream!, overlapMs })
      await streamChanged(tx, stream!)
    })
  const received = async (number: number) => {
    await t.enqueue([testWebhook(stream!, { number })])
    await receiver.until(number)
    return receiver.received[number - 1]!
  }
  const verifies = ({ body, headers }: { body: string; headers: object }, secret: string) => {
    try {
      return verifyWebhook(body, headers as Record<string, string>, secret).body.streamId === stream!.id
    } catch {
      return false
    }
  }
  await change(60_000)
  const both = await received(1)
  expect([verifies(both, stream!.secret), verifies(both, secret)]).toEqual([true, true])
  await change(0)
  await t.untilValue(queueLength, 0)
  const one = await received(2)
  expect([verifies(one, stream!.secret), verifies(one, secret)]).toEqual([false, true])
})
