import type { Address, Hex } from '../util/hex.ts'
import type { CollectionState } from './query.ts'

/** How the rows of a file are written. */
export type FileFormat = (typeof fileFormats)[number]

export const fileFormats = ['csv', 'ndjson'] as const

/** Raised when the same rows are written in another way, so that no file of an older program is taken, neither from the disk nor by its ETag. */
export const fileLayout = 2

/** A file that is ready to be sent. Either `open` or `discard` is to be called, once. */
export type MadeFile<F> = {
  /** What is known of it. */
  facts: F
  bytes: number
  /** Its bytes; cancelling closes the file. */
  open(): ReadableStream<Uint8Array>
  discard(): void
}

/** What is known of a snapshot. `root`: of its Merkle tree; null where nobody holds anything, as there is no tree then. */
export type SnapshotFacts = { standard: CollectionState['standard'] | 'both'; holders: number; root: Hex | null }

/**
 * What is known of an export. The versions are those of the collection before and after it was read: where they are equal, all rows are
 * of one moment.
 */
export type ExportFacts = { tokens: number; version: string; endVersion: string }

type AskedFile = {
  chainId: bigint
  address: Address
  state: CollectionState
  format: FileFormat
  /** The key that asks; it has one file made at once. */
  keyId: bigint
}

/** Whole collections as files, which are made when they are first asked for and then kept. */
export type NftFiles = {
  /** The last block that is covered and no reorganisation can take away: its snapshot stays what it is. null: there is none. */
  finalBlock(chainId: bigint, state: CollectionState): Promise<bigint | null>
  /**
   * Everybody who held a token at the end of a block that is covered. undefined: the chain has another block of that number by now.
   * Throws TooManyRequestsError, and ConflictError where the file is too large or a Merkle tree cannot hold an amount.
   */
  snapshot(asked: AskedFile & { block: { number: bigint; hash: Hex } }): Promise<MadeFile<SnapshotFacts> | undefined>
  /** All tokens that are listed, with their metadata; of a collection that is not known yet none. Throws TooManyRequestsError, and ConflictError where the file is too large. */
  tokens(asked: Omit<AskedFile, 'state'> & { state: CollectionState | undefined }): Promise<MadeFile<ExportFacts>>
}
