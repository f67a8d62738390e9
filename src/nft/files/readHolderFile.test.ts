import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/temporaryFolder.ts'
import { holderColumns } from './holderText.ts'
import { createParquetSheet, idBytesColumn } from './parquetSheet.ts'
import { readHolderFile } from './readHolderFile.ts'

const owner = `0x${'ab'.repeat(20)}`

/** Writes a snapshot with a row for each pair of token id and id in bytes. */
async function written(ids: readonly (readonly [text: string, bytes: string])[]): Promise<string> {
  const sheet = createParquetSheet([...holderColumns.map((name) => [name, 'text'] as const), [idBytesColumn, 'id']])
  for (const [text, bytes] of ids) sheet.add([text, owner, '1', bytes])
  const path = join(await temporaryFolder(), 'holders.parquet')
  writeFileSync(path, Buffer.concat([sheet.head, sheet.take(), sheet.finish()]))
  return path
}

async function read(path: string): Promise<bigint[]> {
  const ids: bigint[] = []
  for await (const rows of readHolderFile(path, 'parquet')) for (const { tokenId } of rows) ids.push(tokenId)
  return ids
}

test('error: a row of a Parquet file with another token id in bytes is rejected', async () => {
  const good = await written([
    ['1', '1'],
    [String(2n ** 256n - 1n), String(2n ** 256n - 1n)],
  ])
  expect(await read(good)).toEqual([1n, 2n ** 256n - 1n])
  const bad = await written([
    ['1', '1'],
    ['2', '3'],
  ])
  await expect(read(bad)).rejects.toThrow(/row 2 is not a holder: \["2".*"token_id_bytes"/)
})
