import type { Log } from '../../util/log.ts'
import type { LeftOut } from '../transfers/decodeTransfers.ts'

/** Tells the operator what was left out of a collection and why. */
export function warnLeftOut(
  log: Log,
  fields: { chain: string; collection: string },
  leftOut: readonly LeftOut[],
): void {
  for (const reason of ['wide', 'surplus'] as const) {
    const own = leftOut.filter((entry) => entry.reason === reason)
    const [first] = own
    if (!first) continue
    const transfers = String(own.reduce((sum, entry) => sum + entry.transfers, 0n))
    const why =
      reason === 'wide' ? 'logs that name too many tokens left out' : 'transfers beyond sync.maxTokens left out'
    log.warn({ ...fields, logs: own.length, transfers, first: `0x${first.transactionHash}` }, why)
  }
}
