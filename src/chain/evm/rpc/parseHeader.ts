import { hash32Of, quantityOf } from './normalForm.ts'
import type { Header, RpcHeader } from './rpc.ts'

/** The header of a block from a node; undefined if the answer is not a block. */
export function parseHeader(block: unknown): Header | undefined {
  if (typeof block !== 'object' || block === null) return undefined
  const { logsBloom, transactions, ...given } = block as RpcHeader
  const number = quantityOf(given.number)
  const hash = hash32Of(given.hash)
  const parentHash = hash32Of(given.parentHash)
  const timestamp = quantityOf(given.timestamp)
  if (number === undefined || hash === undefined || parentHash === undefined || timestamp === undefined)
    return undefined
  return {
    number: BigInt(number),
    hash,
    parentHash,
    timestamp: BigInt(timestamp),
    logsBloom: typeof logsBloom === 'string' ? logsBloom : null,
    transactionCount: Array.isArray(transactions) ? transactions.length : 0,
  }
}
