import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import { tokenTopic } from '../../chain/evm/source/tokenEvents.ts'
import type { Hex } from '../../util/hex.ts'
import type { TransferForm } from './decodeTransfers.ts'

/** An address as topics and transfers hold it: 40 hex digits, lower case, without 0x. */
export type Holder = string

const { transfer, consecutiveTransfer, transferSingle, transferBatch } = tokenTopic

/** Events with giver and receiver in the third and fourth topic; those of a Transfer are in the second and third. */
export const laterParties: readonly Hex[] = [consecutiveTransfer, transferSingle, transferBatch]

/**
 * How logs show transfers of contracts that nobody requested: a log with four topics moves tokens, whatever its contract is. A Transfer of coins has
 * three topics and the amount in its data.
 */
export const indexedForm: TransferForm = { standard: 'ERC1155', idInData: false }

/** Who gives and who gets the tokens of a log with four topics; of any other log nobody. */
export function partiesOf({ topics }: RpcLog): readonly Holder[] {
  const [event, second, third, fourth] = topics
  if (!fourth) return []
  if (event === transfer) return [holderIn(second!), holderIn(third!)]
  return event && laterParties.includes(event) ? [holderIn(third!), holderIn(fourth)] : []
}

const holderIn = (topic: Hex): Holder => topic.slice(26)
