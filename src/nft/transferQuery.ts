import type { Address, Hex } from '../util/hex.ts'
import type { CollectionState, Records } from './query.ts'
import { lastPositionOf } from './transfers/position.ts'
import type { CoveredCollection, WholeWallet } from './walletQuery.ts'

/** Source of transfers: a contract, one of its tokens, a wallet, or all indexed contracts of a chain. */
export type TransferSource =
  | { of: 'contract'; chainId: bigint; state: CollectionState; address: Address; tokenId?: bigint }
  /** `only`: restricts to these collections. */
  | { of: 'wallet'; chainId: bigint; wallet: Address; only?: readonly CoveredCollection[] }
  /** All contracts, or some. */
  | {
      of: 'wholeWallet'
      chainId: bigint
      wallet: Address
      whole: WholeWallet
      contracts: readonly Address[] | null
    }
  /** `hash`: of the single block in the range; a block of that number with another hash is excluded. */
  | { of: 'chain'; chainId: bigint; hash?: Hex }

/** First and last block, inclusive; null: no bound. */
export type TransferRange = { from: bigint | null; to: bigint | null }

/** Place of a transfer in its chain: its position as digits (block number × 2^20 + log index), and its index in the log. */
export type TransferPlace = [position: string, item: number]

/** The place after all transfers of a block. */
export const endOfBlock = (block: bigint): TransferPlace => [String(lastPositionOf(block)), 2_147_483_647]

export type TransferOrder = 'ASC' | 'DESC'

/** Selects transfers by sender, recipient and the standard of their event; null: any. */
export type TransferFilter = {
  from: Address | null
  to: Address | null
  standard: 'ERC721' | 'ERC1155' | null
  /** Skips transfers of amount 0. */
  excludeZeroValue: boolean
}

export type TransferPageOptions = {
  source: TransferSource
  range: TransferRange
  order: TransferOrder
  /** The last transfer of the previous page; null on the first page. */
  after: TransferPlace | null
  limit: number
  /** Token ids in hex. */
  hex: boolean
  /** With `item`, the index of each transfer within its log; default false. */
  items?: boolean
  /** Default: all transfers. */
  filter?: TransferFilter | undefined
}

/**
 * `last`: where the next page begins, if more may follow, else null. A page with a filter, or of a wallet's transfers in some collections, may be
 * short or empty although others follow.
 */
export type TransferPage = { records: Records; count: number; last: TransferPlace | null }

export type TransferQuery = {
  /**
   * Transfers in chain order. Missing block times are read from nodes. Throws UnavailableError, and CollectionMovedError if the page is of another
   * block than the state of `source`.
   */
  page(options: TransferPageOptions): Promise<TransferPage>
  /** Number of transfers; null: above the count limit. */
  count(source: TransferSource, range: TransferRange): Promise<number | null>
  /**
   * The blocks between two times in milliseconds since 1970, inclusive; null: no bound. An end beyond the head stays open; a start beyond the head
   * yields no blocks. `to` is negative if all blocks are later. Throws UnavailableError.
   */
  blocksBetween(chainId: bigint, times: { from: number | null; to: number | null }): Promise<TransferRange>
  /** The block number of a hash; undefined: unknown, or undone by a reorg. Throws UnavailableError. */
  blockOf(chainId: bigint, hash: Hex): Promise<bigint | undefined>
  /** Symbols of contracts that are no collections. Requests their names if nobody did. */
  knownSymbols(
    chainId: bigint,
    contracts: readonly { address: Address; standard: 'ERC721' | 'ERC1155' }[],
  ): Promise<Map<Address, string | null>>
}
