import { expect, test } from 'vitest'
import {
  everything,
  headerOf,
  lying,
  mint,
  nft,
  type OpenSource,
  openSource,
  other,
  watch,
  word,
} from '../../../../test/evmSource.ts'
import { createRpcServer, RpcFailure, type RpcHandler } from '../../../../test/rpcServer.ts'
import { createScriptedNode, type ScriptedNode } from '../../../../test/scriptedNode.ts'

type Rewrite = (logs: unknown[]) => unknown[]

/** The chain's node with changed responses to eth_getLogs. */
const rewriting = (chain: ScriptedNode, rewrite: Rewrite) =>
  lying(chain, async (call, exchange) => {
    if (call.method !== 'eth_getLogs') return undefined
    return rewrite((await chain.handler()(call, exchange)) as unknown[])
  })

/** A block whose first log sets all bits of its bloom. */
function blockOfTwins() {
  const chain = createScriptedNode({ blocks: 5 })
  return { chain, block: chain.add([mint(), mint(), mint()]) }
}

const withoutLast: Rewrite = (logs) => logs.slice(0, -1)

test.each([
  ['some topics', watch(nft)],
  ['all topics', everything],
])('behavior: the last log of a block that a first answer with %s lacks comes with the second', async (_, wanted) => {
  const { chain, block } = blockOfTwins()
  let answers = 0
  const first: Rewrite = (logs) => (answers++ === 0 ? withoutLast(logs) : logs)
  await using lone = await createRpcServer(rewriting(chain, first))
  await using over = openSource([lone])
  expect(await over.source.blockLogs(await headerOf(over, 5), wanted)).toEqual(block.logs)
  expect(await over.omissions()).toEqual({ omitted: 1 })
  expect(lone.calls('eth_getLogs')).toHaveLength(2)
})

/** Runs `check` with a source of a lying and an honest node, whichever is first. */
async function withBothOrders(chain: ScriptedNode, rewrite: Rewrite, check: (over: OpenSource) => Promise<void>) {
  await using liar = await createRpcServer(rewriting(chain, rewrite))
  await using honest = await createRpcServer(chain.handler())
  for (const nodes of [
    [liar, honest],
    [honest, liar],
  ]) {
    await using over = openSource(nodes)
    await check(over)
  }
}

test('behavior: a node that always omits the last log of a block is corrected by another node and the receipts', async () => {
  const { chain, block } = blockOfTwins()
  await withBothOrders(chain, withoutLast, async (over) => {
    expect(await over.source.blockLogs(await headerOf(over, 5), watch(nft))).toEqual(block.logs)
    expect(await over.omissions()).toEqual({ omitted: 1 })
    const unreadable = over.states().filter(({ state }) => state === 'unreadable')
    expect(unreadable).toHaveLength(1)
  })
})

test.each<[string, Rewrite]>([
  [
    'of a transaction that is not in the block',
    (logs) => logs.map((log) => ({ ...(log as object), transactionHash: word(7) })),
  ],
  ['twice', (logs) => logs.flatMap((log, i) => [log, { ...(log as object), logIndex: `0x${(i + 9).toString(16)}` }])],
  ['with other data', (logs) => logs.map((log) => ({ ...(log as object), data: word(7) }))],
])('behavior: a node that returns logs %s is corrected by another node and the receipts', async (_, rewrite) => {
  const { chain, block } = blockOfTwins()
  await withBothOrders(chain, rewrite, async (over) => {
    expect(await over.source.blockLogs(await headerOf(over, 5), watch(nft))).toEqual(block.logs)
  })
})

test('behavior: logs that are not watched need no second answer', async () => {
  const { chain } = blockOfTwins()
  await using node = await createRpcServer(chain.handler())
  await using over = openSource([node])
  await over.source.blockLogs(await headerOf(over, 5), watch(other))
  expect(node.calls('eth_getLogs')).toHaveLength(1)
  await over.source.blockLogs(await headerOf(over, 5), { ...watch(other), parties: [word(1)] })
  expect(node.calls('eth_getLogs')).toHaveLength(3)
})

test('behavior: blocks far below the finalized one need no second answer', async () => {
  const { chain, block } = blockOfTwins()
  for (let i = 0; i < 1_100; i++) chain.add()
  chain.finalized = block.number + 1_024
  await using node = await createRpcServer(chain.handler())
  await using over = openSource([node])
  const header = await headerOf(over, block.number)
  await over.source.blockLogs(header, watch(nft))
  expect(node.calls('eth_getLogs')).toHaveLength(2)
  chain.finalized++
  await over.source.head()
  await over.source.blockLogs(header, watch(nft))
  expect(node.calls('eth_getLogs')).toHaveLength(3)
})

test.each<[string, (chain: ScriptedNode) => RpcHandler]>([
  ['lags', (chain) => chain.handler({ head: () => 4 })],
  [
    'does not respond',
    (chain) => lying(chain, ({ method }) => (method === 'eth_getLogs' ? new Promise(() => undefined) : undefined)),
  ],
  [
    'rejects the request',
    (chain) => lying(chain, ({ method }) => (method === 'eth_getLogs' ? new RpcFailure(-32000, 'oh no') : undefined)),
  ],
])('behavior: the first answer counts if the second node %s', async (_, handler) => {
  const { chain, block } = blockOfTwins()
  await using good = await createRpcServer(chain.handler())
  await using second = await createRpcServer(handler(chain))
  await using over = openSource([good, second])
  const header = await headerOf(over, 5)
  for (let i = 0; i < 3; i++) expect(await over.source.blockLogs(header, watch(nft))).toEqual(block.logs)
  expect(second.calls('eth_getLogs').length).toBeGreaterThan(0)
})

test('behavior: a lagging node without requests by hash returns no second answer', async () => {
  const { chain, block } = blockOfTwins()
  const byNumber = (head: number) => {
    const truth = chain.handler({ head: () => head })
    return createRpcServer((call, exchange) =>
      call.method === 'eth_getLogs' && 'blockHash' in (call.params[0] as object)
        ? new RpcFailure(-32602, 'unknown field blockHash')
        : truth(call, exchange),
    )
  }
  await using good = await byNumber(5)
  await using late = await byNumber(4)
  await using over = openSource([good, late])
  expect(await over.source.blockLogs(await headerOf(over, 5), watch(nft))).toEqual(block.logs)
  expect(await over.omissions()).toEqual({})
  expect(over.states().map(({ state }) => state)).not.toContain('unreadable')
})
