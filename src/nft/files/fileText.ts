import type { Hex } from '../../util/hex.ts'

/** Facts of a completely written file. `root`: of a snapshot with at least one row. */
export type FileSummary = { rows: number; root: Hex | null }

/** Serialises batches of rows, which are texts, into a file. */
export type FileText = {
  /** Text before the first row. */
  head: string | Uint8Array
  /** The rows of a batch in the file's format; a binary format may return them with a later batch. */
  write(batch: string): string | Uint8Array
  /** Must be called once, after the last batch. `tail`: bytes after the rows. */
  finish(): FileSummary & { tail?: Uint8Array }
}

/** holders: a snapshot; tokens and transfers: exports. */
export type FileKind = 'holders' | 'tokens' | 'transfers'
