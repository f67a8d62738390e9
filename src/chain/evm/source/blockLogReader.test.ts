import { expect, test } from 'vitest'
import {
  address,
  everything,
  headerOf,
  lying,
  mint,
  nft,
  openSource,
  other,
  topics,
  transfer,
  watch,
  word,
} from '../../../../test/evmSource.ts'
import { createRpcServer, RpcFailure, type RpcHandler } from '../../../../test/rpcServer.ts'
import { createScriptedNode, type ScriptedNode } from '../../../../test/scriptedNode.ts'
import type { Hex } from '../../../util/hex.ts'

test('default: reads the logs of a block by its hash', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  chain.add([mint(), { address: other, topics: [word(9)] }, mint(other, 2)])
  await using server = await createRpcServer(chain.handler())
  await using over = openSource([server])
  const logs = await over.source.blockLogs(await headerOf(over, 5), watch(nft))
  expect(logs.map((log) => log.logIndex)).toEqual(['0x0', '0x2'])
  // One whole block shows how the node numbers logs.
  await over.source.blockLogs(await headerOf(over, 5), watch(nft))
  expect(server.calls('eth_getBlockReceipts')).toHaveLength(1)
  expect(server.calls('eth_getLogs')[0]!.params).toEqual([{ blockHash: chain.blocks[5]!.hash, topics }])
})

test.each<[string, (logs: Record<string, unknown>[]) => unknown[]]>([
  ['nothing', () => []],
  ['all but the watched address', (logs) => logs.filter((log) => log.address !== nft)],
])('behavior: a node that returns %s of a block is corrected by the receipts', async (_, cut) => {
  const chain = createScriptedNode({ blocks: 5 })
  chain.add([mint(), mint(other, 2)])
  const truth = chain.handler()
  await using liar = await createRpcServer(async (call, exchange) => {
    const answer = await truth(call, exchange)
    return call.method === 'eth_getLogs' ? cut(answer as Record<string, unknown>[]) : answer
  })
  await using over = openSource([liar])
  expect(await over.source.blockLogs(await headerOf(over, 5), watch(nft))).toEqual(chain.blocks[5]!.logs)
  expect(await over.omissions()).toEqual({ omitted: 1 })
})

test('behavior: a false positive of the bloom is settled by the receipts as an empty block', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  chain.add([
    { address: nft, topics: [word(1)] },
    { address: other, topics: [transfer] },
  ])
  await using server = await createRpcServer(chain.handler())
  await using over = openSource([server])
  expect(await over.source.blockLogs(await headerOf(over, 5), watch(nft))).toEqual([])
  expect(server.calls('eth_getBlockReceipts')).toHaveLength(1)
  expect(await over.omissions()).toEqual({})
})

test('behavior: without block receipts, all logs of the block settle it', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  chain.add([mint(), mint(other, 2)])
  await using server = await createRpcServer(
    lying(chain, ({ method, params }) => {
      if (method === 'eth_getBlockReceipts') return new RpcFailure(-32601, 'Method not found')
      return method === 'eth_getLogs' && (params[0] as { topics?: unknown }).topics ? [] : undefined
    }),
  )
  await using over = openSource([server])
  expect(await over.source.blockLogs(await headerOf(over, 5), watch(nft))).toEqual(chain.blocks[5]!.logs)
})

test.each<[string, RpcHandler]>([
  [
    'too few receipts',
    ({ method }) => (method === 'eth_getBlockReceipts' || method === 'eth_getLogs' ? [] : undefined),
  ],
  [
    'no receipts',
    ({ method }) => (method === 'eth_getBlockReceipts' ? null : method === 'eth_getLogs' ? [] : undefined),
  ],
])('error: a block with %s stays unsettled until the node has them', async (_, lie) => {
  const chain = createScriptedNode({ blocks: 5 })
  chain.add([mint()])
  let honest = false
  await using server = await createRpcServer(
    lying(chain, (call, exchange) => {
      if (honest) return undefined
      return call.method === 'eth_getTransactionReceipt' ? null : lie(call, exchange)
    }),
  )
  await using over = openSource([server])
  const header = await headerOf(over, 5)
  await expect(over.source.blockLogs(header, watch(nft))).rejects.toMatchObject({
    code: 'BLOCK_UNSETTLED',
    retryable: true,
  })
  expect(await over.omissions()).toMatchObject({ unsettled: 1, receipts: 3 })
  honest = true
  expect(await over.source.blockLogs(header, watch(nft))).toEqual(chain.blocks[5]!.logs)
})

