import { stringify } from 'csv-stringify/sync'
import type { FileFormat } from '../fileQuery.ts'
import type { FileText } from './fileText.ts'

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

type TokenRecord = Record<string, unknown> & { normalized_metadata: Record<string, unknown> | null }

/**
 * The text of an export. A batch is a JSON list of records as the list of a contract's NFTs gives them, with their normalised metadata.
 *
 * In CSV a cell that begins with = + - @, a tab or a carriage return gets an apostrophe before it, as a spreadsheet would run it:
 * names and documents are texts of strangers. In JSON such texts are as they are.
 */
export function createTokenText(format: FileFormat): FileText {
  let rows = 0
  return {
    head: format === 'csv' ? `${tokenColumns.join(',')}\n` : '',
    write(batch) {
      const records = JSON.parse(batch) as TokenRecord[]
      rows += records.length
      if (format === 'ndjson') return records.map((record) => `${JSON.stringify(record)}\n`).join('')
      return stringify(records.map(cellsOf), { escape_formulas: true })
    },
    finish: () => ({ rows, root: null }),
  }
}

function cellsOf(record: TokenRecord): string[] {
  const metadata = record.normalized_metadata ?? {}
  return [
    ...recordColumns.map((name) => cellOf(record[name])),
    ...metadataColumns.map((name) => cellOf(metadata[name])),
  ]
}

/** Null is an empty cell; lists and objects are JSON. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
