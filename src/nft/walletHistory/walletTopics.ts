import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { Topics } from '../../chain/evm/source/source.ts'
import { tokenTopic } from '../../chain/evm/source/tokenEvents.ts'
import type { Hex } from '../../util/hex.ts'
import type { TransferForm } from '../transfers/decodeTransfers.ts'

/** An address as topics and transfers hold it: 40 hex digits, lower case, without 0x. */
export type Holder = string

const { transfer, consecutiveTransfer, transferSingle, transferBatch } = tokenTopic

/** Events with giver and receiver in the third and fourth topic; those of a Transfer are in the second and third. */
const laterParties: readonly Hex[] = [consecutiveTransfer, transferSingle, transferBatch]

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
    [[transfer], parties, null, null],
    [[transfer, ...laterParties], null, parties, null],
    [laterParties, null, null, parties],
  ]
}

/** How the logs that the filters find show transfers: only such with four topics do. */
export const indexedForm: TransferForm = { standard: 'ERC1155', idInData: false }

/** Who gives and who gets the tokens of a log with four topics; of any other log nobody. */
export function partiesOf({ topics }: RpcLog): readonly Holder[] {
  const [event, second, third, fourth] = topics
  if (!fourth) return []
  if (event === transfer) return [holderIn(second!), holderIn(third!)]
  return event && laterParties.includes(event) ? [holderIn(third!), holderIn(fourth)] : []
}

const holderIn = (topic: Hex): Holder => topic.slice(26)
