import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
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
  watch,
  word,
} from '../../../../test/evmSource.ts'
import { createRpcServer, RpcFailure, type RpcHandler } from '../../../../test/rpcServer.ts'
import { createScriptedNode, type ScriptedNode } from '../../../../test/scriptedNode.ts'
import type { Hex } from '../../../util/hex.ts'
import { parseHeader } from '../rpc/parseHeader.ts'
import type { RpcLog } from '../rpc/rpc.ts'

const folder = new URL('../../../../../shared/data/evm/rpc/', import.meta.url)
const transfer: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

type Reply = { result?: unknown }
type Receipt = { blockHash: Hex; logs: RpcLog[] }

const results = (name: string): unknown[] =>
  gunzipSync(readFileSync(new URL(name, folder)))
    .toString()
    .trim()
    .split('\n')
    .flatMap((line) => [(JSON.parse(line) as { response: Reply | Reply[] }).response].flat())
    .map((reply) => reply.result)

test.skipIf(!existsSync(folder)).each([
  ['mainnet__eth_getBlockByHash.jsonl.gz', 'mainnet__eth_getBlockReceipts.jsonl.gz', 18_000_000n],
  ['mainnet__eth_getBlockByHash.jsonl.gz', 'mainnet__erigon_getBlockReceiptsByBlockHash.jsonl.gz', 17_000_000n],
  ['arb-sepolia__eth_getBlockByNumber.jsonl.gz', 'arb-sepolia__eth_getBlockReceipts.jsonl.gz', 185_232_421n],
])(
  'behavior: the receipts settle a recorded block of %s (skipped where the data is absent)',
  async (blocks, receipts, number) => {
    const header = results(blocks)
      .map(parseHeader)
      .find((found) => found?.number === number)!
    const known = (results(receipts) as (Receipt[] | undefined)[]).find((list) => list?.[0]?.blockHash === header.hash)!
    const expected = known.flatMap(({ logs }) => logs).filter(({ topics }) => topics[0] === transfer)
    expect(expected.length).toBeGreaterThan(10)
    let served = known
    await using server = await createRpcServer(({ method }) => {
      if (method === 'eth_chainId') return '0x7a69'
      return method === 'eth_getBlockReceipts' ? served : []
    })
    await using over = openSource([server])
    const options = { ...everything, topics: [[transfer]] }
    const logs = await over.source.blockLogs(header, options)
    expect(logs.map(({ logIndex }) => Number(logIndex))).toEqual(expected.map(({ logIndex }) => Number(logIndex)))

    // With one receipt less, or one log less than the bloom shows, the block stays unsettled.
    served = known.slice(1)
    await expect(over.source.blockLogs(header, options)).rejects.toMatchObject({ code: 'BLOCK_UNSETTLED' })
    const loudest = known.toSorted((a, b) => b.logs.length - a.logs.length)[0]!
    served = known.map((receipt) => (receipt === loudest ? { ...receipt, logs: [] } : receipt))
    await expect(over.source.blockLogs(header, options)).rejects.toMatchObject({ code: 'BLOCK_UNSETTLED' })
  },
)

const watching = watch(nft, other)

/** Block 5 has a transfer of `nft` and, by its bloom, one of `other` that only the receipts return. */
function twoTransfers(): { chain: ScriptedNode; beside: Record<string, unknown> } {
  const chain = createScriptedNode({ blocks: 5 })
  const block = chain.add([mint(), mint(other, 2)])
  return { chain, beside: { ...block.logs[0], topics: mint(nft, 7).topics, logIndex: '0x2' } }
}

/** eth_getLogs of block 5 returns its first log and one that no receipt has. */
const givesBeside =
  (chain: ScriptedNode, beside: Record<string, unknown>): RpcHandler =>
  ({ method }) =>
    method === 'eth_getLogs' ? [chain.blocks[5]!.logs[0], beside] : undefined

test('behavior: a log of a system transaction without a receipt is kept beside those of the receipts', async () => {
  const { chain, beside } = twoTransfers()
  const system = { ...beside, transactionHash: word(0x1010) }
  await using server = await createRpcServer(lying(chain, givesBeside(chain, system)))
  await using over = openSource([server])
  const logs = await over.source.blockLogs(await headerOf(over, 5), watching)
  expect(logs).toEqual([...chain.blocks[5]!.logs, system])
  expect(await over.omissions()).toEqual({ omitted: 1 })
})

