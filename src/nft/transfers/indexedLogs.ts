import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import { tokenTopic } from '../../chain/evm/source/tokenEvents.ts'
import type { Hex } from '../../util/hex.ts'

/** An address in topics and transfers: 40 hex digits, lower case, without 0x. */
export type Holder = string

const { transfer, consecutiveTransfer, transferSingle, transferBatch } = tokenTopic

/** Events with sender and recipient in the third and fourth topic; a Transfer has them in the second and third. */
export const laterParties: readonly Hex[] = [consecutiveTransfer, transferSingle, transferBatch]

/** Sender and recipient of a log with four topics, by its topics; none for other logs. */
export function partiesOf({ topics }: RpcLog): readonly Holder[] {
  const [event, second, third, fourth] = topics
  if (!fourth) return []
  if (event === transfer) return [holderIn(second!), holderIn(third!)]
  return event && laterParties.includes(event) ? [holderIn(third!), holderIn(fourth)] : []
}

/** Whether a wallet's topic filters find a log. */
export function isFoundByTopics(log: RpcLog): boolean {
  const [from, to] = partiesOf(log)
  return from?.length === holderDigits && to?.length === holderDigits
}

const holderDigits = 40
const padding = '0'.repeat(64 - holderDigits)

/** A topic whose first 12 bytes are not zero is not an address: a wallet's filters do not find it. */
const holderIn = (topic: Hex): Holder => (topic.startsWith(padding, 2) ? topic.slice(26) : topic.slice(2))
