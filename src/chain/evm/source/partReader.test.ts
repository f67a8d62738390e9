import { expect, test } from 'vitest'
import { type OpenSource, openSource } from '../../../../test/evmSource.ts'
import { createFarNode, type FarChain, type NodeRules } from '../../../../test/farNode.ts'
import { createRpcServer, type RpcExchange, type RpcHandler } from '../../../../test/rpcServer.ts'
import type { RpcLog } from '../rpc/rpc.ts'
import { createLogWidth } from './logWidth.ts'
import { createPartReader } from './partReader.ts'
import type { LogRange } from './source.ts'

const contract = '0xfa40000000000000000000000000000000000000'
const first = 1_000_000
const blocks = 600_000
const topics = [['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef' as const]]
const rules: NodeRules = { maxBlocks: 1_000 }

/** A log every `every` blocks. */
const farChain = (every: number): FarChain => ({
  ...{ contract, first, finalized: first + blocks + 5_000 },
  mints: Array.from({ length: Math.floor(blocks / every) }, (_, i) => first + i * every),
})

/** A node with some backends that have no logs. `isBad` gets the number of earlier requests for logs, and the number of calls in this one. */
function withBackends(handler: RpcHandler, isBad: (request: number, calls: number) => boolean): RpcHandler {
  const kinds = new Map<RpcExchange, boolean>()
  return async (call, exchange) => {
    if (!exchange.calls.some(({ method }) => method === 'eth_getLogs')) return handler(call, exchange)
    const bad = kinds.get(exchange) ?? isBad(kinds.size, exchange.calls.length)
    kinds.set(exchange, bad)
    const answer = await handler(call, exchange)
    return bad && Array.isArray(answer) ? [] : answer
  }
}

/** Returns the tokens of all logs, in order. */
async function readAll({ source }: OpenSource): Promise<number[]> {
  const tokens: number[] = []
  const to = BigInt(first + blocks - 1)
  for (let from = BigInt(first); from <= to; ) {
    const read = await source.logs({ address: contract, topics, from, to })
    tokens.push(...read.logs.map((log) => Number(log.topics[3])))
    from = read.to + 1n
  }
  return tokens
}

const tokensOf = ({ mints }: FarChain) => mints.map((_, token) => token)

test('default: parts of the accepted width return all logs in order, with hardly any repeated', async () => {
  const chain = farChain(7_000)
  const { handler, counts } = createFarNode(chain, rules)
  await using server = await createRpcServer(handler, { keeps: false })
  await using over = openSource([server], {}, null)
  expect(await readAll(over)).toEqual(tokensOf(chain))
  expect(counts.ranges).toBeLessThanOrEqual(600 * 1.2 + 10)
  expect(counts.rejected).toEqual({ 32000: 1 })
  expect(await over.omissions()).toEqual({})
})

test('behavior: a single node whose backend returns no logs is detected by a block known to have some', async () => {
  const chain = farChain(7_000)
  const { handler } = createFarNode(chain, rules)
  const spoilt = withBackends(handler, (request, calls) => calls > 3 && request % 3 === 0)
  await using server = await createRpcServer(spoilt, { keeps: false })
  await using over = openSource([server], {}, null)
  expect(await readAll(over)).toEqual(tokensOf(chain))
  expect((await over.omissions()).empty).toBeGreaterThan(0)
})

test('behavior: a backend that returns no logs at first is detected by requesting one part again', async () => {
  const chain = farChain(100)
  const { handler } = createFarNode(chain, rules)
  let remaining = 0
  await using server = await createRpcServer(
    withBackends(handler, () => remaining-- > 0),
    { keeps: false },
  )
  await using over = openSource([server], {}, null)
  // Blocks without logs show what the node accepts.
  await over.source.logs({ address: contract, topics, from: 500_000n, to: 560_000n })
  remaining = 2
  expect(await readAll(over)).toEqual(tokensOf(chain))
  expect((await over.omissions()).empty).toBeGreaterThan(0)
})

test('behavior: an empty answer of the first blocks is verified where no wider range is accepted', async () => {
  const chain = farChain(100)
  const { handler } = createFarNode(chain, rules)
  await using server = await createRpcServer(
    withBackends(handler, (request) => request === 0),
    { keeps: false },
  )
  await using over = openSource([server], {}, null)
  expect(await readAll(over)).toEqual(tokensOf(chain))
  expect(await over.omissions()).toEqual({ empty: 1 })
})

