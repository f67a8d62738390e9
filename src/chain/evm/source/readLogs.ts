import { type Address, type Hex, quantity } from '../../../util/hex.ts'
import { addressOf, dataOf, hash32Of, quantityOf } from '../rpc/normalForm.ts'
import type { RpcLog } from '../rpc/rpc.ts'
import { byPlace } from './sameLogs.ts'
import type { Topics } from './source.ts'

export type LogFilter = {
  /** Omitted: any address. */
  address?: Address
  topics: Topics
  from: number
  to: number
  /** All logs must be of this block. */
  blockHash?: Hex
}

/**
 * Reads an answer of eth_getLogs, or returns the error as text. Logs are in the order of (block, log index), without duplicates. Logs with fewer
 * topics than `topics` has places are dropped: for a null at the end some nodes require a topic (geth), others do not (anvil). Removed logs of a
 * reorganisation are dropped too (filecoin-project/lotus#12584). `onMisnumbered` is called for each block with impossible log indexes. Two logs share
 * one, their order is not that of the transactions, or one is higher than a block allows. Such logs are put in the order of their transactions and
 * numbered from 0.
 */
export function readLogs(
  answer: unknown,
  filter: LogFilter,
  onMisnumbered?: (block: number) => void,
): RpcLog[] | string {
  // Some nodes return null if nothing matches (smartbch/smartbch#67, onflow/flow-evm-gateway#695).
  if (answer === null) return []
  if (!Array.isArray(answer)) return 'the answer is not a list of logs'
  const logs = dropUseless(answer as RpcLog[], filter.topics.length)
  let block = -1
  let index = -1
  let hash: Hex | undefined
  let inOrder = true
  for (const log of logs) {
    const fault = checkLog(log, filter)
    if (fault) return fault
    const nextBlock = Number(log.blockNumber)
    const nextIndex = Number(log.logIndex)
    if (nextBlock === block) {
      if (log.blockHash !== hash) return `logs of two blocks ${block}`
      if (nextIndex <= index) inOrder = false
    } else if (nextBlock < block) inOrder = false
    if (nextIndex >= mostLogs) inOrder = false
    block = nextBlock
    index = nextIndex
    hash = log.blockHash
  }
  return inOrder ? logs : orderLogs(logs, onMisnumbered)
}

function dropUseless(logs: RpcLog[], places: number): RpcLog[] {
  const isUseless = (log: RpcLog | null) =>
    log?.removed === true || (Array.isArray(log?.topics) && log.topics.length < places)
  return logs.some(isUseless) ? logs.filter((log) => !isUseless(log)) : logs
}

/** Individually checked logs, in order; or the error as text. */
function orderLogs(logs: readonly RpcLog[], onMisnumbered?: (block: number) => void): RpcLog[] | string {
  const byBlock = new Map<number, RpcLog[]>()
  for (const log of logs) {
    const block = Number(log.blockNumber)
    const others = byBlock.get(block)
    if (!others) byBlock.set(block, [log])
    else if (others[0]!.blockHash !== log.blockHash) return `logs of two blocks ${block}`
    else others.push(log)
  }
  return [...byBlock.keys()]
    .sort((a, b) => a - b)
    .flatMap((block) => {
      const own = byBlock.get(block)!
      const ordered = orderedByIndex(own)
      if (ordered) return ordered
      onMisnumbered?.(block)
      return numberByOrder(own)
    })
}

/** The logs of a block by their indexes, without duplicates; undefined if the indexes are wrong. */
function orderedByIndex(logs: readonly RpcLog[]): RpcLog[] | undefined {
  const kept: RpcLog[] = []
  for (const log of logs.toSorted(byPlace)) {
    if (Number(log.logIndex) >= mostLogs) return undefined
    const last = kept.at(-1)
    if (last) {
      if (Number(log.transactionIndex) < Number(last.transactionIndex)) return undefined
      if (last.logIndex === log.logIndex) {
        if (isSame(last, log)) continue
        return undefined
      }
    }
    kept.push(log)
  }
  return kept
}