test('behavior: without block receipts and complete logs, the transaction receipts settle a block', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  chain.add([mint(), mint(other, 2)])
  await using server = await createRpcServer(
    lying(chain, ({ method }) => {
      if (method === 'eth_getBlockReceipts') return new RpcFailure(-32601, 'Method not found')
      return method === 'eth_getLogs' ? [] : undefined
    }),
  )
  await using over = openSource([server])
  expect(await over.source.blockLogs(await headerOf(over, 5), watch(nft))).toEqual(chain.blocks[5]!.logs)
})

test.each([
  ['results', 'query returned more than 10000 results'],
  ['bytes', 'backend response too large'],
  ['blocks', 'block range is too wide'],
  ['time', 'query timeout exceeded'],
  ['who knows what', 'computer says no'],
])('behavior: a block beyond a cap of %s is read from its receipts', async (_, message) => {
  const chain = createScriptedNode({ blocks: 5 })
  chain.add([mint(), mint(other, 2), { address: other, topics: [word(9)] }])
  await using server = await createRpcServer(
    lying(chain, ({ method }) => (method === 'eth_getLogs' ? new RpcFailure(-32000, message) : undefined)),
  )
  await using over = openSource([server])
  const header = await headerOf(over, 5)
  expect(await over.source.blockLogs(header, watch(nft))).toEqual(chain.blocks[5]!.logs.slice(0, 2))
  // The same applies to history, where one block is the narrowest range.
  const { logs, to, toHash } = await over.source.logs({ address: nft, topics, from: 5n, to: 5n })
  expect({ logs, to, toHash }).toEqual({ logs: chain.blocks[5]!.logs.slice(0, 1), to: 5n, toHash: header.hash })
})

test('behavior: receipts with extra logs that the bloom lacks settle a block', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  const block = chain.add([mint()])
  const extra = { ...block.logs[0], address: address(0x1010), logIndex: '0x1', transactionHash: word(5) }
  await using server = await createRpcServer(
    lying(chain, ({ method }) => {
      if (method === 'eth_getLogs') return []
      if (method !== 'eth_getBlockReceipts') return undefined
      return [block.logs[0], extra].map((log) => ({ blockHash: block.hash, logs: [log] }))
    }),
  )
  await using over = openSource([server])
  expect(await over.source.blockLogs(await headerOf(over, 5), watch(nft))).toHaveLength(2)
})

test('behavior: a chain without blooms is not rejected as inconsistent', async () => {
  const chain = createScriptedNode({ blocks: 5, blooms: false })
  chain.add([mint()])
  chain.add([{ address: other, topics: [word(9)] }])
  await using server = await createRpcServer(chain.handler())
  await using over = openSource([server])
  expect(await over.source.blockLogs(await headerOf(over, 5), watch(nft))).toHaveLength(1)
  expect(await over.source.blockLogs(await headerOf(over, 6), watch(nft))).toEqual([])
  expect(server.calls('eth_getBlockReceipts')).toEqual([])
  expect((await over.source.logs({ address: nft, topics, from: 0n, to: 6n })).logs).toHaveLength(1)
})

test('behavior: a node that does not accept a block hash is queried by number', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  chain.add([mint()])
  await using server = await createRpcServer(
    lying(chain, ({ method, params }) =>
      method === 'eth_getLogs' && (params[0] as { blockHash?: Hex }).blockHash
        ? new RpcFailure(-32602, 'invalid params: unknown field blockHash')
        : undefined,
    ),
  )
  await using over = openSource([server])
  const header = await headerOf(over, 5)
  for (let i = 0; i < 3; i++) expect(await over.source.blockLogs(header, watch(nft))).toEqual(chain.blocks[5]!.logs)
  expect(server.calls('eth_getLogs')).toHaveLength(1 + 3 * 2)
  chain.drop(1)
  chain.add([mint(nft, 7)], 'fork')
  await expect(over.source.blockLogs(header, watch(nft))).rejects.toMatchObject({ code: 'BLOCK_UNSETTLED' })
})

