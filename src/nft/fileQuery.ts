import type { Address, Hex } from '../util/hex.ts'
import type { CollectionState } from './query.ts'

/** How the rows of a file are written. */
export type FileFormat = (typeof fileFormats)[number]

export const fileFormats = ['csv', 'ndjson', 'parquet'] as const

/** Raised when the same rows are written in another way, so that no file of an older program is taken, neither from the disk nor by its ETag. */
export const fileLayout = 3

/** A file that is ready to be sent. Either `open` or `discard` is to be called, once. */
export type MadeFile<F> = {
  /** Known facts of it. */
  facts: F
  bytes: number
  /** Its bytes, all or those from `from` to before `to`; cancelling closes the file. */
  open(part?: FilePart): ReadableStream<Uint8Array>
  discard(): void
}

export type FilePart = { from: number; to: number }

/** Known facts of a snapshot. `root`: of its Merkle tree; null if nobody holds anything, as there is no tree then. */
export type SnapshotFacts = { standard: CollectionState['standard'] | 'both'; holders: number; root: Hex | null }

/**
 * Known facts of an export. The versions are those of the collection before and after it was read: where they are equal, all rows are
 * of one moment.
 */
export type ExportFacts = { rows: number; version: string; endVersion: string }

/** That an address holds a token at the end of a block: the leaf of a snapshot, and its proof. */
export type SnapshotProof = {
  root: Hex
  leaf: Hex
  tokenId: string
  amount: string
  proof: Hex[]
  /** The first tokens of the address, at most 1,000; each has a leaf of its own. */
  tokenIds: string[]
}

type AskedFile = {
  chainId: bigint
  address: Address
  state: CollectionState
  format: FileFormat
  /** The key of the request; it may create one file at a time. */
  keyId: bigint
}

type AskedExport = Omit<AskedFile, 'state'> & { state: CollectionState | undefined }

/** Whole collections as files, which are made when they are first requested and then kept. */
export type NftFiles = {
  /** The last covered block that no reorganisation can remove: its snapshot stays what it is. null: there is none. */
  finalBlock(chainId: bigint, state: CollectionState): Promise<bigint | null>
  /**
   * Everybody who held a token at the end of a block that is covered. undefined: the chain has another block of that number by now.
   * Throws TooManyRequestsError, and ConflictError where the file is too large or a Merkle tree cannot hold an amount.
   */
  snapshot(asked: AskedFile & { block: { number: bigint; hash: Hex } }): Promise<MadeFile<SnapshotFacts> | undefined>
  /**
   * The proof of a holding in the snapshot of a block, which is made where it is not there yet. `tokenId` null: of the first token of the holder.
   * `proof` undefined: the holder did not have it. undefined: as for `snapshot`. Throws what `snapshot` throws.
   */
  prove(
    asked: Omit<AskedFile, 'format'> & {
      block: { number: bigint; hash: Hex }
      holder: Address
      tokenId: bigint | null
    },
  ): Promise<{ proof: SnapshotProof | undefined } | undefined>
  /** All tokens that are listed, with their metadata; of a collection that is not known yet none. Throws TooManyRequestsError, and ConflictError where the file is too large. */
  tokens(asked: AskedExport): Promise<MadeFile<ExportFacts>>
  /** All transfers that are covered, the earliest first; else as `tokens`. */
  transfers(asked: AskedExport): Promise<MadeFile<ExportFacts>>
}
