import type { Hex } from '../../util/hex.ts'

/** What is known of a file once all of it is written. `root`: of a snapshot with at least one row. */
export type FileSummary = { rows: number; root: Hex | null }

/** Makes the text of a file of batches of rows, which come as texts too. */
export type FileText = {
  /** What stands before the first row. */
  head: string
  /** The rows of a batch as they stand in the file. */
  write(batch: string): string
  /** To be called once, after the last batch. */
  finish(): FileSummary
}

/** holders: a snapshot; tokens: an export. */
export type FileKind = 'holders' | 'tokens'
