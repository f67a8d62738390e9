import type { Address, Hex } from '../util/hex.ts'
import type {
  CollectionState,
  HashRange,
  OwnersOptions,
  OwnersPage,
  Page,
  PageOptions,
  RecordOptions,
  SkippedCounts,
} from './query.ts'

/** The block at whose end a state is requested. */
export type AsOf = {
  block: bigint
  /** Its hash when it was looked up. */
  hash: Hex
  /** Omissions of the collection up to the end of the block. */
  skipped: SkippedCounts
}

/** Blocks `first` to `last` of a collection's chain with a known state; `last` null: none yet. */
export type KnownBlocks = { first: bigint; last: bigint | null }

/**
 * Reads the state of a collection at the end of a block. `moved`: a reorg removed the block, or the collection
 * restarted, so the block must be looked up again.
 */
export type AsOfQuery = {
  /**
   * The block with this number if its state is known, else the range of known blocks. Throws UnavailableError if only a
   * node knows the block's hash and none responds. `moved`: the collection has changed since `state`.
   */
  find(state: CollectionState, block: bigint): Promise<AsOf | KnownBlocks | 'moved'>
  /** A page may be shorter than its limit although others follow, as in `NftQuery`; `last` shows that. */
  page(options: PageOptions & { asOf: AsOf }): Promise<Page | 'moved'>
  /** Number of listed tokens in a part of the collection; null: too slow to count. */
  count(state: CollectionState, range: HashRange, asOf: AsOf): Promise<number | null>
  /** One record as JSON text; undefined: the token was not listed. */
  token(
    options: { state: CollectionState; address: Address; tokenId: bigint; asOf: AsOf } & RecordOptions,
  ): Promise<Buffer | undefined | 'moved'>
  /** For an ERC-1155 token, the first page of a walk reads all its transfers up to the block. */
  owners(options: OwnersOptions & { asOf: AsOf }): Promise<OwnersPage | 'moved'>
  /** Number of owners, one per token; null: too slow to count. */
  countOwners(options: Pick<OwnersOptions, 'state' | 'address' | 'tokenId'> & { asOf: AsOf }): Promise<number | null>
}
