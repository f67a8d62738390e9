import type { Address } from '../../util/hex.ts'
import type { TransferForm } from './decodeTransfers.ts'
import { type Changes, reduceTransfers, type TokenChange } from './reduceTransfers.ts'
import { isErc1155, type Transfer } from './transfer.ts'

/** The keys of a collection's rows, and how its logs are read. */
export type CollectionKey = { partition: number; id: bigint; chainId: bigint; address: Address } & TransferForm

/** Transfers of one collection that are stored together, with what they come to. */
export type TransferGroup = {
  collection: CollectionKey
  /** Those of a block are neighbours. */
  transfers: readonly Transfer[]
  changes: Changes
  /** Some of the transfers are of the standard that the collection does not have. */
  hasOther: boolean
  /** Changed tokens that are probably new: those that have no row yet are inserted, which costs less than a merge. */
  minted: readonly TokenChange[]
}

/** Takes 2 µs a transfer, so it is made before a transaction where possible. */
export function transferGroup(collection: CollectionKey, transfers: readonly Transfer[]): TransferGroup {
  const changes = reduceTransfers(collection.address, transfers)
  const isOfPieces = collection.standard === 'ERC1155'
  const hasOther = transfers.some((transfer) => isErc1155(transfer) !== isOfPieces)
  return { collection, transfers, changes, hasOther, minted: [] }
}

/**
 * The same for a range of history, where many tokens are minted. An ERC-721 token whose first transfer is a mint is new, unless ranges come
 * out of order or the contract breaks the standard. ERC-1155 tokens are merged, with their balances.
 */
export function historyGroup(collection: CollectionKey, transfers: readonly Transfer[]): TransferGroup {
  const group = transferGroup(collection, transfers)
  const minted = group.changes.tokens.filter(({ minter, summed }) => minter !== null && !summed)
  return { ...group, minted }
}

export function byAddress<T extends { address: Address }>(collections: readonly T[]): Map<Address, T> {
  return new Map(collections.map((collection) => [collection.address, collection]))
}
