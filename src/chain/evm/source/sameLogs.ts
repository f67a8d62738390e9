import { quantity } from '../../../util/hex.ts'
import type { RpcLog } from '../rpc/rpc.ts'

/** What a log says and where it comes from, but for its number: nodes number the logs of one block differently. */
function contentOf({ transactionHash, address, topics, data }: RpcLog): string {
  return `${transactionHash} ${address} ${topics.join()} ${data}`
}

/** The logs of one block that `other` lacks; of logs that say the same as often as there are fewer of them. */
export function lackingIn(other: readonly RpcLog[], logs: readonly RpcLog[]): RpcLog[] {
  const counts = new Map<string, number>()
  for (const log of other) {
    const content = contentOf(log)
    counts.set(content, (counts.get(content) ?? 0) + 1)
  }
  return logs.filter((log) => {
    const content = contentOf(log)
    const left = counts.get(content) ?? 0
    counts.set(content, left - 1)
    return left <= 0
  })
}

/** Two lists hold the same logs of one block. */
export function sameLogs(a: readonly RpcLog[], b: readonly RpcLog[]): boolean {
  return a.length === b.length && lackingIn(a, b).length === 0
}

/** The logs of one block in their order; one of `beside` that came with the number of another gets one after the last. */
export function joinLogs(logs: readonly RpcLog[], beside: readonly RpcLog[]): RpcLog[] {
  const joined = [...logs]
  const taken = new Set(logs.map((entry) => Number(entry.logIndex)))
  // A block may hold more logs than a call takes arguments: no Math.max(...numbers).
  let free = 1 + logs.concat(beside).reduce((most, { logIndex }) => Math.max(most, Number(logIndex)), -1)
  for (const entry of beside)
    joined.push(taken.has(Number(entry.logIndex)) ? { ...entry, logIndex: quantity(free++) } : entry)
  return joined.sort((a, b) => Number(a.logIndex) - Number(b.logIndex))
}
