import type { Header, RpcHeader } from './rpc.ts'

const hash32 = /^0x[0-9a-f]{64}$/
/** Below 2^63, as tables hold no larger number. */
const quantityText = /^0x([0-9a-f]{1,15}|[0-7][0-9a-f]{15})$/

/** The header of a block as a node gives it; undefined where the answer is no block. */
export function parseHeader(block: unknown): Header | undefined {
  if (typeof block !== 'object' || block === null) return undefined
  const { number, hash, parentHash, timestamp, logsBloom, transactions } = block as RpcHeader
  if (!quantityText.test(number) || !hash32.test(hash) || !hash32.test(parentHash) || !quantityText.test(timestamp))
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