test('behavior: empty parts are verified by another node', async () => {
  const chain = farChain(7_000)
  const node = createFarNode(chain, rules)
  await using liar = await createRpcServer(
    withBackends(node.handler, () => true),
    { keeps: false },
  )
  await using good = await createRpcServer(createFarNode(chain, rules).handler, { keeps: false })
  await using over = openSource([liar, good], {}, null)
  expect(await readAll(over)).toEqual(tokensOf(chain))
  expect((await over.omissions()).empty).toBeGreaterThan(0)
})

test('behavior: a backend that lacks the last blocks of the parts is not trusted', async () => {
  const chain = farChain(7_000)
  const { handler } = createFarNode(chain, rules)
  let request = 0
  const seen = new Map<RpcExchange, boolean>()
  await using server = await createRpcServer(
    (call, exchange) => {
      const lags = seen.get(exchange) ?? (exchange.calls.length > 3 && request++ % 4 === 0)
      seen.set(exchange, lags)
      if (lags && call.method === 'eth_getLogs') return []
      return lags && call.method === 'eth_getBlockByNumber' ? null : handler(call, exchange)
    },
    { keeps: false },
  )
  await using over = openSource([server], {}, null)
  expect(await readAll(over)).toEqual(tokensOf(chain))
  expect((await over.omissions()).lag).toBeGreaterThan(0)
})

test('behavior: parts with many logs return few more logs than wanted per read', async () => {
  const chain = farChain(20)
  const { handler, counts } = createFarNode(chain, { maxBlocks: 5_000 })
  await using server = await createRpcServer(handler, { keeps: false })
  await using over = openSource([server], {}, null)
  const to = BigInt(first + blocks - 1)
  let most = 0
  let reads = 0
  for (let from = BigInt(first); from <= to; reads++) {
    const read = await over.source.logs({ address: contract, topics, from, to })
    most = Math.max(most, read.logs.length)
    from = read.to + 1n
  }
  expect(most).toBeLessThanOrEqual(20_000)
  // A read ends after a second, so a slow machine makes more of them; each may abandon a few parts at its end.
  expect(counts.ranges).toBeLessThanOrEqual(120 * 1.3 + 5 * reads)
})

test('behavior: a node that rejects one part among others gets narrower requests there', async () => {
  const quiet = farChain(7_000)
  // A thousand logs in one piece, from a node that returns at most 500.
  const busy = Array.from({ length: 1_000 }, (_, i) => first + 300_100 + (i >> 1))
  const chain = { ...quiet, mints: [...quiet.mints, ...busy].sort((a, b) => a - b) }
  const { handler } = createFarNode(chain, { ...rules, maxLogs: 500 })
  await using server = await createRpcServer(handler, { keeps: false })
  await using over = openSource([server], {}, null)
  expect(await readAll(over)).toEqual(tokensOf(chain))
})

test('error: an empty answer is still verified when the verifying request fails', async () => {
  const omitted: LogRange[] = []
  let failed: LogRange | undefined
  const reader = createPartReader({
    async request(ranges) {
      const last = ranges.at(-1)!
      const to = ranges.reduce((highest, range) => (range.to > highest ? range.to : highest), 0n)
      if (!failed && last.to < to) {
        failed = last
        throw new Error('the connection was lost')
      }
      const entry = { blockNumber: `0x${last.from.toString(16)}` } as RpcLog
      const logs = ranges.map(({ from }) => (failed?.from === from ? [entry] : []))
      return { logs, to, toHash: '0x', misnumbered: new Set<number>(), endpoint: 'node' }
    },
    endpoints: 1,
    onInconsistency: () => undefined,
    onOmission: (_, range) => omitted.push(range),
    isDistrusted: () => false,
  })
  const width = createLogWidth({ max: 1_000, endpoints: 1 })
  const read = await reader.read({ address: contract, topics, from: 0n, to: 199_999n }, width)
  expect(failed).toBeDefined()
  expect(omitted).toEqual([failed])
  expect(read === undefined || read.to < failed!.from).toBe(true)
})
