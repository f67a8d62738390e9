import { toHex } from 'viem'
import { expect, test } from 'vitest'
import { everything, headerOf, mint, nft, openSource, other, topics, watch } from '../../../../test/evmSource.ts'
import { createRpcServer, RpcFailure, type RpcHandler } from '../../../../test/rpcServer.ts'
import { createScriptedNode, type ScriptedNode } from '../../../../test/scriptedNode.ts'

type Fields = Record<string, unknown>

/** Numbers a log as a node does. Logs stay in the order of the block. `place` is the correct place of the log. */
type Writing = (log: Fields, place: { transaction: number; inTransaction: number; inBlock: number }) => Fields

/** A node over the chain whose transactions have `perTransaction` logs each; `write` changes its logs, also in receipts. */
function countingNode(chain: ScriptedNode, perTransaction: number, write: Writing): RpcHandler {
  const truth = chain.handler()
  const written = (log: Fields): Fields => {
    const block = chain.blocks.find(({ hash }) => hash === log.blockHash)!
    const inBlock = Number(log.logIndex)
    const transaction = Math.floor(inBlock / perTransaction)
    const own = {
      ...log,
      transactionIndex: toHex(transaction),
      transactionHash: block.logs[transaction * perTransaction]!.transactionHash,
    }
    return write(own, { transaction, inTransaction: inBlock % perTransaction, inBlock })
  }
  return async (call, exchange) => {
    const answer = await truth(call, exchange)
    if (call.method === 'eth_getLogs' && Array.isArray(answer)) return answer.map(written)
    if (call.method.startsWith('eth_getBlockBy') && answer && !(answer instanceof RpcFailure)) {
      const { transactions, ...block } = answer as { transactions: unknown[] }
      return { ...block, transactions: transactions.filter((_, i) => i % perTransaction === 0) }
    }
    if (call.method !== 'eth_getBlockReceipts' || !Array.isArray(answer)) return answer
    const logs = (answer as { logs: Fields[] }[]).flatMap((receipt) => receipt.logs).map(written)
    const hashes = new Set(logs.map(({ transactionHash }) => transactionHash))
    return [...hashes].map((transactionHash) => ({
      transactionHash,
      blockHash: call.params[0],
      logs: logs.filter((log) => log.transactionHash === transactionHash),
    }))
  }
}

const writings: [what: string, write: Writing][] = [
  ['by transaction', (log, { inTransaction }) => ({ ...log, logIndex: toHex(inTransaction) })],
  ['by message', (log) => ({ ...log, logIndex: '0x0' })],
  ['all by one number', (log) => ({ ...log, logIndex: '0x7' })],
  ['by the block from 1', (log, { inBlock }) => ({ ...log, logIndex: toHex(inBlock + 1) })],
  ['with gaps', (log, { inBlock }) => ({ ...log, logIndex: toHex(inBlock * 2) })],
  ['through the chain', (log, { inBlock }) => ({ ...log, logIndex: toHex(2 ** 24 + inBlock) })],
  ['by the block', (log) => log],
]

const numbered = (logs: readonly { topics: readonly string[]; logIndex: string }[]) =>
  logs.map((log) => [Number(log.topics[1]), Number(log.logIndex)])

/** Three transactions of two logs: one of each contract. */
const threeTransactions = [1, 2, 3].flatMap((i) => [mint(other, 10 + i), mint(nft, i)])

test.each(writings)(
  'behavior: logs that a node numbers %s get their index in the block, read by range, by hash or whole',
  async (_, write) => {
    const chain = createScriptedNode({ blocks: 5 })
    chain.add(threeTransactions)
    chain.add([mint(other, 14), mint(other, 15), mint(other, 16), mint(nft, 4)])
    for (let i = 0; i < 3; i++) chain.add()
    const expected = [
      [1, 1],
      [2, 3],
      [3, 5],
      [4, 3],
    ]
    await using server = await createRpcServer(countingNode(chain, 2, write))
    // Each way comes first once, on a source that has learned nothing from another way.
    for (const first of ['range', 'hash', 'whole']) {
      await using over = openSource([server], { finalityDepth: 1 })
      const byRange = async () => numbered((await over.source.logs({ address: nft, topics, from: 0n, to: 9n })).logs)
      const byHash = async (options: Parameters<typeof over.source.blockLogs>[1] = watch(nft)) => {
        const found = await Promise.all(
          [5, 6].map(async (number) => over.source.blockLogs(await headerOf(over, number), options)),
        )
        return numbered(found.flat().filter((log) => log.address === nft))
      }
      const ways = { range: byRange, hash: () => byHash(), whole: () => byHash(everything) }
      const order = [first, ...Object.keys(ways), first] as (keyof typeof ways)[]
      for (const way of order) expect([first, way, await ways[way]()]).toEqual([first, way, expected])
    }
    await using over = openSource([server])
    const whole = await over.source.blockLogs(await headerOf(over, 5), everything)
    expect(whole.map(({ logIndex }) => Number(logIndex))).toEqual([0, 1, 2, 3, 4, 5])
    chain.drop(5)
    chain.add(threeTransactions, 'fork')
    const forked = await over.source.blockLogs(await headerOf(over, 5), watch(nft))
    expect(numbered(forked.filter((log) => log.address === nft))).toEqual(expected.slice(0, 3))
  },
)

