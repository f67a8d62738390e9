import { stringify } from 'csv-stringify/sync'
import type { FileFormat } from '../fileQuery.ts'
import type { FileText } from './fileText.ts'
import { createParquetSheet, type ParquetColumn } from './parquetSheet.ts'

/** Members of a record of a transfer that are columns, and their types in Parquet. */
const columns: readonly ParquetColumn[] = [
  ['block_number', 'int'],
  ['block_hash', 'text'],
  ['block_timestamp', 'time'],
  ['transaction_hash', 'text'],
  ['transaction_index', 'int'],
  ['log_index', 'int'],
  ['token_address', 'text'],
  ['token_id', 'text'],
  ['from_address', 'text'],
  ['to_address', 'text'],
  ['amount', 'text'],
  ['operator', 'text'],
  ['contract_type', 'text'],
]

const parquetColumns: readonly ParquetColumn[] = [...columns, ['token_id_bytes', 'id']]

type TransferRow = Record<string, string | number | null>

/** The text of an export of transfers. A batch is a JSON list of records as the list of transfers gives them. */
export function createTransferText(format: FileFormat): FileText {
  const sheet = format === 'parquet' ? createParquetSheet(parquetColumns) : undefined
  let rows = 0
  return {
    head: sheet?.head ?? (format === 'csv' ? `${columns.map(([name]) => name).join(',')}\n` : ''),
    write(batch) {
      const records = JSON.parse(batch) as TransferRow[]
      rows += records.length
      if (format === 'ndjson') return records.map((record) => `${JSON.stringify(record)}\n`).join('')
      if (!sheet) return stringify(records.map((record) => columns.map(([name]) => record[name] ?? '')))
      for (const record of records) sheet.add([...columns.map(([name]) => record[name] ?? null), record.token_id!])
      return sheet.take()
    },
    finish: () => ({ rows, root: null, ...(sheet && { tail: sheet.finish() }) }),
  }
}
