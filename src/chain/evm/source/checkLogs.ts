import { type Address, type Hex, quantity } from '../../../util/hex.ts'
import type { RpcLog } from '../rpc/rpc.ts'
import { byPlace } from './sameLogs.ts'
import type { Topics } from './source.ts'

export type LogFilter = {
  /** Left out: any address. */
  address?: Address
  topics: Topics
  from: number
  to: number
  /** All logs must be of this block. */
  blockHash?: Hex
}

/**
 * Checks an answer of eth_getLogs against the question: says in words what is wrong with it, or gives undefined. A right answer
 * is changed in place: logs are put in order of (block, log index), and a log that came twice is dropped once. Logs with fewer topics
 * than `topics` has places are dropped too, as nodes differ in whether a null at the end asks for a topic (geth) or for nothing (anvil).
 */
export function checkLogs(answer: unknown, filter: LogFilter): string | undefined {
  if (!Array.isArray(answer)) return 'the answer is no list of logs'
  const logs = answer as RpcLog[]
  dropShort(logs, filter.topics.length)
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
    block = nextBlock
    index = nextIndex
    hash = log.blockHash
  }
  return inOrder ? undefined : sortLogs(logs)
}

function dropShort(logs: RpcLog[], places: number): void {
  const isShort = (log: RpcLog | null) => Array.isArray(log?.topics) && log.topics.length < places
  if (!logs.some(isShort)) return
  let kept = 0
  for (const log of logs) if (!isShort(log)) logs[kept++] = log
  logs.length = kept
}

/** Does for logs that were checked one by one what `checkLogs` does for an answer: sorts them, or says what is wrong. */
function sortLogs(logs: RpcLog[]): string | undefined {
  logs.sort(byPlace)
  let kept = 0
  for (const log of logs) {
    const last = kept > 0 ? logs[kept - 1]! : undefined
    if (last && last.blockNumber === log.blockNumber) {
      if (last.blockHash !== log.blockHash) return `logs of two blocks ${Number(log.blockNumber)}`
      // A log of an earlier transaction comes before this one, whatever its number says.
      if (Number(log.transactionIndex) < Number(last.transactionIndex)) return numberByBlock(logs)
      if (Number(last.logIndex) === Number(log.logIndex)) {
        if (isSame(last, log)) continue
        return isOfOther(last, log) ? numberByBlock(logs) : 'two logs with one index'
      }
    }
    logs[kept++] = log
  }
  logs.length = kept
  return undefined
}

/** Whether two logs of a block come from two transactions. */
function isOfOther(a: RpcLog, b: RpcLog): boolean {
  return a.transactionHash !== b.transactionHash && Number(a.transactionIndex) !== Number(b.transactionIndex)
}

/**
 * Numbers the logs of an answer through each block, in the order of their transactions: some nodes count those of each transaction
 * from 0 (cosmos/evm#1086, onflow/flow-evm-gateway#461).
 */
function numberByBlock(logs: RpcLog[]): string | undefined {
  const placeOf = (log: RpcLog) =>
    [Number(log.blockNumber), Number(log.transactionIndex), Number(log.logIndex)] as const
  logs.sort((a, b) => {
    const [x, y] = [placeOf(a), placeOf(b)]
    return x[0] - y[0] || x[1] - y[1] || x[2] - y[2]
  })
  const kept: RpcLog[] = []
  for (const log of logs) {
    const last = kept.at(-1)
    const [x, y] = last ? [placeOf(last), placeOf(log)] : []
    if (last && x && y && x.every((part, i) => part === y[i])) {
      if (!isSame(last, log)) return 'two logs with one index'
    } else kept.push(log)
  }
  let number = 0
  for (const [i, log] of kept.entries()) {
    number = i > 0 && kept[i - 1]!.blockNumber === log.blockNumber ? number + 1 : 0
    // The node's own number was needed until here.
    logs[i] = log
    log.logIndex = quantity(number)
  }
  logs.length = kept.length
  return undefined
}

/** Whether two logs are one that came twice: a log of another contract under the same index must not take its place. */
function isSame(a: RpcLog, b: RpcLog): boolean {
  return (
    a.address === b.address &&
    a.data === b.data &&
    a.transactionHash === b.transactionHash &&
    a.topics.length === b.topics.length &&
    a.topics.every((topic, i) => topic === b.topics[i])
  )
}

const lowerAddress = /^0x[0-9a-f]{40}$/
const hash32 = /^0x[0-9a-f]{64}$/
const hexData = /^0x(?:[0-9a-f]{2})*$/
const quantityText = /^0x[0-9a-f]{1,13}$/

function checkLog(log: RpcLog, filter: LogFilter): string | undefined {
  if (typeof log !== 'object' || log === null || !Array.isArray(log.topics)) return 'a log without topics'
  if (typeof log.data !== 'string' || !hexData.test(log.data)) return 'a log without data'
  if (log.removed === true) return 'a log that was removed'
  if (typeof log.address !== 'string' || !quantityText.test(log.blockNumber) || !quantityText.test(log.logIndex))
    return 'a log without address or position'
  if (!lowerAddress.test(log.address)) {
    log.address = log.address.toLowerCase() as Address
    if (!lowerAddress.test(log.address)) return 'a log whose address is not 20 bytes'
  }
  if (filter.address !== undefined && log.address !== filter.address) return `a log of another address, ${log.address}`
  const block = Number(log.blockNumber)
  if (block < filter.from || block > filter.to) return `a log of another block, ${block}`
  if (!hash32.test(log.blockHash) || !hash32.test(log.transactionHash)) return 'a log without hashes'
  if (filter.blockHash !== undefined && log.blockHash !== filter.blockHash) return 'a log of another block hash'
  for (const topic of log.topics) if (typeof topic !== 'string' || !hash32.test(topic)) return 'a topic that is no hash'
  return matchesTopics(log, filter.topics) ? undefined : 'a log with other topics'
}

/** Whether a log has these topics as eth_getLogs understands them: a null asks for any topic at its place. */
export function matchesTopics(log: RpcLog, topics: Topics): boolean {
  for (let i = 0; i < topics.length; i++) {
    const topic = log.topics[i]
    if (topic === undefined) return false
    const wanted = topics[i]
    if (wanted && !wanted.includes(topic)) return false
  }
  return true
}
