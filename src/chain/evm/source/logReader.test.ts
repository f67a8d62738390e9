import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lying, mint, nft, openSource, other, topics, transfer, word } from '../../../../test/evmSource.ts'
import { Cut, createRpcServer, RawAnswer, RpcFailure, type RpcServer } from '../../../../test/rpcServer.ts'
import { createScriptedNode, type ScriptedNode } from '../../../../test/scriptedNode.ts'
import type { Hex } from '../../../util/hex.ts'

const capped = (cap: number, message: string) => (chain: ScriptedNode) =>
  lying(chain, ({ method, params }) => {
    const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: Hex; toBlock?: Hex }
    return method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) + 1 > cap
      ? new RpcFailure(-32000, message)
      : undefined
  })

test.each([
  ['a cap with its number', capped(37, 'block range too large, max range: 37')],
  ['a cap without a number', capped(37, 'block range is too large')],
  ['a result cap', capped(37, 'query returned more than 10000 results')],
  ['a suggested range', capped(37, 'query returned more than 9 results. Try with this block range [0x100, 0x124].')],
  ['words that nobody knows', capped(37, 'computer says no')],
  ['a cap of one block', capped(1, 'eth_getLogs is limited to a 1 block range')],
])('behavior: reads everything from a node that rejects ranges with %s', async (_, reject) => {
  const chain = createScriptedNode()
  for (let i = 1; i < 300; i++) chain.add(i % 7 === 0 ? [mint(nft, i)] : [])
  await using server = await createRpcServer(reject(chain))
  await using over = openSource([server])
  const ids: number[] = []
  for (let from = 0n; from < 300n; ) {
    const { logs, to } = await over.source.logs({ address: nft, topics, from, to: 299n })
    ids.push(...logs.map((log) => Number(log.topics[1])))
    from = to + 1n
  }
  expect(ids).toEqual(Array.from({ length: 42 }, (_, i) => (i + 1) * 7))
})

/** Returns the widths of all eth_getLogs requests for a contract, in order. */
const requestedWidths = (server: RpcServer, contract = nft) =>
  server.calls('eth_getLogs').flatMap(({ params }) => {
    const { address, fromBlock, toBlock } = params[0] as { address: Hex; fromBlock?: Hex; toBlock?: Hex }
    return address === contract && fromBlock ? [Number(toBlock) - Number(fromBlock) + 1] : []
  })

const failing =
  (answer: unknown, contract: Hex | undefined, cap = 37) =>
  (chain: ScriptedNode) =>
    lying(chain, ({ method, params }) => {
      const { address, fromBlock, toBlock } = (params[0] ?? {}) as { address?: Hex; fromBlock?: Hex; toBlock?: Hex }
      if (method !== 'eth_getLogs' || (contract && address !== contract)) return undefined
      return Number(toBlock) - Number(fromBlock) + 1 > cap ? answer : undefined
    })

test.each<[string, unknown]>([
  ['502 pages', new RawAnswer(502, '<html>bad gateway</html>')],
  ['503 pages', new RawAnswer(503, 'service unavailable')],
  ['500 pages', new RawAnswer(500, 'oops')],
  ['cut bodies', new Cut(40)],
  ['cut connections', new Cut()],
  ['half a document', new RawAnswer(200, '[{"jsonrpc":"2.0","id":1,"resu')],
  ['words of overload', new RpcFailure(-32000, 'no backend is currently healthy to serve traffic')],
  ['an offer to pay', new RpcFailure(-32000, 'Request timeout on the free tier, please upgrade your plan')],
  ['another offer to pay', new RpcFailure(-32005, 'This query is for paid tier, please upgrade your plan')],
  ['an internal error', new RpcFailure(-32603, 'Internal error')],
  ['a read that timed out', new RpcFailure(-32000, 'query timeout exceeded')],
])('behavior: requests less where a node answers a wide range with %s', async (_, answer) => {
  const chain = createScriptedNode()
  for (let i = 1; i < 120; i++) chain.add(i % 7 === 0 ? [mint(nft, i)] : [])
  await using server = await createRpcServer(failing(answer, nft)(chain))
  await using over = openSource([server])
  let read = 0
  for (let from = 0n; from < 120n; ) {
    const { logs, to } = await over.source.logs({ address: nft, topics, from, to: 119n })
    read += logs.length
    from = to + 1n
  }
  expect(read).toBe(17)
  const rejected = requestedWidths(server).filter((width) => width > 37)
  expect(
    Math.max(
      ...Map.groupBy(rejected, (width) => width)
        .values()
        .map((same) => same.length),
    ),
  ).toBe(2)
})

