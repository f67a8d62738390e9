import { stringify } from 'csv-stringify/sync'
import type { Hex } from '../../util/hex.ts'
import type { FileFormat } from '../fileQuery.ts'
import { createParquetSheet, idBytesColumn, type ParquetColumn } from './parquetSheet.ts'

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

/**
 * Format of an export. A batch is a JSON list of records. `valuesOf`: values of the columns; Parquet has an additional
 * column with the token id as bytes. In CSV, null is an empty cell.
 *
 * A CSV cell that begins with = + - @, a tab or a carriage return gets an apostrophe, as a spreadsheet would run it.
 * Names and metadata are untrusted. JSON has such texts unchanged.
 */
export function createRecordText<Entry extends { token_id: string }>(
  format: FileFormat,
  columns: readonly ParquetColumn[],
  valuesOf: (record: Entry) => (string | number | boolean | null)[],
): FileText {
  const sheet = format === 'parquet' ? createParquetSheet([...columns, [idBytesColumn, 'id']]) : undefined
  const cellsOf = (record: Entry) => valuesOf(record).map((value) => (value === null ? '' : String(value)))
  let rows = 0
  return {
    head: sheet?.head ?? (format === 'csv' ? `${columns.map(([name]) => name).join(',')}\n` : ''),
    write(batch) {
      const records = JSON.parse(batch) as Entry[]
      rows += records.length
      if (format === 'ndjson') return records.map((record) => `${JSON.stringify(record)}\n`).join('')
      if (!sheet) return stringify(records.map(cellsOf), { escape_formulas: true })
      for (const record of records) sheet.add([...valuesOf(record), record.token_id])
      return sheet.take()
    },
    finish: () => ({ rows, root: null, ...(sheet && { tail: sheet.finish() }) }),
  }
}
