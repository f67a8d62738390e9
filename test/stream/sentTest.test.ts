import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createKey } from '../../src/db/keys.ts'
import type { SentTestWebhook } from '../../src/stream/query.ts'
import { createWebhookSecret } from '../../src/stream/sign/webhookSecret.ts'
import { verifyWebhook } from '../../src/webhook.ts'
import { readTables } from '../operations/readTables.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { createRpcServer, type RpcServer } from '../rpcServer.ts'
import { createScriptedNode } from '../scriptedNode.ts'
import { type StreamServer, startStreamServer } from './streamServer.ts'

// The test webhook of a stored stream, sent at an operator's request.
let node: RpcServer
let receiver: Receiver
let t: StreamServer
/** The receiver's behaviour, by path. */
const answers = new Map<string, Parameters<typeof startReceiver>[0]>()

beforeAll(async () => {
  node = await createRpcServer(createScriptedNode({ blocks: 3 }).handler())
  receiver = await startReceiver((received, response) =>
    (answers.get(received.path) ?? (() => 204))(received, response),
  )
  t = await startStreamServer(node.url, { role: 'api', webhooks: { timeoutMs: 1_000 } })
})
afterAll(async () => {
  await t?.[Symbol.asyncDispose]()
  await receiver?.close()
  await node?.close()
})
beforeEach(() => answers.clear())

const pathOf = (id: string) => `/admin/streams/${id}/test`
const send = (id: string) => t.call<SentTestWebhook>('POST', pathOf(id))

test('default: the test webhook is sent immediately, signed like every webhook, and leaves nothing in the database', async () => {
  const webhookUrl = `${receiver.url}/hooks`
  const old = createWebhookSecret()
  const { id } = await t.create({
    webhookUrl,
    webhookSecret: old,
    gzip: true,
    headers: { authorization: 'secret of ours' },
  })
  const webhookSecret = createWebhookSecret()
  await t.call('POST', `/streams/evm/${id}`, { webhookSecret })
  answers.set('/hooks', ({ headers }, response) => {
    response.writeHead(201).end(`made by ${headers.authorization}`)
    return undefined
  })
  receiver.received.length = 0
  const before = await readTables(t.db)
  const sent = await send(id)
  expect(sent).toEqual({
    ...{ streamId: id, webhookUrl, webhookId: expect.any(String), createdAt: expect.stringMatching(/Z$/) },
    ...{ deliveryStatus: 'success', statusCode: 201, latencyMs: expect.any(Number), errorMessage: '' },
    response: expect.stringMatching(/^made by (?!secret of ours)/),
  })
  expect(receiver.received.length).toBe(1)
  const { headers, body } = receiver.received[0]!
  expect([headers.authorization, headers['content-encoding']]).toEqual(['secret of ours', 'gzip'])
  // The previous secret still signs, in addition to the new one.
  for (const secret of [old, webhookSecret])
    expect(verifyWebhook(body, headers, secret)).toMatchObject({ id: sent.webhookId, body: { streamId: '', logs: [] } })
  expect(await readTables(t.db)).toEqual(before)
})

test.each([
  ['an error', () => 500, { statusCode: 500, response: 'no thanks', errorMessage: 'answered 500' }],
  [
    'nothing in time',
    () => undefined,
    { statusCode: null, response: '', errorMessage: expect.stringContaining('1000 ms') },
  ],
])(
  'behavior: the test result of a receiver that returns %s has the delivery log fields, and the stream stays paused',
  async (_, answer, reported) => {
    const { id } = await t.create({ webhookUrl: `${receiver.url}/other`, tag: 'kept' })
    await t.call('POST', `/streams/evm/${id}/status`, { status: 'paused' })
    answers.set('/other', answer)
    const before = await readTables(t.db)
    expect(await send(id)).toMatchObject({ deliveryStatus: 'failed', ...reported })
    answers.delete('/other')
    expect(await send(id)).toMatchObject({ deliveryStatus: 'success', statusCode: 204 })
    expect(await readTables(t.db)).toEqual(before)
  },
)

test('behavior: the test webhook follows no redirect, and a long response is cut to a kilobyte', async () => {
  const { id } = await t.create({ webhookUrl: `${receiver.url}/moved` })
  answers.set('/moved', (_, response) => {
    response.writeHead(302, { location: `${receiver.url}/elsewhere` }).end('x'.repeat(100_000))
    return undefined
  })
  expect(await send(id)).toMatchObject({
    ...{ deliveryStatus: 'failed', statusCode: 302, response: 'x'.repeat(1_024) },
    errorMessage: 'answered 302, and redirects are not followed',
  })
  expect(receiver.received.filter(({ path }) => path === '/elsewhere')).toEqual([])
})

test('error: the test webhook is not sent to private networks, returns 404 for an unknown stream, and requires an admin key', async () => {
  const inner = await t.create({ webhookUrl: 'http://10.0.0.1/' })
  expect(await send(inner.id)).toMatchObject({
    deliveryStatus: 'failed',
    statusCode: null,
    errorMessage: expect.stringMatching(/private/),
  })
  const { key } = await createKey(t.db, { name: 'reader', access: 'read' })
  const request = (id: string, requesting?: string) =>
    fetch(t.server.url + pathOf(id), { method: 'POST', headers: requesting ? { 'x-api-key': requesting } : {} })
  expect((await request(inner.id, key)).status).toBe(403)
  expect((await request(inner.id)).status).toBe(401)
  const unknown = '7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f'
  await expect(send(unknown)).rejects.toThrow(`404 {"message":"there is no stream ${unknown}"`)
  await expect(send('mine')).rejects.toThrow(/400 .*a UUID/)
})
