import type { ContractIdentity, ContractReader } from '../../chain/evm/contracts/contract.ts'
import { unindexedMeaning } from '../../chain/evm/contracts/unindexedMeaning.ts'
import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import { readTokenEvent } from '../../chain/evm/source/tokenEvents.ts'
import type { Address } from '../../util/hex.ts'
import type { TransferForm } from './decodeTransfers.ts'
import { zeroAddress } from './transfer.ts'

/** What ERC-165 says of a contract; undefined where it says nothing. */
export function formByIdentity(identity: ContractIdentity): TransferForm | undefined {
  const { standard } = identity
  if (!standard) return undefined
  return { standard, idInData: unindexedMeaning(identity) === 'tokenId' }
}

/**
 * What the earliest telling one of some logs says, where ERC-165 says nothing; undefined where none tells. Where that is a
 * Transfer that could be of coins, the contract is asked whether the logs name tokens of it: 'none' where they do not, and
 * 'later' where all that they would name was burned, so that only later logs can tell.
 */
export async function formByLogs(
  logs: readonly RpcLog[],
  address: Address,
  contracts: Pick<ContractReader, 'identify' | 'hasToken'>,
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
    const ids = lastIds(logs)
    if (meaning === undefined && ids.length === 0) return 'later'
    const named = meaning === 'tokenId' || (await contracts.hasToken(address, ids, signal))
    return named ? { standard: 'ERC721', idInData: event.indexed === 2 } : 'none'
  }
  return undefined
}

/** Ids that the last of some logs would name and that were not burned since, if these are of tokens: 100, the latest first. */
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
