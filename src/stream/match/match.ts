import type { InternalTransfer, RpcLog, RpcTransaction } from '../../chain/evm/rpc/rpc.ts'
import type { Address, Hex } from '../../util/hex.ts'
import { type CompiledStream, judge, type Verdict } from './compileStream.ts'
import type { StreamIndex } from './createStreamIndex.ts'
import { UnmatchableError } from './unmatchableError.ts'

/** The parts of a block to match. A list that no stream needs may be empty. */
export type MatchedBlock = {
  number: bigint
  /** In index order. */
  logs: readonly RpcLog[]
  transactions: readonly RpcTransaction[]
  internalTransfers: readonly InternalTransfer[]
}

/** Matches of a stream in a block. At least one of its lists is not empty. */
export type StreamMatch = {
  stream: CompiledStream
  logs: RpcLog[]
  /** Transactions of the webhook, by hash. */
  transactions: Set<Hex>
  internalTransfers: InternalTransfer[]
}

/** The parts of a block that streams need. */
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

const noSpam: ReadonlySet<Address> = new Set()

/** Twelve zero bytes, which precede an address in a topic. */
const padding = '0x000000000000000000000000'

/**
 * Matches a block with all streams, in slot order. Looks up each address of the block once. Throws UnmatchableError if
 * a stream's filter throws on a log. `spam`: contracts whose logs streams with `filterPossibleSpam` do not get.
 */
export function match(index: StreamIndex, block: MatchedBlock, spam: ReadonlySet<Address> = noSpam): StreamMatch[] {
  const matches = new Map<number, StreamMatch>()
  /** Places of a slot's addresses in the current log: bit 0 is the emitter, bit i topic i. */
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
      if (stream.definition.filterPossibleSpam && spam.has(log.address)) continue
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

  for (const own of matches.values()) if (own.stream.definition.includeAllTxLogs) addAllLogs(own, block, spam)
  return [...matches].sort(([a], [b]) => a - b).map(([, own]) => own)
}

/** Emitters of logs that streams with `filterPossibleSpam` got: only these are checked for spam. */
export function emittersToFilter(matches: readonly StreamMatch[]): Set<Address> {
  const filtered = matches.filter(({ stream }) => stream.definition.filterPossibleSpam)
  return new Set(filtered.flatMap(({ logs }) => logs.map(({ address }) => address)))
}

function addAllLogs(own: StreamMatch, block: MatchedBlock, spam: ReadonlySet<Address>): void {
  const { filterPossibleSpam } = own.stream.definition
  const hashes = new Set(own.transactions)
  for (const log of own.logs) hashes.add(log.transactionHash)
  for (const transfer of own.internalTransfers) hashes.add(transfer.transactionHash)
  own.logs = block.logs.filter(
    (log) => hashes.has(log.transactionHash) && !(filterPossibleSpam && spam.has(log.address)),
  )
}

/** `matches` without those in `reported`, matches of the same block and streams. Empty matches are omitted. */
export function withoutReported(matches: readonly StreamMatch[], reported: readonly StreamMatch[]): StreamMatch[] {
  const before = new Map(reported.map((one) => [one.stream.id, one]))
  return matches
    .map((own) => {
      const known = before.get(own.stream.id)
      if (!known) return own
      const [logs, transfers] = [new Set(known.logs), new Set(known.internalTransfers)]
      return {
        stream: own.stream,
        logs: own.logs.filter((log) => !logs.has(log)),
        transactions: new Set([...own.transactions].filter((hash) => !known.transactions.has(hash))),
        internalTransfers: own.internalTransfers.filter((transfer) => !transfers.has(transfer)),
      }
    })
    .filter((own) => own.logs.length + own.transactions.size + own.internalTransfers.length > 0)
}

function judgeFor(stream: CompiledStream, log: RpcLog, places: number): Verdict {
  try {
    return judge(stream, log, places)
  } catch (cause) {
    throw new UnmatchableError({ streamId: stream.id, cause })
  }
}
