import type { Topics } from '../../chain/evm/source/source.ts'
import { tokenTopic } from '../../chain/evm/source/tokenEvents.ts'
import type { Hex } from '../../util/hex.ts'
import { type Holder, laterParties } from '../transfers/indexedLogs.ts'

/** Most wallets whose logs one request finds. A node that rejects so many gets half of them, in the end one. */
export const mostTogether = 32

/** A wallet as an indexed argument. */
export const topicOf = (wallet: Holder): Hex => `0x${wallet.padStart(64, '0')}`

/**
 * Each of these filters finds logs that others do not, and together they find every log with four topics that moves tokens from or to one of the
 * wallets. Four topics: Transfers of coins have three.
 */
export function filtersOf(wallets: readonly Holder[]): Topics[] {
  const parties = wallets.map(topicOf)
  return [
    [[tokenTopic.transfer], parties, null, null],
    [[tokenTopic.transfer, ...laterParties], null, parties, null],
    [laterParties, null, null, parties],
  ]
}