/**
 * Numbers the logs of a block from 0 in the order of their transactions; logs of one transaction keep their order. Some nodes count from 0 in each
 * transaction or message (cosmos/evm#1086, vechain/thor#1117), others return index 0 for all (ethereum/go-ethereum#1226).
 */
function numberByOrder(logs: readonly RpcLog[]): RpcLog[] {
  const kept: RpcLog[] = []
  const seen = new Map<string, RpcLog>()
  for (const log of logs.toSorted((a, b) => Number(a.transactionIndex) - Number(b.transactionIndex))) {
    const place = `${log.transactionHash} ${log.logIndex} ${log.address} ${log.topics.join()}`
    const before = seen.get(place)
    if (before && isSame(before, log)) continue
    seen.set(place, log)
    kept.push(log)
  }
  // The node's own index was needed up to here.
  for (const [i, log] of kept.entries()) log.logIndex = quantity(i)
  return kept
}

/** Whether one log was returned twice: a log of another contract with the same index must not replace it. */
function isSame(a: RpcLog, b: RpcLog): boolean {
  return (
    a.address === b.address &&
    a.data === b.data &&
    a.transactionHash === b.transactionHash &&
    a.topics.length === b.topics.length &&
    a.topics.every((topic, i) => topic === b.topics[i])
  )
}

/** More logs than any block can have: each costs at least 375 gas. */
const mostLogs = 2 ** 20

/** Normalizes a log, or returns the error as text. */
function checkLog(log: RpcLog, filter: LogFilter): string | undefined {
  if (typeof log !== 'object' || log === null) return 'a log without topics'
  // Some nodes return null as the topics of a log without topics (LOG0).
  log.topics ??= []
  if (!Array.isArray(log.topics)) return 'a log without topics'
  const data = dataOf(log.data)
  if (data === undefined) return 'a log without data'
  const blockNumber = quantityOf(log.blockNumber)
  const logIndex = quantityOf(log.logIndex)
  if (typeof log.address !== 'string' || !isExact(blockNumber) || !isExact(logIndex))
    return 'a log without address or position'
  const address = addressOf(log.address)
  if (address === undefined) return 'a log whose address is not 20 bytes'
  if (filter.address !== undefined && address !== filter.address) return `a log of another address, ${address}`
  const block = Number(blockNumber)
  if (block < filter.from || block > filter.to) return `a log of another block, ${block}`
  const blockHash = hash32Of(log.blockHash)
  const transactionHash = hash32Of(log.transactionHash)
  if (blockHash === undefined || transactionHash === undefined) return 'a log without hashes'
  if (filter.blockHash !== undefined && blockHash !== filter.blockHash) return 'a log of another block hash'
  for (let i = 0; i < log.topics.length; i++) {
    const topic = hash32Of(log.topics[i])
    if (topic === undefined) return 'a topic that is not a hash'
    log.topics[i] = topic
  }
  const transactionIndex = quantityOf(log.transactionIndex)
  if (transactionIndex !== undefined) log.transactionIndex = transactionIndex
  log.data = data
  log.address = address
  log.blockNumber = blockNumber
  log.logIndex = logIndex
  log.blockHash = blockHash
  log.transactionHash = transactionHash
  return matchesTopics(log, filter.topics) ? undefined : 'a log with other topics'
}

/** Whether a quantity is exact in a double: at most 13 digits. */
function isExact(value: Hex | undefined): value is Hex {
  return value !== undefined && value.length <= 15
}

/** Whether a log is of the requested contract, if any. */
export const isOfAddress = (log: RpcLog, { address }: { address?: Address }): boolean =>
  address === undefined || log.address === address

/** Whether a log has these topics as in eth_getLogs: a null requires any topic at its place. */
export function matchesTopics(log: RpcLog, topics: Topics): boolean {
  for (let i = 0; i < topics.length; i++) {
    const topic = log.topics[i]
    if (topic === undefined) return false
    const wanted = topics[i]
    if (wanted && !wanted.includes(topic)) return false
  }
  return true
}
