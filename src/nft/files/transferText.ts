import type { FileFormat } from '../fileQuery.ts'
import type { ParquetColumn } from './parquetSheet.ts'
import type { FileText } from './recordText.ts'
import { createRecordText } from './recordText.ts'

/** Fields of a transfer record that are columns, with Parquet types. */
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

type TransferRow = Record<string, string | number | null> & { token_id: string }

/** Format of an export of transfers. A batch is a JSON list of records, as in the list of transfers. */
export function createTransferText(format: FileFormat): FileText {
  return createRecordText<TransferRow>(format, columns, (record) => columns.map(([name]) => record[name] ?? null))
}
