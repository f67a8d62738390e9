import { keccak256, toBytes } from 'viem'
import { expect, test } from 'vitest'
import { createGuardedClient } from '../../src/net/guard/createGuardedClient.ts'
import { createStreamDemand } from '../../src/stream/definition/createStreamDemand.ts'
import { sendTestWebhook, testOutcome } from '../../src/stream/delivery/attempt/sendTestWebhook.ts'
import { createStreamSchema, type StreamDemand } from '../../src/stream/demand.ts'
import { createStreamQuery } from '../../src/stream/ledger/answers/createStreamQuery.ts'
import { createStreamStore } from '../../src/stream/ledger/answers/createStreamStore.ts'
import { readSettings } from '../../src/stream/settings/streamSettings.ts'
import { createWebhookSecret } from '../../src/stream/sign/webhookSecret.ts'
import { insertChain } from '../../src/sync/chainStore.ts'
import { streamPartition } from '../../src/sync/partition.ts'
import { verifyWebhook } from '../../src/webhook.ts'
import { type Received, startReceiver } from '../receiver.ts'
import { chainId, type TestStream, testWebhook } from './streams.ts'
import { createTestDelivery, type TestDelivery } from './testDelivery.ts'

type Opened = TestDelivery & {
  demand: StreamDemand
  create(webhookUrl: string, more: Record<string, unknown>): Promise<TestStream>
}

/** Starts delivery and opens the management of streams, which sends real test webhooks. */
async function open(): Promise<Opened> {
  const delivery = await createTestDelivery({ retryDelaysMs: [60_000] })
  const { db } = delivery
  await insertChain(db, chainId, `0x${'0'.repeat(64)}`, 1_000n, 900n)
  const client = createGuardedClient({ settings: { allow: ['127.0.0.1'] } })
  const sending = { db, client, settings: { timeoutMs: 5_000 } }
  const demand = createStreamDemand({
    db,
    chains: [{ id: chainId, name: 'local', rpc: ['http://127.0.0.1:1'] }],
    head: async () => 1_000n,
    sendTest: async (stream) => testOutcome(await sendTestWebhook(stream, sending)),
    secretOverlapMs: 60_000,
  })
  return {
    ...delivery,
    demand,
    async create(webhookUrl, more) {
      const body = { webhookUrl, description: '', tag: 'headers', chainIds: ['0x7a69'], ...more }
      const { id, tag, webhookSecret: secret } = await demand.create(createStreamSchema.parse(body))
      return { id, partition: streamPartition(id), url: webhookUrl, secret, tag }
    },
    async [Symbol.asyncDispose]() {
      await client.close()
      await delivery[Symbol.asyncDispose]()
    },
  }
}

const password = 'cGFzc3dvcmQgb2YgdGhlIHJlY2VpdmVy'
const headers = { Authorization: `Basic ${password}`, 'X-Tenant': 'first tenant' }

/** Number of rows that contain a text, by table; both text and byte columns count. */
async function rowsWith({ db }: TestDelivery, text: string): Promise<Record<string, bigint>> {
  const tables = await db.rows<[string]>(`SELECT tablename FROM pg_tables WHERE schemaname = current_schema()`)
  const found: Record<string, bigint> = {}
  for (const [table] of tables) {
    const [row] = await db.rows<[bigint]>(
      `SELECT count(*) FROM "${table}" t WHERE strpos(t::text, $1) > 0 OR strpos(t::text, $2) > 0`,
      [text, Buffer.from(text).toString('hex')],
    )
    if (row![0] > 0n) found[table] = row![0]
  }
  return found
}

test('default: test webhooks, first attempts, retries and replays send the current headers of the stream', async () => {
  await using t = await open()
  let isRejecting = true
  await using receiver = await startReceiver(({ body }) => (isRejecting && body.includes('"number":"1"') ? 500 : 200))
  const stream = await t.create(receiver.url, { headers })
  const sent = (i: number) => receiver.received[i]!.headers
  const first = { authorization: headers.Authorization, 'x-tenant': 'first tenant', 'user-agent': 'mintmark' }
  expect(sent(0)).toMatchObject(first)

  await t.start()
  await t.enqueue([testWebhook(stream, { number: 1 })])
  await t.untilValue('SELECT failures FROM webhook_queue', 1)
  expect(sent(1)).toMatchObject(first)
  // null keeps a value; omitted headers are removed.
  const record = await t.demand.update(stream.id, { headers: { AUTHORIZATION: null, 'User-Agent': 'somebody' } })
  expect(record.headers).toEqual({ authorization: null, 'user-agent': null })
  isRejecting = false
  t.advance(120_000)
  await receiver.until(3)
  await t.untilValue('SELECT count(*)::int FROM webhook_queue', 0)
  await createStreamStore({ db: t.db, settings: { secretOverlapMs: 0 } }).replay(
    stream.id,
    sent(2)['webhook-id'] as string,
  )
  await receiver.until(4)
  for (const i of [2, 3]) {
    expect(sent(i)).toMatchObject({ authorization: headers.Authorization, 'user-agent': 'somebody' })
    expect(sent(i)).not.toHaveProperty('x-tenant')
  }
})

