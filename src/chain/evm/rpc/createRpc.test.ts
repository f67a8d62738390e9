import { expect, test } from 'vitest'
import { evmChain } from '../../../../test/evmChain.ts'
import { Cut, createRpcServer, RawAnswer, RpcFailure, type RpcHandler } from '../../../../test/rpcServer.ts'
import { createMetrics } from '../../../metrics/metrics.ts'
import { noopLog } from '../../../util/log.ts'
import { createRpc } from './createRpc.ts'
import { NoEndpointError, RpcError } from './rpcError.ts'
import { type RpcSettings, rpcSettings } from './rpcSettings.ts'

const chainId = '0x7a69'

/** Answers eth_chainId correctly and the rest by `handler`. */
const node =
  (handler: RpcHandler): RpcHandler =>
  (call, exchange) =>
    call.method === 'eth_chainId' ? chainId : handler(call, exchange)

function rpcOver(urls: string[], settings: Partial<RpcSettings> = {}) {
  const metrics = createMetrics()
  const rpc = createRpc({
    chain: evmChain(urls),
    settings: rpcSettings.parse({ timeoutMs: 2_000, maxConcurrency: 8, batchSize: 100, ...settings }),
    metrics,
    log: noopLog,
  })
  return { rpc, metrics, [Symbol.asyncDispose]: () => rpc.close() }
}

const echo = node((call) => call.params[0])

test('default: returns the result and the endpoint that answered', async () => {
  await using server = await createRpcServer(echo)
  await using over = rpcOver([server.url])
  expect(await over.rpc.call('x', ['hello'])).toBe('hello')
  expect(await over.rpc.request('x', [null])).toEqual({ result: null, endpoint: `127.0.0.1:${server.port}` })
})

const faulty: [string, RpcHandler][] = [
  ['HTTP 500', () => new RawAnswer(500, 'oops')],
  ['HTTP 502 with HTML', () => new RawAnswer(502, '<html>bad gateway</html>', { 'content-type': 'text/html' })],
  ['HTTP 200 with HTML', () => new RawAnswer(200, '<html>login</html>')],
  ['a wrong id', () => new RawAnswer(200, { jsonrpc: '2.0', id: 999_999, result: 'wrong' })],
  ['half a document', () => new Cut(10)],
  ['a cut connection', () => new Cut()],
  ['neither result nor error', (call) => new RawAnswer(200, { jsonrpc: '2.0', id: call.id })],
  ['a rate limit', () => new RawAnswer(429, { jsonrpc: '2.0', id: null, error: { code: 429, message: 'slow down' } })],
  ['a rate limit among results', () => new RpcFailure(-32005, 'rate limit exceeded')],
  ['an archive paywall', () => new RpcFailure(-32602, 'Archive requests require a personal token.')],
  ['a missing method', () => new RpcFailure(-32601, 'Method not found')],
  ['an unknown block', () => new RpcFailure(-32000, 'unknown block')],
]

test.each(faulty)('behavior: fails over on %s', async (_, fault) => {
  await using bad = await createRpcServer(node(fault))
  await using good = await createRpcServer(echo)
  await using over = rpcOver([bad.url, good.url])
  expect(await over.rpc.request('x', ['right'])).toEqual({ result: 'right', endpoint: `127.0.0.1:${good.port}` })
  expect(bad.calls('x')).toHaveLength(1)
})

test.each<[string, RpcHandler]>([
  ['502 pages', () => new RawAnswer(502, '<html>bad gateway</html>')],
  ['cut bodies', () => new Cut(10)],
  ['cut connections', () => new Cut()],
  ['HTML', () => new RawAnswer(200, '<html>sorry</html>')],
  ['words of overload', () => new RpcFailure(-32000, 'no backend is currently healthy to serve traffic')],
])('behavior: a node that answers %s to a heavy call keeps its rank for all other calls', async (_, fault) => {
  const heavy = node((call, exchange) => (call.method === 'eth_getLogs' ? fault(call, exchange) : call.params[0]))
  await using first = await createRpcServer(heavy)
  await using second = await createRpcServer(heavy)
  await using over = rpcOver([first.url, second.url])
  for (let i = 0; i < 4; i++) await expect(over.rpc.call('eth_getLogs', [{}])).rejects.toMatchObject({ heavy: true })
  expect(first.calls('eth_getLogs').length + second.calls('eth_getLogs').length).toBe(8)
  for (let i = 0; i < 4; i++)
    expect(await over.rpc.request('x', [i])).toEqual({ result: i, endpoint: `127.0.0.1:${first.port}` })
})

