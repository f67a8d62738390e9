import type { ContractIdentity, ContractReader } from '../../chain/evm/contracts/contract.ts'
import { unindexedMeaning } from '../../chain/evm/contracts/contract.ts'
import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import { readTokenEvent } from '../../chain/evm/source/tokenEvents.ts'
import type { Address, Hex } from '../../util/hex.ts'
import type { TransferForm } from './decodeTransfers.ts'
import { zeroAddress } from './transfer.ts'

/** The form by ERC-165; undefined if the contract reports no standard. */
export function formByIdentity(identity: ContractIdentity): TransferForm | undefined {
  const { standard } = identity
  if (!standard) return undefined
  return { standard, idInData: unindexedMeaning(identity) === 'tokenId' }
}

/** A log with an indexed token id shows its contract's standard without a query. */
function formOf(log: RpcLog): TransferForm | undefined {
  const event = readTokenEvent(log)
  if (event?.kind === 'multiTransfer') return { standard: 'ERC1155', idInData: false }
  if (event?.kind === 'consecutiveTransfer' || (event?.kind === 'transfer' && event.indexed === 3))
    return { standard: 'ERC721', idInData: false }
  return undefined
}

/** Whether a log may show the standard of a contract without a known one. `coins`: Transfers without an indexed token id are known to be of coins. */
export function mayShowStandard(log: RpcLog, coins: boolean): boolean {
  return formOf(log) !== undefined || (!coins && readTokenEvent(log)?.kind === 'transfer')
}

/** Ids with an owner at a block, if they are token ids. */
export type LatestIds = { ids: readonly bigint[]; block: { number: bigint; hash: Hex } }

export type FormOptions = {
  contracts: Pick<ContractReader, 'identify' | 'hasToken'>
  /** Undefined: the chain moved during the read. */
  latestIds: () => Promise<LatestIds | undefined>
  /** Whether a block is still followed. */
  isFollowed: (hash: Hex) => Promise<boolean>
  /** Transfers without an indexed token id are already known to be of coins. */
  coins?: boolean
}

/**
 * The form of a contract without ERC-165, by its earliest deciding log, and that log. `logs` are in chain order. Undefined: no log shows a form. A
 * Transfer without an indexed token id could be of coins, so the contract is queried for owners of the ids in these logs. All may be burned, so it is
 * also queried for `latestIds`, which have an owner at a block if they are tokens. If it returns none, these Transfers are of coins, and later logs
 * with an indexed id decide (ERC-404). 'coins': there is no such log. 'later': every token would be burned by now, so only later logs can decide.
 * 'moved': the chain changed meanwhile, so the contract must be queried again.
 */
export async function formByLogs(
  logs: readonly RpcLog[],
  address: Address,
  { coins = false, ...requested }: FormOptions,
  signal: AbortSignal,
): Promise<{ form: TransferForm; log: RpcLog } | 'coins' | 'later' | 'moved' | undefined> {
  const shown = logs.find((log) => mayShowStandard(log, coins))
  if (!shown) return undefined
  const form = formOf(shown)
  if (form) return { form, log: shown }
  const meaning = await unindexedMeaningOf(shown, logs, address, requested, signal)
  if (typeof meaning === 'object') return { form: meaning, log: shown }
  for (const log of logs) {
    const later = formOf(log)
    if (later) return { form: later, log }
  }
  return meaning
}

/** Meaning of a Transfer without an indexed token id. */
async function unindexedMeaningOf(
  log: RpcLog,
  logs: readonly RpcLog[],
  address: Address,
  { contracts, latestIds, isFollowed }: Omit<FormOptions, 'coins'>,
  signal: AbortSignal,
): Promise<TransferForm | 'coins' | 'later' | 'moved'> {
  const at = { since: BigInt(logs.at(-1)!.blockNumber), signal }
  const meaning = unindexedMeaning(await contracts.identify(address, at))
  if (meaning === 'amount') return 'coins'
  const event = readTokenEvent(log)
  const form: TransferForm = { standard: 'ERC721', idInData: event?.kind === 'transfer' && event.indexed === 2 }
  if (meaning === 'tokenId') return form
  const ids = lastIds(logs)
  if (ids.length > 0 && (await contracts.hasToken(address, ids, at))) return form
  const latest = await latestIds()
  if (!latest) return 'moved'
  const { block } = latest
  if (latest.ids.length === 0) return 'later'
  // At another block all of them may be burned; a lagging node, or one on a fork, may answer for such a block.
  if (await contracts.hasToken(address, latest.ids, { block: block.number, signal })) return form
  return (await isFollowed(block.hash)) ? 'coins' : 'moved'
}

/** At most 100 ids in logs, if they are token ids, without burned ones, latest first. */
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