test('behavior: header values are stored only in the row of their stream, even if the receiver returns them', async () => {
  await using t = await open()
  const report = ({ headers }: Received) => `<pre>${headers.authorization}</pre> ${headers.authorization?.slice(6)}`
  await using receiver = await startReceiver((received, response) => {
    response.writeHead(500).end(`${report(received)} ${'x'.repeat(900)} ${report(received).repeat(20)}`)
    return undefined
  })
  const stream = await t.create(receiver.url, { headers })
  expect((await t.demand.get(stream.id)).status).toBe('paused')
  await t.demand.setStatus(stream.id, 'active')
  await t.start()
  await t.enqueue([testWebhook(stream, { number: 1 })])
  await t.untilValue('SELECT count(*)::int FROM webhook_attempt', 1)
  await t.demand.update(stream.id, { tag: 'changed' })

  expect(await rowsWith(t, password.slice(0, 8))).toEqual({ stream: 1n })
  const query = createStreamQuery({ db: t.db })
  const { items } = await query.logs({ limit: 10, after: null, streamId: stream.id })
  expect(items[0]!.response).toMatch(/^<pre>•<\/pre> • x+/u)
  for (const shown of [items, await t.demand.list({ after: null, limit: 10 }), await t.demand.remove(stream.id)])
    expect(JSON.stringify(shown)).not.toContain(password.slice(0, 8))
  expect(await rowsWith(t, password.slice(0, 8))).toEqual({})
})

test('behavior: a webhook URL at another origin gets none of the earlier headers, and one at the same origin keeps them', async () => {
  await using t = await open()
  await using here = await startReceiver()
  await using there = await startReceiver()
  const { id } = await t.create(here.url, { headers })
  await t.demand.update(id, { webhookUrl: `${here.url}/elsewhere` })
  expect(here.received[1]!.headers).toMatchObject({ authorization: headers.Authorization })
  // The same host with another port is another origin. There, null keeps no value.
  const moved = await t.demand.update(id, { webhookUrl: there.url, headers: { authorization: null, 'x-new': 'new' } })
  expect(moved.headers).toEqual({ 'x-new': null })
  expect(there.received[0]!.headers).toMatchObject({ 'x-new': 'new' })
  const back = await t.demand.update(id, { webhookUrl: here.url })
  expect(back.headers).toEqual({})
  for (const { headers } of [there.received[0]!, here.received[2]!]) {
    expect(headers).not.toHaveProperty('authorization')
    expect(headers).not.toHaveProperty('x-tenant')
  }
  expect(here.received[2]!.headers).not.toHaveProperty('x-new')
})

test('behavior: a secret from the client signs webhooks, and the previous one also signs for a while', async () => {
  await using t = await open()
  await using receiver = await startReceiver()
  const [given, next] = [`whsec_${Buffer.alloc(64, 7).toString('base64')}`, createWebhookSecret()]
  const stream = await t.create(receiver.url, { webhookSecret: given })
  expect(stream.secret).toBe(given)
  await t.demand.update(stream.id, { webhookSecret: next })
  await t.start()
  await t.enqueue([testWebhook(stream, { number: 1 })])
  await receiver.until(2)
  const verify =
    ({ body, headers }: Received, secret: string) =>
    () =>
      verifyWebhook(body, headers as Record<string, string>, secret)
  const [test, first] = receiver.received as [Received, Received]
  expect(verify(test, given)).not.toThrow()
  expect(verify(test, next)).toThrow()
  expect(verify(first, given)).not.toThrow()
  expect(verify(first, next)).not.toThrow()
})

test('behavior: gzip compresses webhooks and test webhooks, and both signatures cover the uncompressed body', async () => {
  await using t = await open()
  await using receiver = await startReceiver()
  const stream = await t.create(receiver.url, { gzip: true })
  await t.start()
  const webhooks = [testWebhook(stream, { number: 1, padding: 100_000 }), testWebhook(stream, { number: 2 })]
  await t.enqueue(webhooks)
  await receiver.until(3)
  expect(receiver.received.slice(1).map(({ body }) => body)).toEqual(webhooks.map(({ body }) => body))
  const { secretKey } = await readSettings(t.db)
  for (const { body, headers } of receiver.received) {
    expect(headers['content-encoding']).toBe('gzip')
    expect(Number(headers['content-length'])).toBeLessThan(2_000)
    expect(() => verifyWebhook(body, headers as Record<string, string>, stream.secret)).not.toThrow()
    expect(headers['x-signature']).toBe(keccak256(toBytes(body + secretKey)))
  }
  expect(await t.demand.update(stream.id, { gzip: false })).toMatchObject({ gzip: false })
  await t.enqueue([testWebhook(stream, { number: 3 })])
  await receiver.until(4)
  expect(receiver.received[3]!.headers).not.toHaveProperty('content-encoding')
})
