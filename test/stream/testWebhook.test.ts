import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { verifyWebhook } from '../../src/webhook.ts'
import { startTestServer, type TestServer, testApiKey } from '../mintmark.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { createRpcServer, RpcFailure, type RpcServer } from '../rpcServer.ts'
import { createScriptedNode } from '../scriptedNode.ts'

// Covers the test webhook when a creation or a change is rejected for another reason.
const script = createScriptedNode({ blocks: 10 })
const truth = script.handler()
let isUnreachable = false
let node: RpcServer
let server: TestServer
let receiver: Receiver

beforeAll(async () => {
  node = await createRpcServer((call, exchange) =>
    isUnreachable ? new RpcFailure(-32601, 'the method is not available') : truth(call, exchange),
  )
  receiver = await startReceiver()
  server = await startTestServer({
    rpc: [node.url],
    config: { role: 'api', outbound: { allow: ['127.0.0.1'] } },
  })
})
afterAll(async () => {
  await server?.close()
  await receiver?.close()
  await node?.close()
})
beforeEach(() => {
  isUnreachable = false
  receiver.received.length = 0
})

async function send(method: string, path: string, body?: object) {
  const response = await fetch(server.url + path, {
    method,
    headers: { 'x-api-key': testApiKey, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const definition = (path: string) => ({
  ...{ webhookUrl: `${receiver.url}/${path}`, description: '', tag: 'test', chainIds: ['0x7a69'] },
})
const streams = async () => (await send('GET', '/streams/evm')).body.total

test('behavior: stream creations while the node is unreachable send no test webhook and create nothing, and a later one succeeds', async () => {
  const before = await streams()
  isUnreachable = true
  for (let i = 0; i < 2; i++) expect((await send('PUT', '/streams/evm', definition('made'))).status).toBe(503)
  expect(receiver.received).toEqual([])
  expect(await streams()).toBe(before)
  isUnreachable = false
  expect(await send('PUT', '/streams/evm', definition('made'))).toMatchObject({
    status: 200,
    body: { status: 'active' },
  })
  expect(receiver.received.map(({ path }) => path)).toEqual(['/made'])
})

test('behavior: a rejected change to another URL sends no test webhook and changes nothing', async () => {
  const made = await send('PUT', '/streams/evm', definition('old'))
  const path = `/streams/evm/${made.body.id}`
  const moved = { webhookUrl: `${receiver.url}/new`, tag: 'moved' }
  receiver.received.length = 0
  // The stream already has this chain.
  expect(await send('POST', path, { ...moved, fromBlocks: { '0x7a69': '1' } })).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/^fromBlocks/) },
  })
  isUnreachable = true
  expect((await send('POST', path, moved)).status).toBe(503)
  expect(receiver.received).toEqual([])
  expect((await send('GET', path)).body).toMatchObject({ ...definition('old'), status: 'active' })
  isUnreachable = false
  expect(await send('POST', path, moved)).toMatchObject({ status: 200, body: moved })
  expect(receiver.received.map(({ path: at }) => at)).toEqual(['/new'])
})

test('behavior: during a secret rotation, the test webhook to a new URL verifies with either secret', async () => {
  const [first, last] = ['A', 'B'].map((letter) => `whsec_${letter.repeat(32)}`)
  const made = await send('PUT', '/streams/evm', { ...definition('old'), webhookSecret: first })
  const path = `/streams/evm/${made.body.id}`
  const second = (await send('POST', `${path}/secret`)).body.webhookSecret as string
  receiver.received.length = 0
  await send('POST', path, { webhookUrl: `${receiver.url}/moved` })
  await send('POST', path, { webhookUrl: `${receiver.url}/again`, webhookSecret: last })
  const [moved, again] = receiver.received
  for (const secret of [first, second]) verifyWebhook(moved!.body, moved!.headers, secret!)
  for (const secret of [first, second, last]) verifyWebhook(again!.body, again!.headers, secret!)
})