test('behavior: a block that one node does not know is requested from another', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  chain.add([mint()])
  await using lagging = await createRpcServer(chain.handler({ head: () => 4 }))
  await using good = await createRpcServer(chain.handler())
  await using over = openSource([good, lagging])
  const header = await headerOf(over, 5)
  await using reversed = openSource([lagging, good])
  expect(await reversed.source.blockLogs(header, watch(nft))).toHaveLength(1)
  await using alone = openSource([lagging])
  await expect(alone.source.blockLogs(header, watch(nft))).rejects.toMatchObject({ code: 'BLOCK_UNSETTLED' })
})

type Rewrite = (logs: Record<string, unknown>[]) => Record<string, unknown>[]

/** The chain's node with changed responses to eth_getLogs. */
const rewriting = (chain: ScriptedNode, rewrite: Rewrite) =>
  lying(chain, async (call, exchange) => {
    if (call.method !== 'eth_getLogs') return undefined
    return rewrite((await chain.handler()(call, exchange)) as Record<string, unknown>[])
  })

/** Inserts a log of another contract before each log, with the same transaction and index. */
const withForeignLogs: Rewrite = (logs) => logs.flatMap((log) => [{ ...log, address: address(0xcc) }, log])

test('behavior: foreign logs in a whole block do not shift the log indexes', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  const block = chain.add([mint(), mint(other, 2), { address: other, topics: [word(9)] }])
  await using server = await createRpcServer(rewriting(chain, withForeignLogs))
  await using over = openSource([server])
  expect(await over.source.blockLogs(await headerOf(over, 5), everything)).toEqual(block.logs)
})

test.each<[string, { wanted: typeof everything | ReturnType<typeof watch>; rewrite: Rewrite; expected: number[] }]>([
  [
    'with some topics',
    { wanted: watch(nft), rewrite: (logs) => logs.map((log) => ({ ...log, logIndex: '0x0' })), expected: [1, 2] },
  ],
  ['of all topics', { wanted: everything, rewrite: withForeignLogs, expected: [0, 1, 2] }],
])(
  'behavior: logs %s that only a second node of a chain without blooms returns get their indexes from the receipts',
  async (_, { wanted, rewrite, expected }) => {
    const chain = createScriptedNode({ blocks: 5, blooms: false })
    chain.add([mint(other), mint(nft)])
    const block = chain.add([{ address: other, topics: [word(9)] }, mint(nft, 3), mint(nft, 4)])
    await using empty = await createRpcServer(
      rewriting(chain, (logs) => logs.filter(({ blockHash }) => blockHash !== block.hash)),
    )
    await using second = await createRpcServer(rewriting(chain, rewrite))
    await using over = openSource([empty, second])
    // The first block proves that the log indexes of the first node are right.
    expect(await over.source.blockLogs(await headerOf(over, 5), watch(nft))).toHaveLength(2)
    const logs = await over.source.blockLogs(await headerOf(over, 6), wanted)
    expect(logs).toEqual(expected.map((index) => block.logs[index]))
  },
)

test('behavior: on a chain without blooms, receipts are read when no second node confirms an empty block', async () => {
  const chain = createScriptedNode({ blocks: 5, blooms: false })
  const block = chain.add([mint()])
  await using empty = await createRpcServer(rewriting(chain, () => []))
  await using second = await createRpcServer(
    lying(chain, ({ method }) => (method === 'eth_getLogs' ? new RpcFailure(-32000, 'response too large') : undefined)),
  )
  await using over = openSource([empty, second])
  expect(await over.source.blockLogs(await headerOf(over, 5), watch(nft))).toEqual(block.logs)
})
