import type { InternalTransfer, RpcLog, RpcTransaction } from '../../chain/evm/rpc/rpc.ts'
import type { Hex } from '../../util/hex.ts'
import { type CompiledStream, judge, type Verdict } from './compileStream.ts'
import type { StreamIndex } from './createStreamIndex.ts'
import { UnmatchableError } from './unmatchableError.ts'

/** What of a block is matched. Lists that no stream needs may be empty. */
export type MatchedBlock = {
  number: bigint
  /** In order of their index. */
  logs: readonly RpcLog[]
  transactions: readonly RpcTransaction[]
  internalTransfers: readonly InternalTransfer[]
}

/** What a stream gets of a block: at least one list holds something. */
export type StreamMatch = {
  stream: CompiledStream
  logs: RpcLog[]
  /** Transactions that go into the webhook, by hash. */
  transactions: Set<Hex>
  internalTransfers: InternalTransfer[]
}

/** What of a block has to be read for the streams of an index. */
export type Needs = { logs: boolean; transactions: boolean; internalTransfers: boolean }

export function needsOf(streams: Iterable<CompiledStream | undefined>): Needs {
  const needs = { logs: false, transactions: false, internalTransfers: false }
  for (const stream of streams) {
    if (!stream) continue
    const { includeContractLogs, includeAllTxLogs, includeNativeTxs, includeInternalTxs } = stream.definition
    if (includeContractLogs || includeAllTxLogs) needs.logs = true
    if (includeNativeTxs) needs.transactions = true
    if (includeInternalTxs) needs.internalTransfers = true
  }
  return needs
}

/** Twelve zero bytes: what an address has before it in a topic. */
const padding = '0x000000000000000000000000'

/**
 * What every stream gets of a block, in the order of their slots. Looks up each address of the block once. Throws
 * UnmatchableError where the test of a stream fails on a log.
 */
export function match(index: StreamIndex, block: MatchedBlock): StreamMatch[] {
  const matches = new Map<number, StreamMatch>()
  /** Where the log at hand names an address of a slot: bit 0 the emitter, bit i its topic i. */
  const places = new Map<number, number>()

  function matchOf(slot: number): StreamMatch {
    let found = matches.get(slot)
    if (!found) {
      found = { stream: index.slots[slot]!, logs: [], transactions: new Set(), internalTransfers: [] }
      matches.set(slot, found)
    }
    return found
  }

  function note(address: string, bit: number): void {
    const slots = index.watching(address)
    if (slots === undefined) return
    if (typeof slots === 'number') places.set(slots, (places.get(slots) ?? 0) | bit)
    else for (const slot of slots) places.set(slot, (places.get(slot) ?? 0) | bit)
  }

  for (const log of block.logs) {
    note(log.address, 1)
    for (let i = 1; i < log.topics.length; i++) {
      const topic = log.topics[i]!
      if (topic.startsWith(padding)) note(`0x${topic.slice(26)}`, 1 << i)
    }
    for (const slot of index.all) places.set(slot, 1)
    if (places.size === 0) continue
    for (const [slot, bits] of places) {
      const stream = index.slots[slot]!
      if (!stream.definition.includeContractLogs || block.number < stream.fromBlock) continue
      const verdict = judgeFor(stream, log, bits)
      if (verdict === 'no') continue
      const own = matchOf(slot)
      own.logs.push(log)
      if (verdict === 'withTx') own.transactions.add(log.transactionHash)
    }
    places.clear()
  }

  function watchersOf(from: string, to: string | null): Iterable<number> {
    note(from, 1)
    if (to !== null) note(to, 1)
    for (const slot of index.all) places.set(slot, 1)
    if (places.size === 0) return []
    const slots = [...places.keys()]
    places.clear()
    return slots
  }

  for (const { hash, from, to } of block.transactions)
    for (const slot of watchersOf(from, to)) {
      const stream = index.slots[slot]!
      if (stream.definition.includeNativeTxs && block.number >= stream.fromBlock) matchOf(slot).transactions.add(hash)
    }
  for (const transfer of block.internalTransfers)
    for (const slot of watchersOf(transfer.from, transfer.to)) {
      const stream = index.slots[slot]!
      if (stream.definition.includeInternalTxs && block.number >= stream.fromBlock)
        matchOf(slot).internalTransfers.push(transfer)
    }

  for (const own of matches.values()) if (own.stream.definition.includeAllTxLogs) addAllLogs(own, block)
  return [...matches].sort(([a], [b]) => a - b).map(([, own]) => own)
}

function addAllLogs(own: StreamMatch, block: MatchedBlock): void {
  const hashes = new Set(own.transactions)
  for (const log of own.logs) hashes.add(log.transactionHash)
  for (const transfer of own.internalTransfers) hashes.add(transfer.transactionHash)
  own.logs = block.logs.filter((log) => hashes.has(log.transactionHash))
}

function judgeFor(stream: CompiledStream, log: RpcLog, places: number): Verdict {
  try {
    return judge(stream, log, places)
  } catch (cause) {
    throw new UnmatchableError({ streamId: stream.id, cause })
  }
}