test('behavior: a system log with the index of another log gets its own', async () => {
  const { chain, beside } = twoTransfers()
  const system = { ...beside, transactionHash: word(0x1010), logIndex: '0x1' }
  await using server = await createRpcServer(lying(chain, givesBeside(chain, system)))
  await using over = openSource([server])
  const logs = await over.source.blockLogs(await headerOf(over, 5), watching)
  expect(logs).toEqual([...chain.blocks[5]!.logs, { ...system, logIndex: '0x2' }])
})

test('behavior: a log missing from the receipt of its transaction is dropped and counted', async () => {
  const { chain, beside } = twoTransfers()
  await using server = await createRpcServer(lying(chain, givesBeside(chain, beside)))
  await using over = openSource([server])
  expect(await over.source.blockLogs(await headerOf(over, 5), watching)).toEqual(chain.blocks[5]!.logs)
  expect(await over.omissions()).toEqual({ omitted: 1, contradiction: 1 })
})

test('behavior: a log that the bloom excludes is dropped, though two nodes give it', async () => {
  const { chain, beside } = twoTransfers()
  await using first = await createRpcServer(lying(chain, givesBeside(chain, beside)))
  await using second = await createRpcServer(lying(chain, givesBeside(chain, beside)))
  await using over = openSource([first, second])
  for (const options of [watching, everything])
    expect(await over.source.blockLogs(await headerOf(over, 5), options)).toEqual(chain.blocks[5]!.logs)
  expect(await over.omissions()).toMatchObject({ contradiction: 2 })
})

test.each([
  ['kept where a second node gives it too', true],
  ['omitted where a second node lacks it too', false],
])('behavior: without a bloom, a log missing from the receipt of its transaction is %s', async (_, confirmed) => {
  const chain = createScriptedNode({ blocks: 5, blooms: false })
  const { logs } = chain.add([mint(), mint(other, 2)])
  const beside = { ...logs[1], address: address(0xbad) }
  const lie: RpcHandler = ({ method }) => (method === 'eth_getLogs' ? [...logs, beside] : undefined)
  await using first = await createRpcServer(lying(chain, lie))
  await using second = await createRpcServer(confirmed ? lying(chain, lie) : chain.handler())
  await using over = openSource([first, second])
  const found = await over.source.blockLogs(await headerOf(over, 5), everything)
  expect(found).toEqual(confirmed ? [...logs, { ...beside, logIndex: '0x2' }] : logs)
  expect(await over.omissions()).toMatchObject({ contradiction: 1 })
})

/** The chain with the bloom of block 5 changed. */
function withBloom(logsBloom: Hex): ScriptedNode {
  const chain = createScriptedNode({ blocks: 5 })
  chain.add([mint(), { address: other, topics: [word(9)] }]).logsBloom = logsBloom
  return chain
}

const allOnes: Hex = `0x${'ff'.repeat(256)}`
/** Matches every search, but is not all ones. */
const nearlyAllOnes: Hex = `0x${'ff'.repeat(255)}fe`

test('behavior: a bloom of all ones means a chain without blooms', async () => {
  const chain = withBloom(allOnes)
  chain.add().logsBloom = allOnes
  await using server = await createRpcServer(chain.handler())
  await using over = openSource([server])
  for (const options of [watching, everything]) {
    const expected = chain.blocks[5]!.logs.slice(0, options === everything ? 2 : 1)
    expect(await over.source.blockLogs(await headerOf(over, 5), options)).toEqual(expected)
    expect(await over.source.blockLogs(await headerOf(over, 6), options)).toEqual([])
  }
  expect((await over.source.logs({ address: nft, topics, from: 0n, to: 6n })).logs).toHaveLength(1)
  expect(server.calls('eth_getBlockReceipts')).toEqual([])
})

test('behavior: with bloom set to false no header bloom is compared with logs', async () => {
  const chain = withBloom(nearlyAllOnes)
  await using server = await createRpcServer(chain.handler())
  await using over = openSource([server], { bloom: false })
  expect(await over.source.blockLogs(await headerOf(over, 5), everything)).toEqual(chain.blocks[5]!.logs)
  expect((await over.source.logs({ address: address(0xcc), topics, from: 0n, to: 5n })).logs).toEqual([])
  expect(server.calls('eth_getBlockReceipts')).toEqual([])
  expect(await over.omissions()).toEqual({})
})