test('error: a node that answers every call with 502 pages counts as unreachable, whatever the method', async () => {
  await using server = await createRpcServer(node(() => new RawAnswer(502, '<html>bad gateway</html>')))
  await using good = await createRpcServer(echo)
  await using over = rpcOver([server.url, good.url])
  for (let i = 0; i < 4; i++) expect(await over.rpc.call('eth_getLogs', ['right'])).toBe('right')
  for (let i = 0; i < 4; i++) expect(await over.rpc.call('x', ['right'])).toBe('right')
  expect(server.calls('x').length).toBeLessThan(4)
})

test('behavior: fails over from a refused connection, and does not query that node again immediately', async () => {
  // Other tests take the ports of closed servers; nothing listens at port 2.
  const closed = 'http://127.0.0.1:2'
  await using good = await createRpcServer(echo)
  await using over = rpcOver([closed, good.url])
  for (let i = 0; i < 20; i++) expect(await over.rpc.call('x', [i])).toBe(i)
  const { values } = await over.metrics.rpcErrors.get()
  expect(values).toEqual([
    expect.objectContaining({ value: 1, labels: expect.objectContaining({ class: 'unreachable' }) }),
  ])
})

test('behavior: a node that recovers is used again', async () => {
  const first = await createRpcServer(echo)
  await using over = rpcOver([first.url])
  expect(await over.rpc.call('x', [1])).toBe(1)
  await first.close()
  const waiting = over.rpc.call('x', [2])
  await expect.poll(async () => (await over.metrics.rpcErrors.get()).values.length).toBeGreaterThan(0)
  await using again = await createRpcServer(echo, { port: first.port })
  expect(await waiting).toBe(2)
  expect(again.calls('eth_chainId')).toHaveLength(1)
})

test('behavior: waits as long as Retry-After requires', async () => {
  let requested = 0
  await using server = await createRpcServer(
    node(() => (++requested === 1 ? new RawAnswer(429, 'slow down', { 'retry-after': '1' }) : 'late')),
  )
  await using over = rpcOver([server.url])
  const start = performance.now()
  expect(await over.rpc.call('x', [])).toBe('late')
  expect(performance.now() - start).toBeGreaterThan(990)
})

test('behavior: never uses an endpoint of another chain', async () => {
  await using other = await createRpcServer((call) => (call.method === 'eth_chainId' ? '0x1' : 'wrong chain'))
  await using good = await createRpcServer(echo)
  await using over = rpcOver([other.url, good.url])
  for (let i = 0; i < 5; i++) expect(await over.rpc.call('x', ['right'])).toBe('right')
  expect(other.calls('x')).toEqual([])
  await using lonely = rpcOver([other.url])
  await expect(lonely.rpc.call('x', [])).rejects.toMatchObject({ code: 'RPC', class: 'wrong_chain' })
  await expect(lonely.rpc.call('x', [])).rejects.toThrow(NoEndpointError)
  expect(other.calls('x')).toEqual([])
})

test('behavior: an endpoint to avoid is queried only when no other is available', async () => {
  await using first = await createRpcServer(node(() => 'first'))
  const second = await createRpcServer(node(() => 'second'))
  await using over = rpcOver([first.url, second.url])
  const avoid = new Set([`127.0.0.1:${first.port}`])
  expect(await over.rpc.call('x', [], { avoid })).toBe('second')
  await second.close()
  expect(await over.rpc.call('x', [], { avoid })).toBe('first')
})

