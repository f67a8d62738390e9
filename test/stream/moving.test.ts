// @module-tag system

import { expect, test } from 'vitest'
import { createStreamDemand, type StreamDemandOptions } from '../../src/stream/definition/createStreamDemand.ts'
import { createStreamSchema, type StreamDemand, updateStreamSchema } from '../../src/stream/demand.ts'
import { insertChain } from '../../src/sync/chainStore.ts'
import { streamPartition } from '../../src/sync/partition.ts'
import { startReceiver } from '../receiver.ts'
import { chainId, type TestStream, testWebhook, testWebhooks } from './streams.ts'
import { createTestDelivery, type TestDelivery } from './testDelivery.ts'

/** Starts delivery and opens the management of streams. */
async function open(
  sendTest: StreamDemandOptions['sendTest'] = async () => ({ ok: true }),
): Promise<TestDelivery & { demand: StreamDemand; create(url: string): Promise<TestStream> }> {
  const delivery = await createTestDelivery()
  const { db } = delivery
  await insertChain(db, chainId, `0x${'0'.repeat(64)}`, 1_000n, 900n)
  const demand = createStreamDemand({
    db,
    chains: [{ id: chainId, name: 'local', rpc: ['http://127.0.0.1:1'] }],
    head: async () => 1_000n,
    sendTest,
    secretOverlapMs: 0,
  })
  return {
    ...delivery,
    demand,
    async create(webhookUrl) {
      const body = { webhookUrl, description: '', tag: 'moving', chainIds: ['0x7a69'] }
      const { id, tag, webhookSecret } = await demand.create(createStreamSchema.parse(body))
      return { id, partition: streamPartition(id), url: webhookUrl, secret: webhookSecret, tag }
    },
  }
}

const statusOf = 'SELECT status FROM stream WHERE id = $1'
const rateOf = 'SELECT rate FROM webhook_url WHERE url = $1'

test('behavior: a 410 from the previous URL of a stream does not stop it', async () => {
  await using t = await open()
  const { promise: moved, resolve: onMoved } = Promise.withResolvers<number>()
  await using receiver = await startReceiver(({ path }) => (path === '/old' ? moved : 200))
  const stream = await t.create(`${receiver.url}/old`)
  await t.start()
  await t.enqueue([testWebhook(stream, { number: 1 })])
  await receiver.until(1)
  await t.demand.update(stream.id, updateStreamSchema.parse({ webhookUrl: `${receiver.url}/new` }))
  onMoved(410)
  await t.untilValue('SELECT code FROM webhook_attempt', 410)
  await t.enqueue([testWebhook(stream, { number: 2 })])
  await receiver.until(2)
  t.advance(70_000)
  await receiver.until(3)
  expect(receiver.received.map(({ path }) => path)).toEqual(['/old', '/new', '/new'])
  expect((await t.demand.get(stream.id)).status).toBe('active')
})

test('behavior: a new stream starts with a success rate of 100, despite failures of earlier streams at its URL', async () => {
  await using t = await open()
  await using receiver = await startReceiver(() => 500)
  const [a, b] = [`${receiver.url}/a`, `${receiver.url}/b`]
  await t.start()
  for (const url of [a, b]) {
    const earlier = await t.create(url)
    await t.enqueue(testWebhooks(earlier, 1, 40))
    await t.untilValue(statusOf, 'error', [earlier.id])
    await t.demand.remove(earlier.id)
  }
  const stream = await t.create(a)
  await t.enqueue([testWebhook(stream, { number: 1 })])
  const failures = 'SELECT count(*)::int FROM webhook_attempt WHERE stream_id = $1'
  await t.untilValue(failures, 1, [stream.id])
  expect((await t.demand.get(stream.id)).status).toBe('active')
  // A stream that moves to such an address also starts without its failures.
  await t.demand.update(stream.id, updateStreamSchema.parse({ webhookUrl: b }))
  await t.enqueue([testWebhook(stream, { number: 2 })])
  await t.untilValue(failures, 2, [stream.id])
  expect((await t.demand.get(stream.id)).status).toBe('active')
  // One attempt of the earlier stream may have been in flight.
  for (const url of [a, b]) expect(Number((await t.db.rows<[number]>(rateOf, [url]))[0]![0])).toBeGreaterThan(90)
})

test('behavior: a new stream at the URL of an active one shares its success rate', async () => {
  await using t = await open()
  await using receiver = await startReceiver(() => 500)
  const first = await t.create(receiver.url)
  await t.start()
  await t.enqueue(testWebhooks(first, 1, 5))
  await t.untilValue(rateOf, 95, [receiver.url])
  await t.create(receiver.url)
  expect(await t.db.rows(rateOf, [receiver.url])).toEqual([[95]])
})

test('behavior: only a new URL gets a test webhook, and other changes do not pause the stream', async () => {
  const tested: string[] = []
  await using t = await open(async ({ webhookUrl }) => {
    tested.push(webhookUrl)
    return webhookUrl.endsWith('/deaf') ? { ok: false, reason: 'answered 500' } : { ok: true }
  })
  const url = 'https://receiver.example/hook'
  const { id } = await t.create(url)
  const update = (body: object) => t.demand.update(id, updateStreamSchema.parse(body))
  for (const body of [{ description: 'new' }, { tag: 'new', allAddresses: true }, { webhookUrl: url }])
    expect(await update(body)).toMatchObject({ ...body, status: 'active' })
  expect(tested).toEqual([url])
  const deaf = { webhookUrl: 'https://receiver.example/deaf' }
  expect(await update(deaf)).toMatchObject({ status: 'paused', statusMessage: 'the test webhook failed: answered 500' })
  expect(tested).toEqual([url, deaf.webhookUrl])
})

test('behavior: the message of a paused stream shows the result of the last test webhook', async () => {
  await using t = await open(async ({ webhookUrl }) => {
    const status = /\d+$/.exec(webhookUrl)
    return status ? { ok: false, reason: `answered ${status[0]}` } : { ok: true }
  })
  const to = (path: string) => ({ webhookUrl: `https://receiver.example/${path}` })
  const { id } = await t.create(to('hook').webhookUrl)
  const update = (body: object) => t.demand.update(id, updateStreamSchema.parse(body))
  await t.demand.setStatus(id, 'paused')
  const paused = (statusMessage: string) => ({ status: 'paused', statusMessage })
  expect(await update(to('500'))).toMatchObject(paused('the test webhook failed: answered 500'))
  expect(await update(to('404'))).toMatchObject(paused('the test webhook failed: answered 404'))
  expect(await update({ tag: 'new' })).toMatchObject(paused('the test webhook failed: answered 404'))
  expect(await update(to('right'))).toMatchObject(paused(''))
})
