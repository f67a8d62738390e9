import type { RpcLog } from '../rpc/rpc.ts'

/** Seconds since 1970 that a block of any chain may tell; the next power of ten would be milliseconds. */
const latest = 99_999_999_999

/**
 * The time of a log's block as the log tells it (ethereum/execution-apis#639), in seconds since 1970; null where it tells none, or
 * nothing that can be one: some nodes give 0 for a time that they do not know (ethereum/go-ethereum#32334), and some a number instead of
 * hex digits.
 */
export function blockTimeOf({ blockTimestamp }: RpcLog): number | null {
  if (typeof blockTimestamp !== 'string' && typeof blockTimestamp !== 'number') return null
  const seconds = Number(blockTimestamp)
  return Number.isInteger(seconds) && seconds > 0 && seconds <= latest ? seconds : null
}