test.each<[string, RpcHandler]>([
  ['receipts and logs', () => undefined],
  [
    'receipts one by one and logs',
    ({ method }) => (method === 'eth_getBlockReceipts' ? new RpcFailure(-32601, 'Method not found') : undefined),
  ],
])('behavior: a wrong bloom does not stop the chain where %s of one node agree', async (_, lie) => {
  const chain = withBloom(nearlyAllOnes)
  await using server = await createRpcServer(lying(chain, lie))
  await using over = openSource([server])
  const { logs } = chain.blocks[5]!
  expect(await over.source.blockLogs(await headerOf(over, 5), everything)).toEqual(logs)
  expect(await over.source.blockLogs(await headerOf(over, 5), watching)).toEqual(logs.slice(0, 1))
  expect(await over.omissions()).toMatchObject({ wrong_bloom: 2 })
  expect((await over.source.logs({ address: other, topics, from: 0n, to: 5n })).logs).toEqual([])
})

test('behavior: a wrong bloom does not stop the chain where the logs of two nodes agree', async () => {
  const chain = withBloom(nearlyAllOnes)
  const noReceipts: RpcHandler = ({ method }) =>
    method.endsWith('Receipts') || method.endsWith('Receipt') ? new RpcFailure(-32601, 'Method not found') : undefined
  await using first = await createRpcServer(lying(chain, noReceipts))
  await using second = await createRpcServer(lying(chain, noReceipts))
  await using over = openSource([first, second])
  expect(await over.source.blockLogs(await headerOf(over, 5), everything)).toEqual(chain.blocks[5]!.logs)
  await using alone = openSource([first])
  await expect(alone.source.blockLogs(await headerOf(over, 5), everything)).rejects.toMatchObject({
    code: 'BLOCK_UNSETTLED',
  })
})

test('behavior: without block receipts, a foreign log in a block is dropped, and does not shift the indexes of the others', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  const { logs } = chain.add([mint(), mint(nft, 2)])
  const foreign = { ...logs[0], address: address(0xbad) }
  let isRejecting = false
  const lie: RpcHandler = ({ method }) => {
    if (method === 'eth_getBlockReceipts') return []
    if (method === 'eth_getLogs') return [logs[0], foreign, logs[1]]
    return isRejecting && method === 'eth_getTransactionReceipt' ? new RpcFailure(-32601, 'no') : undefined
  }
  await using server = await createRpcServer(lying(chain, lie))
  await using over = openSource([server])
  expect(await over.source.blockLogs(await headerOf(over, 5), watching)).toEqual(logs)
  isRejecting = true
  // Two nodes with the same foreign log do not confirm it.
  await using second = await createRpcServer(lying(chain, lie))
  await using both = openSource([server, second])
  for (const source of [over, both])
    await expect(source.source.blockLogs(await headerOf(source, 5), watching)).rejects.toMatchObject({
      code: 'BLOCK_UNSETTLED',
      message: expect.stringContaining('two logs of one index, of which the bloom lacks one'),
    })
})

test.each<[string, RpcHandler]>([
  ['receipts that are not of its transactions', ({ method }) => (method === 'eth_getBlockReceipts' ? 'others' : [])],
  ['receipts whose logs are texts', ({ method }) => (method === 'eth_getBlockReceipts' ? 'texts' : [])],
  ['nothing but empty lists of logs', ({ method }) => (method === 'eth_getLogs' ? [] : new RpcFailure(-32601, 'no'))],
])('error: a bloom is not overruled by %s', async (_, answer) => {
  const chain = withBloom(nearlyAllOnes)
  const block = chain.blocks[5]!
  const others = [1, 2].map((n) => ({ blockHash: block.hash, transactionHash: word(n), logs: [] }))
  const lie: RpcHandler = (call, exchange) => {
    if (call.method.startsWith('eth_getBlockBy')) return undefined
    const given = answer(call, exchange)
    if (given === 'texts') return others.map((receipt) => ({ ...receipt, logs: ['0x', '0x'] }))
    return given === 'others' ? others : given
  }
  const handler = lying(chain, (call, exchange) => (call.method === 'eth_chainId' ? undefined : lie(call, exchange)))
  await using first = await createRpcServer(handler)
  await using second = await createRpcServer(handler)
  await using over = openSource([first, second])
  await expect(over.source.blockLogs(await headerOf(over, 5), everything)).rejects.toMatchObject({
    code: 'BLOCK_UNSETTLED',
  })
})