test('behavior: a contract with heavy logs does not narrow the ranges of other contracts', async () => {
  const chain = createScriptedNode({ blocks: 100 })
  await using server = await createRpcServer(failing(new RpcFailure(-32000, 'query timeout exceeded'), nft)(chain))
  await using over = openSource([server])
  expect(await over.source.logs({ address: nft, topics, from: 0n, to: 99n })).toMatchObject({ to: 24n })
  expect(await over.source.logs({ address: other, topics, from: 0n, to: 99n })).toMatchObject({ to: 99n })
})

const recorded = new URL('../../../../../shared/data/evm/provider_errors.jsonl', import.meta.url)
type Rejected = { class: string; code?: number; message: string; data?: unknown }
const narrowing = new Set(['range_cap', 'result_cap', 'response_size', 'timeout', 'overload'])

test.skipIf(!existsSync(recorded))(
  'behavior: every recorded rejection of a range leads to a narrower one (skipped where the data is absent)',
  async () => {
    const lines = readFileSync(recorded, 'utf8').trim().split('\n')
    const rejections = lines.map((line) => JSON.parse(line) as Rejected).filter((line) => narrowing.has(line.class))
    expect(rejections.length).toBeGreaterThan(50)
    const chain = createScriptedNode({ blocks: 30 })
    chain.add([mint()])
    let rejection: RpcFailure | undefined
    const answer = (call: { method: string; params: readonly unknown[] }) => {
      const { fromBlock, toBlock } = (call.params[0] ?? {}) as { fromBlock?: Hex; toBlock?: Hex }
      return call.method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) >= 10 ? rejection : undefined
    }
    await using server = await createRpcServer(lying(chain, answer))
    for (const { code, message, data } of rejections) {
      rejection = new RpcFailure(code ?? -32000, message, data)
      await using over = openSource([server])
      let read = 0
      for (let from = 0n; from <= 30n; ) {
        const { logs, to } = await over.source.logs({ address: nft, topics, from, to: 30n })
        read += logs.length
        from = to + 1n
      }
      expect(read, message).toBe(1)
    }
  },
)

test('behavior: a node with a narrow cap does not slow down a node without one', async () => {
  const chain = createScriptedNode({ blocks: 500 })
  chain.add([mint()])
  await using narrow = await createRpcServer(capped(10, 'block range too large, max range: 10')(chain))
  await using wide = await createRpcServer(chain.handler())
  await using over = openSource([narrow, wide])
  expect(await over.source.logs({ address: nft, topics, from: 0n, to: 500n })).toMatchObject({ to: 500n })
  await wide.close()
  expect(await over.source.logs({ address: nft, topics, from: 491n, to: 500n })).toMatchObject({ to: 500n })
  expect(await over.source.logs({ address: nft, topics, from: 400n, to: 500n })).toMatchObject({ to: 409n })
})

test('error: the error quotes a node that rejects even one block and its receipts', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  for (let i = 0; i < 20; i++) chain.add([mint(nft, i)])
  await using server = await createRpcServer(
    lying(chain, ({ method }) => {
      if (method.includes('Receipt')) return new RpcFailure(-32601, 'Method not found')
      return method === 'eth_getLogs' ? new RpcFailure(-32000, 'computer says no') : undefined
    }),
  )
  await using over = openSource([server])
  await expect(over.source.logs({ address: nft, topics, from: 5n, to: 24n })).rejects.toMatchObject({
    code: 'LOG_RANGE',
    message: expect.stringContaining('computer says no'),
  })
})

test('error: a disabled method is not retried with narrower ranges', async () => {
  const chain = createScriptedNode({ blocks: 50 })
  await using server = await createRpcServer(capped(0, 'limit exceeded')(chain))
  await using over = openSource([server])
  await expect(over.source.logs({ address: nft, topics, from: 0n, to: 49n })).rejects.toMatchObject({
    class: 'method_disabled',
    retryable: false,
  })
  expect(server.calls('eth_getLogs')).toHaveLength(1)
})

test('behavior: an empty range is confirmed by another node', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  chain.add([mint()])
  while (chain.blocks.length < 3_000) chain.add()
  chain.finalized = 2_999
  await using liar = await createRpcServer(lying(chain, ({ method }) => (method === 'eth_getLogs' ? [] : undefined)))
  await using good = await createRpcServer(chain.handler())
  await using over = openSource([liar, good])
  const { logs } = await over.source.logs({ address: nft, topics, from: 0n, to: 100n })
  expect(logs).toEqual(chain.blocks[5]!.logs)
  expect(await over.omissions()).toEqual({ empty: 1 })
})

test('behavior: a lagging node is detected because it lacks the last block of the range', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  chain.add([mint()])
  chain.add([mint(nft, 2)])
  await using lagging = await createRpcServer(chain.handler({ head: () => 5 }))
  await using good = await createRpcServer(chain.handler())
  await using over = openSource([lagging, good])
  const { logs } = await over.source.logs({ address: nft, topics, from: 0n, to: 6n })
  expect(logs).toHaveLength(2)
  expect(await over.omissions()).toMatchObject({ lag: 1 })
})

