import type { Address } from '../util/hex.ts'
import type { AsOf } from './asOfQuery.ts'
import type { CollectionState } from './query.ts'

/** An address that holds tokens of a collection. */
export type HolderRow = {
  owner: Address
  /** Total amount of all its tokens, in decimal. */
  amount: string
  /** Number of different tokens. */
  tokens: number
}

/** Order of holders: `amount` descending, then address; or by address only. */
export type HolderOrder = 'amount' | 'address'

/** The holder before a page. */
export type HolderAfter = { amount: string; owner: Address }

/** A collection, now or at the end of a block. */
export type HoldersOf = { state: CollectionState; asOf: AsOf | null }

export type HolderPageOptions = HoldersOf & {
  order: HolderOrder
  /** null on the first page. */
  after: HolderAfter | null
  limit: number
  /** Lower bound of the amount. */
  minAmount: bigint
}

/** `last`: the holder before the next page; null: no next page. */
export type HolderRowsPage = {
  rows: HolderRow[]
  last: HolderAfter | null
  /** Number of holders with at least `minAmount`. */
  count: number
  /** Total amount of all holders of the collection, in decimal. */
  total: string
}

/** `texts`: addresses as JSON with commas between them, in parts. `last`: the one before the next page; null: no next page. */
export type HolderAddresses = { texts: readonly Buffer[]; last: Address | null; count: number }

/**
 * Holders with amounts by token, as a text. `;` separates holders. Each has the 40 digits of the address, a space, and
 * `id=amount` in decimal for each token, separated by `+`. JSON made of it contains none of these characters. Objects
 * of 50,000 holders would take 100 ms.
 */
export type HolderBalances = string

/**
 * Reads the holders of a collection. Throws CollectionMovedError if the rows are of another block than `state`;
 * `moved`: see `AsOfQuery`.
 */
export type HolderQuery = {
  page(options: HolderPageOptions): Promise<HolderRowsPage | 'moved'>
  /** Addresses only, in order. */
  addresses(options: HoldersOf & { after: Address | null; limit: number }): Promise<HolderAddresses | 'moved'>
  /**
   * Holders with their tokens, by address. A page has fewer than `limit` holders if they hold very many tokens, but at
   * least one if there is any. `count`: number of holders of the collection.
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
