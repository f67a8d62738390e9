import type { FileFormat } from '../fileQuery.ts'
import type { FileText } from './fileText.ts'
import type { ParquetColumn, ParquetType } from './parquetSheet.ts'
import { createRecordText } from './recordText.ts'

/** Members of a record that are columns of the CSV file under the same name. */
const recordColumns = [
  'token_address',
  'token_id',
  'token_hash',
  'owner_of',
  'minter_address',
  'amount',
  'contract_type',
  'block_number',
  'block_number_minted',
  'name',
  'symbol',
  'possible_spam',
  'verified_collection',
  'token_uri',
  'last_token_uri_sync',
  'last_metadata_sync',
  'metadata',
] as const

/** Members of the normalised metadata that are columns under the same name with `metadata_` before it. */
const metadataColumns = ['name', 'description', 'image', 'animation_url', 'external_url', 'attributes'] as const

/** The columns of an export in CSV. */
export const tokenColumns: readonly string[] = [...recordColumns, ...metadataColumns.map((name) => `metadata_${name}`)]

/** Types of columns in Parquet that are not text. */
const parquetTypes: Record<string, ParquetType> = {
  ...{ block_number: 'int', block_number_minted: 'int', possible_spam: 'flag', verified_collection: 'flag' },
  ...{ last_token_uri_sync: 'time', last_metadata_sync: 'time' },
}

const columns: readonly ParquetColumn[] = tokenColumns.map((name) => [name, parquetTypes[name] ?? 'text'])

type TokenRecord = Record<string, unknown> & { token_id: string; normalized_metadata: Record<string, unknown> | null }

/** The text of an export. A batch is a JSON list of records as the list of a contract's NFTs gives them, with their normalised metadata. */
export function createTokenText(format: FileFormat): FileText {
  return createRecordText<TokenRecord>(format, columns, valuesOf)
}

/** In the order of the columns. Lists and objects are JSON; flags stay what they are. */
function valuesOf(record: TokenRecord): (string | boolean | null)[] {
  const metadata = record.normalized_metadata ?? {}
  return [...recordColumns.map((name) => record[name]), ...metadataColumns.map((name) => metadata[name])].map(
    (value) => {
      if (value === null || value === undefined) return null
      if (typeof value === 'boolean') return value
      return typeof value === 'object' ? JSON.stringify(value) : String(value)
    },
  )
}
