import { hash } from 'node:crypto'
import type { RpcLog, RpcTransaction } from '../src/chain/evm/rpc/rpc.ts'
import type { LoadedStream } from '../src/stream/follow/createChainStreams.ts'
import { createChainStreams } from '../src/stream/follow/createChainStreams.ts'
import { matchBlocks } from '../src/stream/follow/matchBlocks.ts'
import type { Token, TokenReader } from '../src/stream/payload/tokenReader.ts'
import { definitionSchema } from '../src/stream/streamDefinition.ts'
import type { FollowedBlock } from '../src/sync/blockHandler.ts'
import type { Hex } from '../src/util/hex.ts'
import { answer, childInput, peakMegabytes } from './child.ts'
import { seededRandom } from './seededRandom.ts'

/** A process that only matches: its memory is the index, its time is matching and writing webhooks. */
export type MatcherInput = { streams: number; addresses: number; logs: number; blocks: number }
export type MatcherAnswer = { loadSeconds: number; blocksPerSecond: number; webhooks: number; megabytes: number }

const chainId = 1n
const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const swap = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67'
const random = seededRandom(7)

const input = childInput<MatcherInput>()
const pick = (end: number) => Math.floor(random() * end)
const digest = (text: string): string => hash('sha256', text)
const watched = (stream: number, n: number) => digest(`watched ${stream} ${n}`).slice(0, 40)
const stranger = () => digest(`stranger ${pick(500_000)}`).slice(0, 40)
const anyone = () =>
  random() < 0.02 ? watched(pick(input.streams), pick(input.addresses / input.streams)) : stranger()
const topic = (address: string): Hex => `0x${address.padStart(64, '0')}`

/** A quarter of the streams filter by value and a quarter want transactions. A quarter take every log that contains one of their addresses. */
function streamOf(i: number): LoadedStream {
  const definition = definitionSchema.parse({
    includeContractLogs: true,
    includeNativeTxs: i % 4 === 1,
    topic0: i % 4 === 3 ? [] : ['Transfer(address,address,uint256)'],
    abi: i % 4 === 3 ? [] : [transferAbi],
    advancedOptions: i % 4 === 2 ? [{ topic0: transferAbi.signature, filter: { gt: ['value', '1000'] } }] : [],
  })
  const own = Array.from({ length: input.addresses / input.streams }, (_, n) => Buffer.from(watched(i, n), 'hex'))
  const streamId = `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`
  return {
    place: { partition: i % 256, streamId, fromBlock: 0n, nextBlock: 0n, headFrom: 0n },
    shape: { active: true, tag: 'bench', chainIds: ['1'], definition },
    addresses: Buffer.concat(own),
    changes: [],
  }
}

const transferAbi = {
  type: 'event',
  name: 'Transfer',
  signature: 'Transfer(address,address,uint256)',
  inputs: [
    { name: 'from', type: 'address', indexed: true },
    { name: 'to', type: 'address', indexed: true },
    { name: 'value', type: 'uint256', indexed: false },
  ],
}

/** Of 200 logs about 130 are ERC-20 transfers, 15 NFT transfers and the others swaps. The block has 150 transactions. */
function blockOf(number: number): FollowedBlock {
  const blockHash: Hex = `0x${digest(`block ${number}`)}`
  const transactions = Array.from(
    { length: 150 },
    (_, i): RpcTransaction => ({
      hash: `0x${digest(`${blockHash} ${i}`)}`,
      blockHash,
      transactionIndex: `0x${i.toString(16)}`,
      from: `0x${anyone()}`,
      to: `0x${anyone()}`,
      value: '0xde0b6b3a7640000',
      gas: '0x5208',
      gasPrice: '0x3b9aca00',
      nonce: '0x7',
      input: '0x',
      type: '0x2',
      v: '0x1',
      r: `0x${'ab'.repeat(32)}`,
      s: `0x${'cd'.repeat(32)}`,
    }),
  )
  const logs = Array.from({ length: input.logs }, (_, i): RpcLog => {
    const kind = random()
    const parties = [topic(anyone()), topic(anyone())]
    const amount: Hex = `0x${pick(2 ** 31)
      .toString(16)
      .padStart(64, '0')}`
    return {
      address: `0x${random() < 0.01 ? anyone() : digest(`token ${pick(300)}`).slice(0, 40)}`,
      topics: kind < 0.65 ? [transfer, ...parties] : kind < 0.72 ? [transfer, ...parties, amount] : [swap, ...parties],
      data: kind < 0.65 ? amount : kind < 0.72 ? '0x' : `0x${'00'.repeat(160)}`,
      blockNumber: `0x${number.toString(16)}`,
      blockHash,
      transactionHash: transactions[pick(150)]!.hash,
      transactionIndex: '0x0',
      logIndex: `0x${i.toString(16)}`,
    }
  })
  const header = {
    number: BigInt(number),
    hash: blockHash,
    parentHash: blockHash,
    timestamp: 1_700_000_000n,
    logsBloom: null,
    transactionCount: 150,
  }
  const receipts = transactions.map((t) => ({
    transactionHash: t.hash,
    blockHash,
    cumulativeGasUsed: '0x5208' as Hex,
    gasUsed: '0x5208' as Hex,
    status: '0x1' as Hex,
  }))
  return {
    header,
    logs,
    undoable: true,
    transactions: async () => transactions,
    receipts: async () => receipts,
    internalTransfers: async () => [],
    balances: async () => [],
  }
}

const started = performance.now()
const streams = createChainStreams({ chainId })
for (let i = 0; i < input.streams; i++) streams.add(streamOf(i))
const loadSeconds = (performance.now() - started) / 1_000

const token: Token = { name: 'Token', symbol: 'TKN', decimals: 18, standard: undefined, unindexed: 'amount' }
const tokens: TokenReader = {
  read: async (contracts) => new Map([...contracts.keys()].map((address) => [address, token])),
  spamAmong: async () => new Set(),
}
/** The same blocks are matched repeatedly under other numbers, so that making blocks is not measured. */
const blocks = Array.from({ length: 128 }, (_, i) => blockOf(i))
let webhooks = 0
async function run(count: number): Promise<void> {
  for (let i = 0; i < count; i += 16) {
    const found = await matchBlocks({
      maxBytes: 5_000_000,
      streams,
      blocks: blocks.slice(i % 128, (i % 128) + 16),
      chainId,
      tokens,
      live: true,
    })
    for (const own of found) webhooks += own.length
  }
}
await run(256)
webhooks = 0
const matching = performance.now()
await run(input.blocks)
const seconds = (performance.now() - matching) / 1_000
answer({
  loadSeconds,
  blocksPerSecond: input.blocks / seconds,
  webhooks: webhooks / input.blocks,
  megabytes: peakMegabytes(process.pid),
} satisfies MatcherAnswer)
