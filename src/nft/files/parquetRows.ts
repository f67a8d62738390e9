import { open } from 'node:fs/promises'
import type { AsyncBuffer } from 'hyparquet'

/**
 * Rows of a Parquet file with the values of these columns, one row group at a time. Throws the reader's errors for an
 * invalid file.
 */
export async function* parquetRows(path: string, columns: readonly string[]): AsyncGenerator<unknown[]> {
  const { parquetMetadataAsync, parquetReadObjects } = await import('hyparquet')
  await using handle = await open(path)
  const { size } = await handle.stat()
  const file: AsyncBuffer = {
    byteLength: size,
    async slice(start, end = size) {
      const bytes = new Uint8Array(end - start)
      await handle.read(bytes, 0, bytes.length, start)
      return bytes.buffer
    },
  }
  const metadata = await parquetMetadataAsync(file)
  let rowStart = 0
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows)
    const rows = await parquetReadObjects({ file, metadata, columns: [...columns], rowStart, rowEnd })
    for (const row of rows) yield columns.map((name) => row[name])
    rowStart = rowEnd
  }
}