test('behavior: a batch is split to the size that the node accepts, and every call gets its own result', async () => {
  const small: RpcHandler = (call, { calls }) =>
    calls.length > 7
      ? new RawAnswer(200, { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'batch too large' } })
      : call.params[0]
  await using server = await createRpcServer(node(small))
  await using over = rpcOver([server.url])
  const calls = Array.from({ length: 60 }, (_, i) => ({ method: 'x', params: [i] }))
  expect(await over.rpc.batch(calls)).toEqual(calls.map((_, i) => i))
  const before = server.exchanges.length
  expect(await over.rpc.batch(calls)).toEqual(calls.map((_, i) => i))
  expect(
    server.exchanges
      .slice(before)
      .map((exchange) => exchange.calls.length)
      .sort()
      .reverse(),
  ).toEqual(new Array(8).fill(7).concat(4))
})

test.each([
  ['413', () => new RawAnswer(413, 'too large')],
  ['405', () => new RawAnswer(405, '')],
  ['one error', () => new RawAnswer(200, { id: null, error: { code: -32600, message: 'Invalid Request' } })],
  ['an empty list', () => new RawAnswer(200, [])],
])('behavior: works with a node that answers a batch with %s', async (_, rejection) => {
  await using server = await createRpcServer(node((call, { batch }) => (batch ? rejection() : call.params[0])))
  await using over = rpcOver([server.url])
  const calls = Array.from({ length: 9 }, (_, i) => ({ method: 'x', params: [i] }))
  expect(await over.rpc.batch(calls)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  const { result } = await over.rpc.together(calls.slice(0, 2))
  expect(result).toEqual([0, 1])
})

test('behavior: only the failed calls of a batch are repeated', async () => {
  let limited = 0
  await using server = await createRpcServer(
    node((call) =>
      call.params[0] === 3 && ++limited < 3 ? new RpcFailure(-32005, 'rate limit exceeded') : call.params[0],
    ),
  )
  await using over = rpcOver([server.url])
  const calls = Array.from({ length: 6 }, (_, i) => ({ method: 'x', params: [i] }))
  expect(await over.rpc.batch(calls)).toEqual([0, 1, 2, 3, 4, 5])
  expect(server.exchanges.map((exchange) => exchange.calls.length)).toEqual([1, 6, 1, 1])
})

test('behavior: results of a batch may arrive in any order', async () => {
  await using server = await createRpcServer(
    node((_, { batch, calls }) =>
      batch ? new RawAnswer(200, calls.map((c) => ({ id: c.id, result: c.params[0] })).reverse()) : 'single',
    ),
  )
  await using over = rpcOver([server.url])
  const calls = [0, 1, 2].map((i) => ({ method: 'x', params: [i] }))
  expect(await over.rpc.batch(calls)).toEqual([0, 1, 2])
})

test('behavior: calls whose results are too large for one batch are repeated in smaller batches', async () => {
  await using server = await createRpcServer(
    node((call, { calls }) =>
      calls.indexOf(call) >= 2 ? new RpcFailure(-32003, 'response too large') : call.params[0],
    ),
  )
  await using over = rpcOver([server.url])
  const calls = Array.from({ length: 8 }, (_, i) => ({ method: 'x', params: [i] }))
  expect(await over.rpc.batch(calls)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
})

test('behavior: calls sent together are all repeated at another endpoint if one fails', async () => {
  await using first = await createRpcServer(
    node((call) => (call.method === 'b' ? new RpcFailure(-32000, 'unknown block') : 'first')),
  )
  await using second = await createRpcServer(node(() => 'second'))
  await using over = rpcOver([first.url, second.url])
  const calls = ['a', 'b'].map((method) => ({ method, params: [] }))
  expect(await over.rpc.together(calls)).toEqual({ result: ['second', 'second'], endpoint: `127.0.0.1:${second.port}` })
})

test('error: a reverted call is not retried at another node', async () => {
  await using first = await createRpcServer(node(() => new RpcFailure(3, 'execution reverted', '0x')))
  await using second = await createRpcServer(echo)
  await using over = rpcOver([first.url, second.url])
  await expect(over.rpc.call('eth_call', [])).rejects.toMatchObject({ class: 'reverted', retryable: false })
  expect(first.calls('eth_call')).toHaveLength(1)
  expect(second.exchanges).toEqual([])
})

test('error: an error contains host and method, but never the key in the URL', async () => {
  await using server = await createRpcServer(node(() => new RpcFailure(-32601, 'Method not found')))
  await using over = rpcOver([`http://user:pass@127.0.0.1:${server.port}/v3/SECRET?key=SECRET`])
  const error = await over.rpc.call('x', []).catch((e: unknown) => e)
  expect(error).toBeInstanceOf(RpcError)
  expect(JSON.stringify([error, (error as Error).message, (error as Error).stack])).not.toMatch(/SECRET|pass/)
  expect(error).toMatchObject({ class: 'method_missing', method: 'x', endpoint: `127.0.0.1:${server.port}` })
  expect(server.exchanges[0]).toMatchObject({ path: '/v3/SECRET?key=SECRET' })
  expect(server.exchanges[0]!.headers.authorization).toBe(`Basic ${Buffer.from('user:pass').toString('base64')}`)
})

test('error: an answer that does not arrive in time fails as a retryable timeout', async () => {
  const never = Promise.withResolvers<void>()
  await using server = await createRpcServer(node(() => never.promise))
  await using over = rpcOver([server.url], { timeoutMs: 1_000 })
  await expect(over.rpc.call('x', [])).rejects.toMatchObject({ class: 'timeout', retryable: true })
  expect(server.calls('x')).toHaveLength(2)
})

test('error: a chain without a node fails with NO_ENDPOINT', async () => {
  await using over = rpcOver([])
  await expect(over.rpc.call('x', [])).rejects.toMatchObject({ code: 'NO_ENDPOINT', retryable: false })
})

test('error: an abort ends a call immediately with its reason', async () => {
  const never = Promise.withResolvers<void>()
  await using server = await createRpcServer(node(() => never.promise))
  await using over = rpcOver([server.url])
  const stop = new AbortController()
  const call = over.rpc.call('x', [], { signal: stop.signal })
  call.catch(() => undefined)
  await expect.poll(() => server.calls('x').length).toBe(1)
  const reason = new Error('stopped')
  stop.abort(reason)
  await expect(call).rejects.toBe(reason)
})

test('error: closing ends pending calls, and rejects further ones', async () => {
  const never = Promise.withResolvers<void>()
  await using server = await createRpcServer(node(() => never.promise))
  await using over = rpcOver([server.url])
  const call = over.rpc.call('x', [])
  call.catch(() => undefined)
  await expect.poll(() => server.calls('x').length).toBe(1)
  await over.rpc.close()
  await expect(call).rejects.toMatchObject({ code: 'RPC', class: 'unreachable' })
  await expect(over.rpc.call('x', [])).rejects.toMatchObject({ code: 'NO_ENDPOINT' })
  expect(server.calls('x')).toHaveLength(1)
})

test('behavior: never sends more concurrent requests than the limit', async () => {
  let active = 0
  let most = 0
  const gate = Promise.withResolvers<void>()
  await using server = await createRpcServer(
    node(async (call) => {
      most = Math.max(most, ++active)
      if (active === 4) gate.resolve()
      await gate.promise
      active--
      return call.params[0]
    }),
  )
  await using over = rpcOver([server.url], { maxConcurrency: 8 })
  const results = await Promise.all(Array.from({ length: 40 }, (_, i) => over.rpc.call('x', [i])))
  expect(results).toEqual(Array.from({ length: 40 }, (_, i) => i))
  expect(most).toBeGreaterThanOrEqual(4)
  expect(most).toBeLessThanOrEqual(8)
})
