import type { Topics } from '../../chain/evm/source/source.ts'
import { tokenTopic } from '../../chain/evm/source/tokenEvents.ts'
import type { Hex } from '../../util/hex.ts'
import { type Holder, laterParties } from '../transfers/indexedLogs.ts'

/** Most wallets per request. If a node rejects that many, the number is halved, down to one. */
export const mostTogether = 32

/** A wallet as an indexed argument. */
export const topicOf = (wallet: Holder): Hex => `0x${wallet.padStart(64, '0')}`

/**
 * Topic filters that together find every log with four topics which moves tokens from or to one of the wallets. Four topics exclude Transfers of
 * coins, which have three.
 */
export function filtersOf(wallets: readonly Holder[]): Topics[] {
  const parties = wallets.map(topicOf)
  return [
    [[tokenTopic.transfer], parties, null, null],
    [[tokenTopic.transfer, ...laterParties], null, parties, null],
    [laterParties, null, null, parties],
  ]
}
