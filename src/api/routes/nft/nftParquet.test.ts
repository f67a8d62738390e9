import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../../test/api.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { temporaryFolder } from '../../../../test/temporaryFolder.ts'
import { mostGroupRows } from '../../../nft/files/parquetSheet.ts'
import { createTransferText } from '../../../nft/files/transferText.ts'
import { raiseVersions } from '../../../nft/store/collectionStore.ts'
import { storeTransfers } from '../../../nft/store/storeTransfers.ts'
import { positionOf } from '../../../nft/transfers/position.ts'
import { zeroAddress } from '../../../nft/transfers/transfer.ts'
import { transferGroup } from '../../../nft/transfers/transferGroup.ts'
import type { Address } from '../../../util/hex.ts'

let api: TestApi
const address: Address = `0x${'a1'.repeat(20)}`
const ids = [0n, 1n, 2n ** 255n, 2n ** 256n - 1n, 10n ** 40n]
const blockHash = 'cd'.repeat(32)

beforeAll(async () => {
  api = await createTestApi({ config: { pageCache: { freshMs: 0 } } })
  const key = await seedCollection(api.db, { address, columns: { from_block: 0n, name: 'Bytes "and" text' } })
  const collection = { ...key, chainId: 1n, address, standard: 'ERC721', idInData: false } as const
  const transfers = ids.map((id, i) => ({
    ...{ position: positionOf(20 + i, 3), item: 0, tokenId: String(id), from: zeroAddress, to: '12'.repeat(20) },
    ...{ amount: '1', operator: null, transactionHash: 'ab'.repeat(32), transactionIndex: i % 2 ? 2 : null },
    ...{ blockHash, blockTime: 1_700_000_000 + i },
  }))
  await api.db.transaction(async (tx) =>
    raiseVersions(tx, await storeTransfers(tx, [transferGroup(collection, transfers)])),
  )
  await api.db.run(
    `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, record, tried_at)
     SELECT partition, collection_id, token_hash, 'ok', 1, '"token_uri":"ipfs://ü","metadata":"{}","last_token_uri_sync":"2026-01-31T12:00:00.000Z","last_metadata_sync":null', now()
     FROM token WHERE partition = $1 AND collection_id = $2 ORDER BY token_hash LIMIT 1`,
    [key.partition, key.id],
  )
  await api.db.run('INSERT INTO block (chain_id, number, hash, parent_hash, timestamp) VALUES (1, 900, $1, $1, 1)', [
    Buffer.from(blockHash, 'hex'),
  ])
})
afterAll(() => api.drop())

type Row = Record<string, unknown>

async function read(path: string): Promise<{ json: Row[]; duck: Row[]; second: Row[]; bytes: Buffer }> {
  const request = (format: string) =>
    api.get(`/api/v2/nft/${address}/${path}${path.includes('?') ? '&' : '?'}format=${format}`)
  const lines = (await (await request('ndjson')).text()).trim().split('\n')
  const answer = await request('parquet')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/vnd.apache.parquet'])
  const bytes = Buffer.from(await answer.arrayBuffer())
  const second = await parquetReadObjects({ file: fileOf(bytes) })
  return { json: lines.map((line) => JSON.parse(line) as Row), duck: await byDuckDb(bytes), second, bytes }
}

const fileOf = (bytes: Buffer) => new Uint8Array(bytes).buffer

/** The rows as DuckDB reads them: times as ISO 8601, integers and bytes as in JSON. */
async function byDuckDb(bytes: Buffer): Promise<Row[]> {
  const path = join(await temporaryFolder(), 'file.parquet')
  writeFileSync(path, bytes)
  const instance = await DuckDBInstance.create()
  const connection = await instance.connect()
  const reader = await connection.runAndReadAll(`SELECT * FROM read_parquet('${path}')`)
  const rows = reader.getRowObjectsJson() as Row[]
  connection.closeSync()
  instance.closeSync()
  return rows
}

const hexOf = (id: unknown) => BigInt(String(id)).toString(16).padStart(64, '0')

