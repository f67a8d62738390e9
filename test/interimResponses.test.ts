import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createRestClient } from '../src/chain/aptos/restClient.ts'
import { createRpc } from '../src/chain/evm/rpc/createRpc.ts'
import { rpcSettings } from '../src/chain/evm/rpc/rpcSettings.ts'
import { createMetrics } from '../src/metrics/metrics.ts'
import { createS3Store } from '../src/nft/media/blobs/createS3Store.ts'
import { previewKey } from '../src/nft/media/blobs/previewStore.ts'
import { noopLog } from '../src/util/log.ts'
import { evmChain } from './evmChain.ts'
import { patienceMs } from './patience.ts'
import { s3Bucket, s3Key } from './s3StandIn.ts'

/** A server that sends 100 and 103 before each response, even if the client does not expect them. */
async function startEager(answer: (body: string) => string): Promise<string> {
  const listener: RequestListener = async (request, response) => {
    response.writeContinue()
    let body = ''
    for await (const chunk of request) body += String(chunk)
    response.writeEarlyHints({ link: '</style.css>; rel=preload' })
    response.writeContinue()
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer(body))
  }
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('behavior: the RPC client reads an EVM node that sends interim responses first', async () => {
  const reply = (given: { id: unknown; method: string }) => ({
    jsonrpc: '2.0',
    id: given.id,
    result: given.method === 'eth_chainId' ? '0x7a69' : 'hello',
  })
  const url = await startEager((body) => {
    const given = JSON.parse(body)
    return JSON.stringify(Array.isArray(given) ? given.map(reply) : reply(given))
  })
  const settings = rpcSettings.parse({ timeoutMs: patienceMs, maxConcurrency: 8, batchSize: 100 })
  const rpc = createRpc({ chain: evmChain([url]), settings, metrics: createMetrics(), log: noopLog })
  onTestFinished(() => rpc.close())
  expect(await rpc.call('x', [])).toBe('hello')
})

test('behavior: the REST client reads an Aptos fullnode that sends interim responses first', async () => {
  const base = await startEager(() => '{"chain_id":1}')
  const client = createRestClient({ base, token: undefined, timeoutMs: patienceMs, log: noopLog })
  onTestFinished(() => client.close())
  expect((await client.get('', AbortSignal.timeout(patienceMs))).body).toEqual({ chain_id: 1 })
})

test('behavior: the S3 store writes and reads objects in a bucket that sends interim responses first', async () => {
  const endpoint = await startEager(() => 'an image')
  const settings = { endpoint, bucket: s3Bucket, prefix: '', pathStyle: true, ...s3Key }
  const store = createS3Store(settings, { retryDelayMs: 1 })
  onTestFinished(() => store.close())
  const key = previewKey('abcd'.repeat(16), 'low')
  await store.put(key, Buffer.from('an image'), 'image/webp')
  expect((await store.get(key))?.bytes.toString()).toBe('an image')
})
