import type { FileFormat } from '../fileQuery.ts'
import type { ParquetColumn, ParquetType } from './parquetSheet.ts'
import type { FileText } from './recordText.ts'
import { createRecordText } from './recordText.ts'

/** Fields of a record that are CSV columns of the same name. */
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

/** Fields of normalized metadata that are columns with the prefix `metadata_`. */
const metadataColumns = ['name', 'description', 'image', 'animation_url', 'external_url', 'attributes'] as const

/** The columns of an export in CSV. */
export const tokenColumns: readonly string[] = [...recordColumns, ...metadataColumns.map((name) => `metadata_${name}`)]

/** Parquet types of columns that are not text. */
const parquetTypes: Record<string, ParquetType> = {
  ...{ block_number: 'int', block_number_minted: 'int', possible_spam: 'flag', verified_collection: 'flag' },
  ...{ last_token_uri_sync: 'time', last_metadata_sync: 'time' },
}

const columns: readonly ParquetColumn[] = tokenColumns.map((name) => [name, parquetTypes[name] ?? 'text'])

type TokenRecord = Record<string, unknown> & { token_id: string; normalized_metadata: Record<string, unknown> | null }

/**
 * Format of an export. A batch is a JSON list of records, as in the list of a contract's NFTs, with normalized
 * metadata.
 */
export function createTokenText(format: FileFormat): FileText {
  return createRecordText<TokenRecord>(format, columns, valuesOf)
}

/** In column order. Lists and objects are JSON text; flags stay booleans. */
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
