import { quantity } from '../../../util/hex.ts'
import type { RpcLog } from '../rpc/rpc.ts'

/** Orders logs by block and log index. */
export function byPlace(a: RpcLog, b: RpcLog): number {
  return Number(a.blockNumber) - Number(b.blockNumber) || Number(a.logIndex) - Number(b.logIndex)
}

/** The content of a log and its transaction, without its index: nodes number the logs of one block differently. */
export function contentOf({ transactionHash, address, topics, data }: RpcLog): string {
  return `${transactionHash} ${address} ${topics.join()} ${data}`
}

/** Those of `logs`, of one block, that `other` lacks. Logs with equal content are counted. */
export function lackingIn(other: readonly RpcLog[], logs: readonly RpcLog[]): RpcLog[] {
  const counts = new Map<string, number>()
  for (const log of other) {
    const content = contentOf(log)
    counts.set(content, (counts.get(content) ?? 0) + 1)
  }
  return logs.filter((log) => {
    const content = contentOf(log)
    const remaining = counts.get(content) ?? 0
    counts.set(content, remaining - 1)
    return remaining <= 0
  })
}

/** Whether two lists have the same logs of one block, in any order and with any indexes. */
export function sameLogs(a: readonly RpcLog[], b: readonly RpcLog[]): boolean {
  return a.length === b.length && lackingIn(a, b).length === 0
}

/** Merges two lists of logs of one block, in order. A log of `beside` whose index is taken gets the next free one after the last. */
export function joinLogs(logs: readonly RpcLog[], beside: readonly RpcLog[]): RpcLog[] {
  const joined = [...logs]
  const taken = new Set(logs.map((entry) => Number(entry.logIndex)))
  // A block may have more logs than a call accepts arguments: no Math.max(...numbers).
  let free = 1 + logs.concat(beside).reduce((most, { logIndex }) => Math.max(most, Number(logIndex)), -1)
  for (const entry of beside)
    joined.push(taken.has(Number(entry.logIndex)) ? { ...entry, logIndex: quantity(free++) } : entry)
  return joined.sort(byPlace)
}

/**
 * All logs of a block, numbered by their order. A node that adds a log of no transaction of the block gives later logs higher indexes. They stay when
 * the block is settled without that log.
 */
export function numberedInOrder(whole: readonly RpcLog[]): RpcLog[] {
  return whole.map((entry, i) => ({ ...entry, logIndex: quantity(i) }))
}
