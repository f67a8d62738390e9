import { expect, test } from 'vitest'
import { createStreamStore } from '../../src/stream/ledger/answers/createStreamStore.ts'
import { enqueueWebhooks } from '../../src/stream/ledger/enqueueWebhooks.ts'
import { lockWaits } from '../lockWaits.ts'
import { startReceiver } from '../receiver.ts'
import { retractAbove } from './retractAbove.ts'
import { chainId, failOnce, insertStreams, testWebhook, testWebhooks } from './streams.ts'
import { createTestDelivery } from './testDelivery.ts'

const queueLength = 'SELECT count(*)::int FROM webhook_queue'
const all = { chainId: null, fromBlock: null, toBlock: null, status: null }

test('behavior: a webhook that is retracted while its retry is in memory is not sent again', async () => {
  await using t = await createTestDelivery({ maxConcurrencyPerStream: 1, timeoutMs: 30_000 })
  let held: (() => void) | undefined
  await using receiver = await startReceiver(({ body }, response) => {
    if (body.includes('"reverted":true')) return 200
    if (body.includes('"retries":0')) return 500
    held = () => void response.writeHead(500).end()
    return undefined
  })
  const [stream] = await insertStreams(t.db, [receiver.url])
  await t.start()
  await t.enqueue(testWebhooks(stream!, 1, 6))
  await t.untilValue('SELECT count(*)::int FROM webhook_queue WHERE failures = 1', 6)
  t.advance(120_000)
  // One retry is in flight; the next ones are loaded.
  await receiver.until(() => held !== undefined)
  await t.enqueue([testWebhook(stream!, { number: 7 })])
  await t.untilValue('SELECT count(*)::int FROM webhook_queue WHERE failures = 1', 7)
  await t.db.transaction((tx) => retractAbove(tx, chainId, 0n))
  await receiver.until((received) => received.filter(({ body }) => body.includes('"reverted":true')).length === 7)
  const sent = receiver.received.length
  held!()
  await t.untilValue('SELECT count(*)::int FROM webhook_attempt WHERE number = 2', 1)
  // Any webhook left in memory would be sent before this one.
  await t.enqueue([testWebhook(stream!, { number: 8, fork: 2 })])
  t.advance(1)
  await receiver.until(sent + 1)
  await t.untilValue('SELECT count(*)::int FROM webhook_queue WHERE failures = 1', 1)
  expect(receiver.received.slice(sent).map(({ body }) => JSON.parse(body).block.number)).toEqual(['8'])
  await t.untilValue(queueLength, 1)
  expect((await t.recount()).mismatches).toEqual([])
})

test('error: a replay of a retracted webhook is rejected with the reason, and a range replay skips it', async () => {
  await using t = await createTestDelivery()
  const [stream] = await insertStreams(t.db, ['http://127.0.0.1:9'])
  await t.enqueue(testWebhooks(stream!, 1, 3))
  await t.db.transaction((tx) => retractAbove(tx, chainId, 1n))
  await failOnce(t.db)
  const store = createStreamStore({ db: t.db, settings: { secretOverlapMs: 0 } })
  const ids = await t.db.rows<[string, boolean]>('SELECT id::text, retracted FROM webhook ORDER BY position')
  const [taken] = ids.find(([, retracted]) => retracted)!
  await expect(store.replay(stream!.id, taken)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('a reorganisation removed the block of the webhook'),
  })
  expect(await store.replayRange(stream!.id, all)).toMatchObject({
    replayed: ids.filter(([, retracted]) => !retracted).length,
  })
  const queued =
    'SELECT count(*)::int FROM webhook_queue q JOIN webhook w USING (partition, position) WHERE w.retracted'
  expect(await t.db.rows(queued)).toEqual([[0]])
})

test('behavior: a replay that is queued while its block is retracted is dropped', async () => {
  await using t = await createTestDelivery()
  const [stream] = await insertStreams(t.db, ['http://127.0.0.1:9'])
  await t.enqueue(testWebhooks(stream!, 1, 3))
  await failOnce(t.db)
  const store = createStreamStore({ db: t.db, settings: { secretOverlapMs: 0 } })
  const waiting = (count: number) => expect.poll(() => lockWaits(t.db)).toBe(count)
  let replaying: ReturnType<typeof store.replayRange> | undefined
  let retracting: Promise<void> | undefined
  // The replay has queued its rows and waits to read the stream. The retraction happens in between.
  await t.db.transaction(async (tx) => {
    await tx.run('LOCK TABLE stream IN ACCESS EXCLUSIVE MODE')
    replaying = store.replayRange(stream!.id, all)
    await waiting(1)
    retracting = t.db.transaction((other) => retractAbove(other, chainId, 0n))
    await waiting(2)
  })
  expect(await replaying).toMatchObject({ replayed: 3 })
  await retracting
  expect(await t.db.rows('SELECT count(*)::int, bool_and(retraction) FROM webhook_queue')).toEqual([[3, true]])
})

test('behavior: replays are sent in the order of their positions', async () => {
  await using t = await createTestDelivery()
  await using receiver = await startReceiver()
  const [stream] = await insertStreams(t.db, [receiver.url])
  await t.start()
  await t.enqueue(testWebhooks(stream!, 1, 150))
  await t.untilValue(queueLength, 0)
  const store = createStreamStore({ db: t.db, settings: { secretOverlapMs: 0 } })
  await store.replayRange(stream!.id, all)
  await receiver.until(300)
  await t.untilValue(queueLength, 0)
  const numbers = receiver.received.slice(150).map(({ body }) => Number(JSON.parse(body).block.number))
  expect(numbers).toEqual(Array.from({ length: 150 }, (_, i) => i + 1))
  expect((await t.recount()).mismatches).toEqual([])
})

test('behavior: first attempts in memory are dropped when a reorganisation removes their block', async () => {
  await using t = await createTestDelivery({ timeoutMs: 30_000 })
  let held: (() => void) | undefined
  await using receiver = await startReceiver(({ body }, response) => {
    if (!body.includes('"number":"40"') || held) return 200
    held = () => void response.writeHead(200).end()
    return undefined
  })
  const [stream] = await insertStreams(t.db, [receiver.url])
  await t.start()
  await t.enqueue(testWebhooks(stream!, 1, 60))
  await receiver.until(() => held !== undefined)
  await t.db.transaction(async (tx) => {
    await retractAbove(tx, chainId, 45n)
    await enqueueWebhooks(tx, [testWebhook(stream!, { number: 46, fork: 2 })])
  })
  // A webhook that was enqueued later for another stream has arrived, so the notification has been processed.
  const [other] = await insertStreams(t.db, [`${receiver.url}/other`])
  await t.enqueue([testWebhook(other!, { number: 1 })])
  await receiver.until((received) => received.some(({ path }) => path === '/other'))
  held!()
  await t.untilValue(queueLength, 0)
  const sent = receiver.received.map(
    ({ body }) => JSON.parse(body) as { reverted?: boolean; block: { number: string } },
  )
  const plain = sent.filter(({ reverted }, i) => !reverted && receiver.received[i]!.path === '/')
  expect(plain.map(({ block }) => Number(block.number))).toEqual([...Array.from({ length: 45 }, (_, i) => i + 1), 46])
  expect(sent.filter(({ reverted }) => reverted).map(({ block }) => Number(block.number))[0]).toBe(60)
  expect((await t.recount()).mismatches).toEqual([])
})