/** Converts a cell of the second reader to its value in JSON. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Date) return value.toISOString()
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
}

test('default: DuckDB and a second reader read the tokens from Parquet as in JSON, with ids as text and bytes', async () => {
  const { json, duck, second } = await read('export')
  expect(json).toHaveLength(ids.length)
  for (const [i, record] of json.entries()) {
    const { token_id, owner_of, name, token_uri, possible_spam, last_token_uri_sync } = record
    expect(second[i]).toMatchObject({ token_id, owner_of, name, token_uri: token_uri ?? null, possible_spam })
    expect(plain(second[i]!.token_id_bytes)).toBe(hexOf(token_id))
    expect(plain(second[i]!.block_number)).toBe(record.block_number)
    expect(plain(second[i]!.last_token_uri_sync)).toBe(last_token_uri_sync ?? null)
    expect(duck[i]).toMatchObject({ token_id, owner_of, name, token_uri: token_uri ?? null, possible_spam })
  }
})

test('behavior: both readers read the same transfers from Parquet, in chain order and with timestamps', async () => {
  const { json, duck, second } = await read('transfers/export')
  expect(json.map(({ token_id }) => token_id)).toEqual(ids.map(String))
  for (const [i, record] of json.entries()) {
    const { token_id, block_hash, transaction_index, operator, amount } = record
    expect(second[i]).toMatchObject({ token_id, block_hash, operator, amount })
    expect(plain(second[i]!.block_timestamp)).toBe(record.block_timestamp)
    expect(plain(second[i]!.token_id_bytes)).toBe(hexOf(token_id))
    expect(duck[i]).toMatchObject({ token_id, block_hash, operator, block_number: record.block_number })
    expect(duck[i]!.transaction_index).toBe(transaction_index === null ? null : String(transaction_index))
    expect(duck[i]!.block_timestamp).toBe(String(record.block_timestamp).replace('T', ' ').replace('.000Z', ''))
  }
})

test('behavior: both readers read the same snapshot from Parquet, and its root is that of the other formats', async () => {
  const { json, duck, second } = await read('snapshot?as_of_block=900')
  expect(json).toHaveLength(ids.length)
  expect(duck.map(({ token_id, owner_of, amount }) => ({ token_id, owner_of, amount }))).toEqual(json)
  expect(second.map(({ token_id, owner_of, amount }) => ({ token_id, owner_of, amount }))).toEqual(json)
  const roots = ['csv', 'parquet'].map(async (format) => {
    const answer = await api.get(`/api/v2/nft/${address}/snapshot?as_of_block=900&format=${format}`)
    await answer.arrayBuffer()
    return answer.headers.get('x-snapshot-root')
  })
  const [csv, parquet] = await Promise.all(roots)
  expect(parquet).toBe(csv)
})

test('behavior: a download resumes by range, unless the file has changed', async () => {
  const path = `/api/v2/nft/${address}/transfers/export?format=parquet`
  const whole = await api.get(path)
  const bytes = Buffer.from(await whole.arrayBuffer())
  const part = await api.get(path, { range: 'bytes=100-', 'if-range': whole.headers.get('etag')! })
  expect(part.status).toBe(206)
  expect(part.headers.get('content-range')).toBe(`bytes 100-${bytes.length - 1}/${bytes.length}`)
  expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(100))).toBe(true)
  const tail = await api.get(path, { range: 'bytes=-8' })
  expect(Buffer.from(await tail.arrayBuffer()).equals(bytes.subarray(-8))).toBe(true)
  const other = await api.get(path, { range: 'bytes=100-', 'if-range': '"another"' })
  expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, bytes.length])
  const beyond = await api.get(path, { range: `bytes=${bytes.length}-` })
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`])
  await beyond.json()
})

test('behavior: a contract without rows gives a valid Parquet file without rows', async () => {
  const empty: Address = `0x${'a2'.repeat(20)}`
  const answer = await api.get(`/api/v2/nft/${empty}/export?format=parquet`)
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(Number(parquetMetadata(fileOf(bytes)).num_rows)).toBe(0)
  expect(await byDuckDb(bytes)).toEqual([])
})

test('behavior: a row group has a bounded number of rows, and is sent before the next one begins', () => {
  const text = createTransferText('parquet')
  const row = { token_id: '7', block_number: '1', block_timestamp: '2026-01-31T12:00:00.000Z', amount: '1' }
  const batch = JSON.stringify(new Array(500).fill(row))
  const parts = [Buffer.from(text.head)]
  let held = 0
  for (let i = 0; i < 100; i++) {
    const bytes = Buffer.from(text.write(batch) as Uint8Array)
    held = bytes.length > 0 ? 0 : held + 500
    expect(held).toBeLessThanOrEqual(mostGroupRows)
    parts.push(bytes)
  }
  parts.push(Buffer.from(text.finish().tail!))
  const groups = parquetMetadata(fileOf(Buffer.concat(parts))).row_groups
  expect(groups.map(({ num_rows }) => Number(num_rows))).toEqual([20_000, 20_000, 10_000])
})
