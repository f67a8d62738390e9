import type { ContractIdentity, ContractReader } from '../../chain/evm/contracts/contract.ts'
import { unindexedMeaning } from '../../chain/evm/contracts/unindexedMeaning.ts'
import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import { readTokenEvent } from '../../chain/evm/source/tokenEvents.ts'
import type { Address } from '../../util/hex.ts'
import type { TransferForm } from './decodeTransfers.ts'
import { zeroAddress } from './transfer.ts'

/** The form that ERC-165 tells; undefined where the contract tells no standard. */
export function formByIdentity(identity: ContractIdentity): TransferForm | undefined {
  const { standard } = identity
  if (!standard) return undefined
  return { standard, idInData: unindexedMeaning(identity) === 'tokenId' }
}

/**
 * The form that logs tell, in the order of the chain, where ERC-165 tells none: that of the earliest log of a token event; undefined where
 * there is no such log. Where that log is a Transfer that could be of coins, the contract is asked whether it has tokens with the ids
 * that these logs would name, or else those of `latestIds`, which have an owner now if they are of tokens: the former may all have been
 * burned since. `latestIds(true)` reads them anew. 'none': it has none. 'later': every token would be burned by now, so that only later logs
 * can tell.
 */
export async function formByLogs(
  logs: readonly RpcLog[],
  address: Address,
  {
    contracts,
    latestIds,
  }: {
    contracts: Pick<ContractReader, 'identify' | 'hasToken'>
    latestIds: (again?: boolean) => Promise<readonly bigint[]>
  },
  signal: AbortSignal,
): Promise<TransferForm | 'none' | 'later' | undefined> {
  for (const log of logs) {
    const event = readTokenEvent(log)
    if (event?.kind === 'multiTransfer') return { standard: 'ERC1155', idInData: false }
    if (event?.kind === 'consecutiveTransfer') return { standard: 'ERC721', idInData: false }
    if (event?.kind !== 'transfer') continue
    if (event.indexed === 3) return { standard: 'ERC721', idInData: false }
    const meaning = unindexedMeaning(await contracts.identify(address, signal))
    if (meaning === 'amount') return 'none'
    const form: TransferForm = { standard: 'ERC721', idInData: event.indexed === 2 }
    if (meaning === 'tokenId') return form
    const ids = lastIds(logs)
    if (ids.length > 0 && (await contracts.hasToken(address, ids, signal))) return form
    const latest = await latestIds()
    if (latest.length === 0) return 'later'
    if (await contracts.hasToken(address, latest, signal)) return form
    // All of them may have been burned between the two reads: only what still would have an owner shows that they are no tokens.
    const still = new Set(await latestIds(true))
    return latest.some((id) => still.has(id)) ? 'none' : 'later'
  }
  return undefined
}

/** At most 100 ids that logs would name if they were of tokens, without those that were burned since, the latest first. */
function lastIds(logs: readonly RpcLog[]): bigint[] {
  const ids = new Set<string>()
  const moved = new Set<string>()
  for (const log of logs.toReversed()) {
    const event = readTokenEvent(log)
    if (event?.kind !== 'transfer' || moved.has(event.value)) continue
    moved.add(event.value)
    if (event.to !== zeroAddress) ids.add(event.value)
    if (ids.size === 100) break
  }
  return [...ids].map((id) => BigInt(`0x${id}`))
}
