import type { Hex } from '../../util/hex.ts'

/** Known facts of a file once all of it is written. `root`: of a snapshot with at least one row. */
export type FileSummary = { rows: number; root: Hex | null }

/** Makes the bytes of a file of batches of rows, which come as texts. */
export type FileText = {
  /** Text before the first row. */
  head: string | Uint8Array
  /** The rows of a batch as they are in the file; those of a binary file may come with a later batch. */
  write(batch: string): string | Uint8Array
  /** To be called once, after the last batch. `tail`: what is behind the rows. */
  finish(): FileSummary & { tail?: Uint8Array }
}

/** holders: a snapshot; tokens and transfers: exports. */
export type FileKind = 'holders' | 'tokens' | 'transfers'
