import { AptosAnswerError } from './aptosError.ts'
import type { DecodedTransactions } from './decodeTransactions.ts'
import type { AptosBatch } from './source.ts'

/** The versions of the transactions in a message. */
export type Sent = { chainId: number; first: bigint; last: bigint }

/** The versions of a message; undefined if it has no transactions. */
export function sentOf({ chainId, first, last }: DecodedTransactions): Sent | undefined {
  return first === undefined || last === undefined ? undefined : { chainId, first: BigInt(first), last: BigInt(last) }
}

/**
 * The versions of a message from `next` on; undefined if it has none. Requests have no filter, so the stream must send every transaction. Only
 * versions without a gap count as read, whatever range the server reports. Throws AptosAnswerError if a version is missing.
 */
export function versionsFrom(
  message: DecodedTransactions,
  next: bigint,
  to: bigint | undefined,
): Omit<AptosBatch, 'head'> | undefined {
  const { processed, consecutive, chainId } = message
  const sent = sentOf(message)
  const { first, last } = sent ?? { first: next, last: next - 1n }
  if (!consecutive) throw new AptosAnswerError(`versions ${first} to ${last} came with gaps or out of order`)
  if (first > next) throw new AptosAnswerError(`version ${first} came where ${next} is the next`)
  if (processed && BigInt(processed.last) >= next && BigInt(processed.last) > last)
    throw new AptosAnswerError(
      `the server says that it went through version ${processed.last}, but sent none after ${last}`,
    )
  const end = to !== undefined && last > to ? to : last
  if (end < next) return undefined
  const transactions = message.transactions.filter(({ version }) => version >= next && version <= end)
  return { chainId, from: next, to: end, transactions }
}
