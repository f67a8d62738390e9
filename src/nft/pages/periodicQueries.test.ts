import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { rowsRead } from '../../../test/rowsRead.ts'
import type { Sql } from '../../db/database.ts'
import { takeMetadataSlices } from '../metadata/store/metadataStore.ts'
import { nextUnswept } from '../metadata/store/sweep.ts'
import { readFacts, readUnassessed } from '../spam/assessCollections.ts'
import { takeSlices } from '../store/collectionStore.ts'
import { createDueChains, createWantedChains } from '../store/dueChains.ts'
import { readJoinable } from '../store/liveCollections.ts'

const partitions = Array.from({ length: 256 }, (_, i) => BigInt(i))
const chains = [1n, 2n, 3n]
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  // Idle live collections that announce changes were swept recently. Other collections failed and wait for an hour.
  await database.db.run(
    `INSERT INTO collection (partition, chain_id, address, status, standard, from_block, to_block, assessed_at, assessed_by, metadata_unswept,
       metadata_swept_at, metadata_due_at, retry_at)
     SELECT n % 256, 1 + n % 2, decode(lpad(to_hex(n), 40, '0'), 'hex'), CASE WHEN n % 3 = 0 THEN 'failed' ELSE 'live' END, 'ERC721', 0, 0,
       now(), 7, true, now(), now() + interval '1 hour', CASE WHEN n % 3 = 0 THEN now() + interval '1 hour' END
     FROM generate_series(1, 6000) n`,
  )
  await database.db.run('ANALYZE collection')
})
afterAll(() => database.drop())

const lent = new Map([[4n, new Set(partitions)]])
const served = { chains, partitions, lent }
const options = { served, except: [], limit: 16 }
const queries: [string, (sql: Sql) => Promise<unknown>][] = [
  ['which chains are to be followed', (sql) => createWantedChains(sql)(chains, 'all')],
  ['which chains have history that is due', (sql) => createDueChains(sql)(served, 'all')],
  ['which collections have history that is due', (sql) => takeSlices(sql, { ...options, chain: 1n })],
  ['which collections can join the head', (sql) => readJoinable(sql, 1n, { from: 0n, to: 100n }, 16)],
  ['which collection is to be swept', (sql) => nextUnswept(sql, partitions)],
  ['which collections have metadata that is due', (sql) => takeMetadataSlices(sql, options)],
  ['which collections are to be assessed', (sql) => readUnassessed(sql, partitions, 7n)],
]

test.each(queries)('behavior: polling every second %s does not read idle collections', async (_, query) => {
  const read = await database.db.transaction((tx) => rowsRead(tx, 'collection', () => query(tx)))
  expect(read).toBeLessThan(50)
})

test('behavior: only chains with live or pending collections are followed', async () => {
  const wanted = createWantedChains(database.db)
  expect(await wanted(chains, new Set())).toEqual([1n, 2n])
  expect(await wanted([3n], new Set())).toEqual([])
})

test('behavior: spam assessment reads a sample of the metadata, even where hardly any token has metadata', async () => {
  const { db } = database
  const [[partition, id] = [0, 0n]] = await db.rows<[number, bigint]>('SELECT partition, id FROM collection LIMIT 1')
  await db.run(
    `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, tried_at, record)
     SELECT $1, $2, md5(n::text)::uuid, 'ok', 0, now(), '' FROM generate_series(1, 30000) n`,
    [partition, id],
  )
  const collection = { partition, id, name: null, symbol: null, isKnown: false }
  const read = await db.transaction((tx) => rowsRead(tx, 'token_metadata', () => readFacts(tx, collection)))
  expect(read).toBeLessThan(15_000)
})
