import type { Address, Hex } from '../util/hex.ts'
import type { CollectionState, Records } from './query.ts'
import { lastPositionOf } from './transfers/position.ts'
import type { CoveredCollection, WholeWallet } from './walletQuery.ts'

/** Whose transfers: those of a contract, of one of its tokens, of a wallet, or of all indexed contracts of a chain. */
export type TransferSource =
  | { of: 'contract'; chainId: bigint; state: CollectionState; address: Address; tokenId?: bigint }
  /** `only`: those of these collections. */
  | { of: 'wallet'; chainId: bigint; wallet: Address; only?: readonly CoveredCollection[] }
  /** Of all contracts, or of some. */
  | {
      of: 'wholeWallet'
      chainId: bigint
      wallet: Address
      whole: WholeWallet
      contracts: readonly Address[] | null
    }
  /** `hash`: that of the block which is the whole range; a block of that number with another one is none of it. */
  | { of: 'chain'; chainId: bigint; hash?: Hex }

/** The first and the last block, both included; null: no bound. */
export type TransferRange = { from: bigint | null; to: bigint | null }

/** Where a transfer is among all of its chain: its position in digits (block number × 2^20 + log index), and its place in the log. */
export type TransferPlace = [position: string, item: number]

/** The place behind all transfers of a block. */
export const endOfBlock = (block: bigint): TransferPlace => [String(lastPositionOf(block)), 2_147_483_647]

export type TransferOrder = 'ASC' | 'DESC'

export type TransferPageOptions = {
  source: TransferSource
  range: TransferRange
  order: TransferOrder
  /** The last transfer of the page before; null on the first page. */
  after: TransferPlace | null
  limit: number
  /** Token ids in hex. */
  hex: boolean
  /** With `item`, the place of each transfer within its log; false if omitted. */
  items?: boolean
}

/**
 * `last`: the place after which the next page begins, where more may follow, else null. A page of a wallet's transfers of some collections
 * may hold fewer than requested, even none, and another one follow.
 */
export type TransferPage = { records: Records; count: number; last: TransferPlace | null }

export type TransferQuery = {
  /**
   * Transfers in the order of the chain. Times of blocks that are not stored yet are read from the nodes. Throws UnavailableError, and
   * CollectionMovedError where the page is of another block than the state of `source`.
   */
  page(options: TransferPageOptions): Promise<TransferPage>
  /** How many transfers there are; null: more than are counted for a request. */
  count(source: TransferSource, range: TransferRange): Promise<number | null>
  /**
   * The blocks between two times in milliseconds since 1970, both included; null: no bound. An end that the head has not reached is left
   * open, and from a beginning that it has not reached on there is no block. `to` is below 0 if all blocks are later. Throws
   * UnavailableError.
   */
  blocksBetween(chainId: bigint, times: { from: number | null; to: number | null }): Promise<TransferRange>
  /** The number of a block by its hash; undefined: the chain has none, or a reorganisation undid it. Throws UnavailableError. */
  blockOf(chainId: bigint, hash: Hex): Promise<bigint | undefined>
}
