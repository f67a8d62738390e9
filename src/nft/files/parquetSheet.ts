import { ByteWriter, ParquetWriter } from 'hyparquet-writer'

/** id: a whole number of 256 bits as 32 bytes, big-endian; time: milliseconds since 1970, given as ISO 8601. */
export type ParquetType = 'text' | 'id' | 'int' | 'flag' | 'time'

/** The column with the token id as 32 bytes. */
export const idBytesColumn = 'token_id_bytes'

export type ParquetColumn = readonly [name: string, type: ParquetType]

const elements = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  id: { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 32 },
  int: { type: 'INT64' },
  flag: { type: 'BOOLEAN' },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
} as const

/** Limits of a row group in rows and characters, as one group is in memory. */
export const mostGroupRows = 20_000
const mostGroupCharacters = 8_388_608

export type ParquetSheet = {
  /** Text before the first row. */
  head: Uint8Array
  /** Adds a row in column order: null, or a text, number or boolean from a record. */
  add(row: readonly (string | number | boolean | null)[]): void
  /** Bytes of the row groups completed since the last call. */
  take(): Uint8Array
  /** Bytes of the last row group and the footer. */
  finish(): Uint8Array
}

/** Writes a Parquet file in row groups of bounded size. */
export function createParquetSheet(columns: readonly ParquetColumn[]): ParquetSheet {
  const writer = new ByteWriter()
  const schema = columns.map(([name, type]) => ({ name, repetition_type: 'OPTIONAL' as const, ...elements[type] }))
  const parquet = new ParquetWriter({
    writer,
    schema: [{ name: 'root', num_children: columns.length }, ...schema],
    createdBy: 'mintmark',
  })
  let rows: unknown[][] = columns.map(() => [])
  let count = 0
  let characters = 0

  function endGroup(): void {
    if (count === 0) return
    // Without a page index: a file of a thousand groups keeps only their offsets in memory.
    const columnData = columns.map(([name], i) => ({ name, data: rows[i]!, offsetIndex: false }))
    parquet.write({ columnData, rowGroupSize: count })
    rows = columns.map(() => [])
    count = 0
    characters = 0
  }

  /** Offsets within the file continue counting. */
  function takeBytes(): Uint8Array {
    const bytes = writer.getBytes().slice()
    writer.index = 0
    return bytes
  }

  return {
    head: takeBytes(),
    add(row) {
      for (const [i, [, type]] of columns.entries()) {
        const value = row[i] ?? null
        if (typeof value === 'string') characters += value.length
        rows[i]!.push(value === null ? null : cellOf(type, value))
      }
      if (++count >= mostGroupRows || characters >= mostGroupCharacters) endGroup()
    },
    take: takeBytes,
    finish() {
      endGroup()
      parquet.finish()
      return takeBytes()
    },
  }
}

function cellOf(type: ParquetType, value: string | number | boolean): unknown {
  if (type === 'id') return Buffer.from(BigInt(value).toString(16).padStart(64, '0'), 'hex')
  if (type === 'int') return BigInt(value)
  return type === 'time' ? new Date(value as string) : value
}
