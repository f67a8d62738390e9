import type { Address, Hex } from '../util/hex.ts'
import type {
  CollectionState,
  HashRange,
  LeftOutCounts,
  OwnersOptions,
  OwnersPage,
  Page,
  PageOptions,
  RecordOptions,
} from './query.ts'

/** The end of a block, at which the state of a collection is requested. */
export type AsOf = {
  block: bigint
  /** The hash that the block had on the chain when it was looked up. */
  hash: Hex
  /** What is omitted from the collection up to the end of the block. */
  leftOut: LeftOutCounts
}

/** Blocks `first` to `last` of a collection's chain, at whose end its state is known; `last` null: that of none is known yet. */
export type KnownBlocks = { first: bigint; last: bigint | null }

/**
 * Reads the state of a collection as it was at the end of a block. `moved`: a reorganisation removed the block that was looked up, or the
 * collection restarted, so the block is to be looked up again.
 */
export type AsOfQuery = {
  /**
   * The block with this number, if the state at its end is known, else the range of blocks with a known state. Throws UnavailableError if only a
   * node knows the block's hash and none responds. `moved`: the collection has changed since `state`.
   */
  find(state: CollectionState, block: bigint): Promise<AsOf | KnownBlocks | 'moved'>
  /** A page may have fewer records than its limit and be followed by others, as one of `NftQuery`: `last` shows. */
  page(options: PageOptions & { asOf: AsOf }): Promise<Page | 'moved'>
  /** Tokens listed in a part of the collection; null: counting them takes too long. */
  count(state: CollectionState, range: HashRange, asOf: AsOf): Promise<number | null>
  /** One record as JSON text; undefined: the token was not listed. */
  token(
    options: { state: CollectionState; address: Address; tokenId: bigint; asOf: AsOf } & RecordOptions,
  ): Promise<Buffer | undefined | 'moved'>
  /** Owners of a token of an ERC-1155 cost what its transfers up to the block cost, on each page. */
  owners(options: OwnersOptions & { asOf: AsOf }): Promise<OwnersPage | 'moved'>
  /** Owners, one for each token; null: counting them takes too long. */
  countOwners(options: Pick<OwnersOptions, 'state' | 'address' | 'tokenId'> & { asOf: AsOf }): Promise<number | null>
}