test('behavior: equal logs of two messages are kept as two logs, as in the receipts', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  chain.add([mint(other), mint(nft, 1), mint(nft, 1), mint(nft, 2)])
  await using server = await createRpcServer(countingNode(chain, 4, (log) => ({ ...log, logIndex: '0x0' })))
  await using over = openSource([server])
  const { logs } = await over.source.logs({ address: nft, topics, from: 5n, to: 5n })
  expect(numbered(logs)).toEqual([
    [1, 1],
    [1, 2],
    [2, 3],
  ])
})

test('behavior: a node that numbers logs by block is checked once', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  for (let i = 0; i < 20; i++) chain.add([mint(other, 100 + i), mint(nft, i)])
  await using server = await createRpcServer(chain.handler())
  await using over = openSource([server], { finalityDepth: 1 })
  for (let number = 5; number < 25; number++) await over.source.blockLogs(await headerOf(over, number), watch(nft))
  await over.source.logs({ address: nft, topics, from: 0n, to: 24n })
  expect(server.calls('eth_getBlockReceipts')).toHaveLength(1)
})

test('behavior: the numbering of one endpoint is not assumed for another', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  chain.add(threeTransactions)
  chain.add([mint(other, 14), mint(other, 15), mint(other, 16), mint(nft, 4)])
  for (let i = 0; i < 3; i++) chain.add()
  const right = countingNode(chain, 2, (log) => log)
  let isUnreachable = false
  await using server = await createRpcServer((call, exchange) =>
    isUnreachable ? new RpcFailure(-32005, 'rate limit exceeded') : right(call, exchange),
  )
  const write: Writing = (log, { inTransaction }) => ({ ...log, logIndex: toHex(inTransaction) })
  await using second = await createRpcServer(countingNode(chain, 2, write))
  await using over = openSource([server, second], { finalityDepth: 1 })
  const range = { address: nft, topics, from: 6n, to: 9n }
  expect(numbered((await over.source.logs(range)).logs)).toEqual([[4, 3]])
  expect(server.calls('eth_getLogs')).not.toHaveLength(0)
  expect(second.calls('eth_getLogs')).toHaveLength(0)
  isUnreachable = true
  expect(numbered((await over.source.logs(range)).logs)).toEqual([[4, 3]])
  expect(second.calls('eth_getLogs')).not.toHaveLength(0)
})

test('behavior: a log of the first transaction gets its index once a later block shows how the node numbers', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  chain.add([mint(nft, 1), mint(other, 10)])
  chain.add([mint(other, 11), mint(other, 12), mint(other, 13), mint(nft, 2)])
  for (let i = 0; i < 3; i++) chain.add()
  await using server = await createRpcServer(
    countingNode(chain, 2, (log, { inBlock }) => ({ ...log, logIndex: toHex(inBlock + 1) })),
  )
  await using over = openSource([server], { finalityDepth: 1 })
  const { logs } = await over.source.logs({ address: nft, topics, from: 0n, to: 9n })
  expect(numbered(logs)).toEqual([
    [1, 0],
    [2, 3],
  ])
})

test('behavior: after one misnumbered block, whole blocks are read until enough of them are right', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  for (let i = 0; i < 30; i++) chain.add([mint(other, 100 + i), mint(nft, i)])
  const odd = chain.blocks[7]!.hash
  const write: Writing = (log) => (log.blockHash === odd ? { ...log, logIndex: '0x0' } : log)
  await using server = await createRpcServer(countingNode(chain, 1, write))
  await using over = openSource([server])
  for (let number = 5; number < 35; number++) {
    const logs = await over.source.blockLogs(await headerOf(over, number), watch(nft, other))
    expect(logs.map(({ logIndex }) => logIndex)).toEqual(['0x0', '0x1'])
  }
  expect(server.calls('eth_getBlockReceipts')).toHaveLength(1 + 1 + 8)
})

