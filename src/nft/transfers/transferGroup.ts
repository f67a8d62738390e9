import type { Address } from '../../util/hex.ts'
import type { TransferForm } from './decodeTransfers.ts'
import { type Changes, reduceTransfers, type TokenChange } from './reduceTransfers.ts'
import type { Transfer } from './transfer.ts'

/** A collection as its rows are keyed, and how its logs are read. */
export type CollectionKey = { partition: number; id: bigint; address: Address } & TransferForm

/** Transfers of one collection that are stored together, with what they come to. */
export type TransferGroup = {
  collection: CollectionKey
  transfers: readonly Transfer[]
  changes: Changes
  /** Those of the changed tokens that are inserted instead of merged, but where they are known already. */
  minted: readonly TokenChange[]
}

/** Costs 2 µs a transfer: done where it keeps no transaction waiting. */
export function transferGroup(collection: CollectionKey, transfers: readonly Transfer[]): TransferGroup {
  const changes = reduceTransfers(collection.address, collection.standard, transfers)
  return { collection, transfers, changes, minted: [] }
}

/**
 * The same for a range of history, which mints many. An ERC-721 token that the first of its transfers mints is new, but
 * where ranges come out of order or a contract is lawless.
 */
export function historyGroup(collection: CollectionKey, transfers: readonly Transfer[]): TransferGroup {
  const group = transferGroup(collection, transfers)
  const minted = collection.standard === 'ERC721' ? group.changes.tokens.filter((token) => token.minter !== null) : []
  return { ...group, minted }
}
