import type { Address } from '../util/hex.ts'
import type { AsOf } from './asOfQuery.ts'
import type { CollectionState } from './query.ts'

/** An address that holds tokens of a collection. */
export type HolderRow = {
  owner: Address
  /** Pieces of all of its tokens, in decimal digits. */
  amount: string
  /** Different tokens. */
  tokens: number
}

/** The holders of a collection: `amount` descending, then address; or by address alone. */
export type HolderOrder = 'amount' | 'address'

/** The holder after whom a page begins. */
export type HolderAfter = { amount: string; owner: Address }

/** Whose holders: those of a collection as it is now, or at the end of a block. */
export type HoldersOf = { state: CollectionState; asOf: AsOf | null }

export type HolderPageOptions = HoldersOf & {
  order: HolderOrder
  /** null on the first page. */
  after: HolderAfter | null
  limit: number
  /** Only holders of at least so many pieces. */
  minAmount: bigint
}

/** `last`: the holder after whom the next page begins; null: there is none. */
export type HolderRowsPage = {
  rows: HolderRow[]
  last: HolderAfter | null
  /** Holders of the collection with at least `minAmount` pieces. */
  count: number
  /** Pieces that all holders of the collection hold, in decimal digits. */
  total: string
}

/** `texts`: addresses as JSON texts with commas between them. `last`: the one after which the next page begins; null: there is none. */
export type HolderAddresses = { texts: string; last: Address | null; count: number }

/**
 * Holders with what they hold of each token, as a text: `;` between holders, each of them the 40 digits of the address, a space, and each token id with
 * the amount, `id=amount` in decimal digits, with `+` between them. None of these characters is in the JSON that may be made of it. Objects of 50,000
 * holders would take 100 ms.
 */
export type HolderBalances = string

/**
 * Reads who holds a collection. Throws CollectionMovedError if the rows are of another block than `state`; `moved`: see `AsOfQuery`.
 */
export type HolderQuery = {
  page(options: HolderPageOptions): Promise<HolderRowsPage | 'moved'>
  /** Addresses alone, in their order. */
  addresses(options: HoldersOf & { after: Address | null; limit: number }): Promise<HolderAddresses | 'moved'>
  /**
   * Holders with their tokens, by address. A page has fewer than `limit` where they hold very many tokens; at least one where there is one.
   * `count`: holders of the collection.
   */
  balances(
    options: HoldersOf & { after: Address | null; limit: number },
  ): Promise<{ holders: HolderBalances; last: Address | null; count: number } | 'moved'>
  /** The holders of one token, by address. */
  ofToken(options: {
    state: CollectionState
    address: Address
    tokenId: bigint
    after: Address | null
    limit: number
  }): Promise<{ owners: Address[]; last: Address | null }>
}
