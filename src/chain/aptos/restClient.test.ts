import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createAptosChain } from '../../../test/aptos/aptosChain.ts'
import { startFakeFullnode } from '../../../test/aptos/fakeFullnode.ts'
import { patienceMs } from '../../../test/patience.ts'
import { createByteBudget } from '../../util/byteBudget.ts'
import { noopLog } from '../../util/log.ts'
import { AptosUnavailableError } from './aptosError.ts'
import { createRestClient } from './restClient.ts'

test('error: an endless answer is aborted at 64 MB', async () => {
  let sent = 0
  const part = Buffer.alloc(1_000_000, 'x')
  const server = createServer((_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(part)) sent += part.length
    }
    response.on('drain', more)
    more()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const client = createRestClient({ base, token: undefined, timeoutMs: 30_000, log: noopLog })
  onTestFinished(async () => {
    await client.close()
    server.closeAllConnections()
    server.close()
  })
  await expect(client.get('', AbortSignal.timeout(patienceMs))).rejects.toThrow(AptosUnavailableError)
  expect(sent).toBeLessThan(200_000_000)
})

test('error: an answer that trickles endlessly times out, and frees its byte budget', async () => {
  const server = createServer((_, response) => {
    response.write('x'.repeat(1_000_000))
    const drip = setInterval(() => response.write(' '), 10)
    response.on('close', () => clearInterval(drip))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const budget = createByteBudget(64 * 1_048_576)
  const client = createRestClient({ base, token: undefined, timeoutMs: 200, budget, log: noopLog })
  onTestFinished(async () => {
    await client.close()
    server.closeAllConnections()
    server.close()
  })
  await expect(client.get('', new AbortController().signal)).rejects.toThrow(AptosUnavailableError)
  expect(budget.held()).toBe(0)
})

test.each([
  ['a key in the query', (url: string) => `${url}?key=a%2Fb&x=1`, { query: 'key=a%2Fb&x=1' }],
  ['a slash at the end and a key', (url: string) => `${url}/?key=s`, { query: 'key=s' }],
  [
    'user and password, which go before the token',
    (url: string) => url.replace('//', '//user:p%40ss@'),
    { authorization: `Basic ${Buffer.from('user:p@ss').toString('base64')}` },
  ],
  ['a token', (url: string) => `${url}//`, { authorization: 'Bearer token' }],
])('behavior: accepts a node URL with %s', async (_, address, demands) => {
  const node = await startFakeFullnode({ chain: createAptosChain({ chainId: 1 }), demands, root: '/base/v1' })
  const base = address(node.url)
  const client = createRestClient({ base, token: 'token', timeoutMs: 5_000, log: noopLog })
  onTestFinished(() => client.close())
  const { signal } = new AbortController()
  expect((await client.get('', signal)).body).toMatchObject({ chain_id: 1 })
  expect((await client.get('/transactions?start=0&limit=1', signal)).body).toEqual([])
})
