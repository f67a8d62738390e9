import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { RpcError } from '../../chain/evm/rpc/rpcError.ts'
import type { FollowedBlock } from '../../sync/blockHandler.ts'
import type { Hex } from '../../util/hex.ts'
import type { StreamChain } from '../definition/streamChain.ts'
import { definitionSchema } from '../streamDefinition.ts'
import { createChainStreams } from './createChainStreams.ts'
import { matchBlocks } from './matchBlocks.ts'

const tokens = { read: async () => new Map(), spamAmong: async () => new Set<Hex>() }
const hash: Hex = `0x${'2'.repeat(64)}`

/** Streams with these definitions, by id. */
function streamsOf(definitions: Record<string, object>) {
  const streams = createChainStreams({ chainId: 1n })
  for (const [id, definition] of Object.entries(definitions)) {
    const place = { partition: 0, streamId: id, fromBlock: 0n, nextBlock: 0n, headFrom: 0n } as unknown as StreamChain
    const shape = { active: true, chainIds: ['1'], tag: '', definition: definitionSchema.parse(definition) }
    streams.add({ place, shape, addresses: null, changes: [] })
  }
  return streams
}

function blockAt(number: bigint, parts: Partial<FollowedBlock>): FollowedBlock {
  const header = { number, hash, parentHash: hash, timestamp: 1n, logsBloom: null, transactionCount: 1 }
  const none = async () => []
  return {
    header,
    logs: [],
    undoable: true,
    transactions: none,
    receipts: none,
    internalTransfers: none,
    ...parts,
  } as FollowedBlock
}

const traced = { includeInternalTxs: true, allAddresses: true }
const match = (definitions: Record<string, object>, blocks: FollowedBlock[], live = true) =>
  matchBlocks({ streams: streamsOf(definitions), blocks, chainId: 1n, tokens, live, maxBytes: 1_000_000 })

test('error: all streams that need data that a node rejects are named, and no other', async () => {
  const options = { chain: 'local', endpoint: 'a', method: 'trace_block', class: 'unknown', detail: 'no' } as const
  const internalTransfers = () => Promise.reject(new RpcError(options))
  const definitions = { a: traced, b: { includeNativeTxs: true, allAddresses: true }, c: traced }
  await expect(match(definitions, [blockAt(1n, {}), blockAt(2n, { internalTransfers })])).rejects.toMatchObject({
    code: 'MISSING_DATA',
    streamIds: ['a', 'c'],
    lasts: false,
  })
})

test('behavior: at the head, reads have a time limit since the last one that ended; in history they have none', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const ends: (() => void)[] = []
  const internalTransfers = () => new Promise<[]>((resolve) => ends.push(() => resolve([])))
  const blocks = [1n, 2n, 3n].map((number) => blockAt(number, { internalTransfers }))
  const [live, past] = [match({ a: traced }, blocks), match({ a: traced }, blocks, false)]
  const outcome = live.catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(9_000)
  ends[0]!()
  await vi.advanceTimersByTimeAsync(9_000)
  ends[1]!()
  await vi.advanceTimersByTimeAsync(11_000)
  expect(await outcome).toMatchObject({ code: 'MISSING_DATA', streamIds: ['a'], lasts: true })
  for (const end of ends) end()
  expect(await past).toEqual([[], [], []])
})

test('behavior: the time limit of reads does not include other work, such as a slow database', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const after = <T>(ms: number, value: T) => new Promise<T>((resolve) => setTimeout(() => resolve(value), ms))
  const slow = { read: () => after(5_000, new Map()), spamAmong: () => after(11_000, new Set<Hex>()) }
  const definition = { includeContractLogs: true, allAddresses: true, filterPossibleSpam: true }
  const log = { address: `0x${'1'.repeat(40)}`, topics: [hash], data: '0x', transactionHash: hash }
  const blocks = [blockAt(1n, { logs: [{ ...log, logIndex: 0, transactionIndex: 0 }] as never })]
  const options = { streams: streamsOf({ a: definition }), blocks, chainId: 1n, live: true, maxBytes: 1_000_000 }
  const outcome = matchBlocks({ ...options, tokens: slow }).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await outcome).toMatchObject([[{ streamId: 'a' }]])
})

test('behavior: other work of the process runs while a block is written for many streams', async () => {
  const definition = { includeContractLogs: true, allAddresses: true }
  const definitions = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`s${i}`, definition]))
  const log = { address: `0x${'1'.repeat(40)}`, topics: [hash], data: '0x', transactionHash: hash }
  const logs = Array.from({ length: 300 }, (_, logIndex) => ({ ...log, logIndex, transactionIndex: 0 }))
  let slices = 0
  let over = false
  const others = (async () => {
    while (!over) {
      await setImmediate()
      slices++
    }
  })()
  const [webhooks] = await match(definitions, [blockAt(1n, { logs: logs as never })])
  over = true
  await others
  expect(webhooks).toHaveLength(300)
  expect(slices).toBeGreaterThan(10)
})
