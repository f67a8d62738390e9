/** A coin as the store gives it, in the order of `recordColumns`. */
export type RecordRow = [
  /** 64 hex digits, as the creator. */
  hash: string,
  type: string,
  creator: string,
  decimals: number,
  name: Buffer,
  symbol: Buffer,
  supplyHandle: string | null,
  supplyKey: string | null,
  version: bigint,
  createdMicros: bigint,
]

/** Select list of a record, of the table `coin` under the name c. */
export const recordColumns =
  "encode(c.coin_type_hash, 'hex'), c.coin_type, encode(c.creator, 'hex'), c.decimals, c.name, c.symbol, c.supply_handle, c.supply_key, c.version, c.created_micros"

/** One record as JSON text. Types, handles and keys are printable ASCII without quotes; names are whatever their makers wrote. */
export function renderRecord(row: RecordRow): string {
  const [hash, type, creator, decimals, name, symbol, handle, key, version, createdMicros] = row
  return `{"coin_type":${JSON.stringify(type)},"coin_type_hash":"${hash}","creator_address":"0x${creator}","decimals":${decimals},"name":${JSON.stringify(name.toString())},"supply_aggregator_table_handle":${quoted(handle)},"supply_aggregator_table_key":${quoted(key)},"symbol":${JSON.stringify(symbol.toString())},"transaction_created_timestamp":"${isoMicros(createdMicros)}","transaction_version_created":"${version}"}`
}

function quoted(text: string | null): string {
  return text === null ? 'null' : `"${text}"`
}

/** ISO 8601 in UTC with six digits of a second, which Date has not. Exact in a double up to the year 2255. */
export function isoMicros(micros: bigint): string {
  const exact = Number(micros)
  const seconds = Math.floor(exact / 1_000_000)
  return `${new Date(seconds * 1_000).toISOString().slice(0, 19)}.${String(exact - seconds * 1_000_000).padStart(6, '0')}Z`
}