test.each<[string, (logs: Record<string, unknown>[]) => unknown]>([
  ['of another block', (logs) => logs.map((log) => ({ ...log, blockNumber: '0xff' }))],
  ['of another address', (logs) => logs.map((log) => ({ ...log, address: other }))],
  ['of another topic', (logs) => logs.map((log) => ({ ...log, topics: [word(1), word(2)] }))],
  ['of two blocks of one number', (logs) => [...logs, { ...logs[0], logIndex: '0x9', blockHash: word(9) }]],
  ['of a block that is another one', (logs) => logs.map((log) => ({ ...log, blockHash: word(9) }))],
  ['that are none', () => 'none'],
])('behavior: logs %s are rejected and requested from another node', async (_, spoil) => {
  const chain = createScriptedNode({ blocks: 5 })
  chain.add([mint(), mint(nft, 2)])
  const truth = chain.handler()
  await using liar = await createRpcServer(async (call, exchange) => {
    const answer = await truth(call, exchange)
    return call.method === 'eth_getLogs' ? spoil(answer as Record<string, unknown>[]) : answer
  })
  await using good = await createRpcServer(truth)
  await using over = openSource([liar, good])
  const { logs } = await over.source.logs({ address: nft, topics, from: 0n, to: 5n })
  expect(logs).toEqual(chain.blocks[5]!.logs)
  expect(await over.omissions()).toEqual({ wrong_log: 1 })
  await using alone = openSource([liar])
  await expect(alone.source.logs({ address: nft, topics, from: 0n, to: 5n })).rejects.toMatchObject({
    code: 'INCONSISTENT_RESPONSE',
  })
  expect(alone.states()).toMatchObject([{ state: 'unreadable', fault: expect.stringMatching(/^eth_getLogs: \w/) }])
})

test('behavior: logs with fewer topics than the filter are skipped', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  chain.add([mint()])
  const truth = chain.handler()
  await using server = await createRpcServer(async (call, exchange) => {
    const answer = (await truth(call, exchange)) as Record<string, unknown>[]
    return call.method === 'eth_getLogs' ? [{ ...answer[0], topics: [transfer], logIndex: '0x7' }, ...answer] : answer
  })
  await using over = openSource([server])
  const { logs } = await over.source.logs({ address: nft, topics, from: 0n, to: 5n })
  expect(logs).toEqual(chain.blocks[5]!.logs)
  expect(await over.omissions()).toEqual({})
})

test('behavior: unordered and duplicate logs are sorted and deduplicated', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  chain.add([mint(), mint(nft, 2)])
  chain.add([mint(nft, 3)])
  const truth = chain.handler()
  await using server = await createRpcServer(async (call, exchange) => {
    const answer = await truth(call, exchange)
    return call.method === 'eth_getLogs' ? [...(answer as unknown[]), ...(answer as unknown[])].reverse() : answer
  })
  await using over = openSource([server])
  const { logs } = await over.source.logs({ address: nft, topics, from: 0n, to: 6n })
  expect(logs.map((log) => Number(log.topics[1]))).toEqual([1, 2, 3])
})

test('behavior: a log missing near the head is detected by the bloom and read from the receipts', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  for (let i = 0; i < 20; i++) chain.add([mint(nft, i)])
  await using server = await createRpcServer(
    lying(chain, async (call, exchange) =>
      call.method === 'eth_getLogs'
        ? ((await chain.handler()(call, exchange)) as { blockNumber: Hex }[]).filter((l) => Number(l.blockNumber) !== 9)
        : undefined,
    ),
  )
  await using over = openSource([server])
  const { logs } = await over.source.logs({ address: nft, topics, from: 0n, to: 24n })
  expect(logs.map((log) => Number(log.topics[1]))).toEqual(Array.from({ length: 20 }, (_, i) => i))
  expect(await over.omissions()).toEqual({ range_logs: 1 })
})

test('behavior: cached headers of undone blocks do not corrupt a range', async () => {
  const chain = createScriptedNode({ blocks: 20 })
  await using server = await createRpcServer(chain.handler())
  await using over = openSource([server])
  await over.source.logs({ address: nft, topics, from: 0n, to: 19n })
  chain.drop(5)
  for (let i = 0; i < 5; i++) chain.add([mint(nft, i)], 'fork')
  const { logs, toHash } = await over.source.logs({ address: nft, topics, from: 0n, to: 19n })
  expect(logs).toHaveLength(5)
  expect(toHash).toBe(chain.blocks[19]!.hash)
})