test('behavior: a node that has misnumbered logs stays untrusted after many inconclusive blocks', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  const several = [mint(other), mint(other), mint(nft, 1)]
  chain.add(several)
  // Each block has logs of only one transaction.
  for (let i = 0; i < 20; i++) chain.add([mint(nft, 100 + i)])
  chain.add(several)
  const write: Writing = (log) => ({ ...log, logIndex: '0x0' })
  await using server = await createRpcServer(countingNode(chain, 1, write))
  await using over = openSource([server], { finalityDepth: 1 })
  const shown = []
  for (let at = 5n; at < 27n; at++)
    shown.push(...numbered((await over.source.logs({ address: nft, topics, from: at, to: at })).logs))
  expect(shown.filter(([id]) => id === 1)).toEqual([
    [1, 2],
    [1, 2],
  ])
})

test('behavior: where no whole block is available, logs are numbered in the order given', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  chain.add(threeTransactions)
  const node = countingNode(chain, 2, (log) => ({ ...log, logIndex: '0x0' }))
  await using server = await createRpcServer((call, exchange) => {
    const isWhole = call.method === 'eth_getLogs' && !(call.params[0] as { topics?: unknown[] }).topics?.length
    return isWhole || call.method.includes('Receipt') ? new RpcFailure(-32601, 'no such method') : node(call, exchange)
  })
  await using over = openSource([server], { bloom: false })
  const { logs } = await over.source.logs({ address: nft, topics, from: 5n, to: 5n })
  expect(numbered(logs)).toEqual([
    [1, 0],
    [2, 1],
    [3, 2],
  ])
})

test('behavior: a log missing from a whole block despite its bloom is found by the gap in the indexes', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  chain.add([mint(other, 1), mint(nft, 2), mint(other, 1), mint(nft, 3)])
  const node = chain.handler()
  // The bloom has every bit of the omitted log.
  await using server = await createRpcServer(async (call, exchange) => {
    const answer = await node(call, exchange)
    return call.method === 'eth_getLogs' && Array.isArray(answer) ? answer.toSpliced(2, 1) : answer
  })
  await using over = openSource([server])
  const whole = await over.source.blockLogs(await headerOf(over, 5), everything)
  expect(numbered(whole)).toEqual([
    [1, 0],
    [2, 1],
    [1, 2],
    [3, 3],
  ])
})

test('behavior: logs of a block that the node rejects by range get their index in the block', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  chain.add(threeTransactions)
  const node = countingNode(chain, 2, (log, { inBlock }) => ({ ...log, logIndex: toHex(inBlock * 2) }))
  await using server = await createRpcServer((call, exchange) =>
    call.method === 'eth_getLogs' && (call.params[0] as Fields).address
      ? new RpcFailure(-32005, 'query returned more than 10000 results')
      : node(call, exchange),
  )
  await using over = openSource([server])
  const { logs } = await over.source.logs({ address: nft, topics, from: 5n, to: 5n })
  expect(numbered(logs)).toEqual([
    [1, 1],
    [2, 3],
    [3, 5],
  ])
})

test('behavior: logs from receipts do not show how a node numbers eth_getLogs', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  for (let i = 1; i <= 2; i++) chain.add([mint(other, 10 + i), mint(nft, i)])
  const node = countingNode(chain, 1, (log, { inTransaction }) => ({ ...log, logIndex: toHex(inTransaction) }))
  let isRejecting = true
  await using server = await createRpcServer((call, exchange) =>
    isRejecting && call.method === 'eth_getLogs'
      ? new RpcFailure(-32005, 'query returned more than 10000 results')
      : node(call, exchange),
  )
  await using over = openSource([server], { finalityDepth: 1 })
  const found = await over.source.blockLogs(await headerOf(over, 5), watch(nft))
  expect(numbered(found.filter((log) => log.address === nft))).toEqual([[1, 1]])
  isRejecting = false
  const { logs } = await over.source.logs({ address: nft, topics, from: 0n, to: 6n })
  expect(numbered(logs)).toEqual([
    [1, 1],
    [2, 1],
  ])
})
