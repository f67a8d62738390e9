import { stringify } from 'csv-stringify/sync'
import type { FileFormat } from '../fileQuery.ts'
import type { FileText } from './fileText.ts'
import { createParquetSheet, type ParquetColumn } from './parquetSheet.ts'

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
  const sheet = format === 'parquet' ? createParquetSheet([...columns, ['token_id_bytes', 'id']]) : undefined
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
