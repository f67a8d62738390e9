import type { Address, Hex } from '../util/hex.ts'
import type { CollectionState } from './query.ts'

/** Format of a file's rows. */
export type FileFormat = (typeof fileFormats)[number]

export const fileFormats = ['csv', 'ndjson', 'parquet'] as const

/** Incremented when the format of rows changes, so that files and ETags of older programs are not reused. */
export const fileLayout = 3

/** A file ready to be sent. Exactly one of `open` and `discard` must be called, once. */
export type MadeFile<F> = {
  facts: F
  bytes: number
  /** Its bytes, all or from `from` to before `to`; cancelling closes the file. */
  open(part?: FilePart): ReadableStream<Uint8Array>
  discard(): void
}

export type FilePart = { from: number; to: number }

/** Facts of a snapshot. `root`: of its Merkle tree; null without holders, as there is no tree then. */
export type SnapshotFacts = { standard: CollectionState['standard'] | 'both'; holders: number; root: Hex | null }

/**
 * Facts of an export. The versions are those of the collection before and after the read: if they are equal, all rows
 * are of one moment.
 */
export type ExportFacts = { rows: number; version: string; endVersion: string }

/** A holding at the end of a block: the leaf of a snapshot with its proof. */
export type SnapshotProof = {
  root: Hex
  leaf: Hex
  tokenId: string
  amount: string
  proof: Hex[]
  /** The first tokens of the address, at most 1,000; each has its own leaf. */
  tokenIds: string[]
}

type RequestedFile = {
  chainId: bigint
  address: Address
  state: CollectionState
  format: FileFormat
  /** The key of the request; it may create one file at a time. */
  keyId: bigint
}

type RequestedExport = Omit<RequestedFile, 'state'> & { state: CollectionState | undefined }

/** Whole collections as files, created on the first request and then cached. */
export type NftFiles = {
  /** The last final covered block, whose snapshot never changes. null: none. */
  finalBlock(chainId: bigint, state: CollectionState): Promise<bigint | null>
  /**
   * All holders at the end of a covered block. undefined: a reorg replaced the block. Throws TooManyRequestsError, and
   * ConflictError if the file is too large or a Merkle tree cannot hold an amount.
   */
  snapshot(
    requested: RequestedFile & { block: { number: bigint; hash: Hex } },
  ): Promise<MadeFile<SnapshotFacts> | undefined>
  /**
   * The proof of a holding in the snapshot of a block, which is created if missing. `tokenId` null: the holder's first
   * token. `proof` undefined: no such holding. undefined and errors as for `snapshot`.
   */
  prove(
    requested: Omit<RequestedFile, 'format'> & {
      block: { number: bigint; hash: Hex }
      holder: Address
      tokenId: bigint | null
    },
  ): Promise<{ proof: SnapshotProof | undefined } | undefined>
  /**
   * All listed tokens with metadata; empty for an unknown collection. Throws TooManyRequestsError, and ConflictError if
   * the file is too large.
   */
  tokens(requested: RequestedExport): Promise<MadeFile<ExportFacts>>
  /** All covered transfers, earliest first; else as `tokens`. */
  transfers(requested: RequestedExport): Promise<MadeFile<ExportFacts>>
}
