import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { onCluster } from '../../../../test/onCluster.ts'
import { countingRows, pagesRead } from '../../../../test/rowsRead.ts'
import { seedLeasedCollection } from '../../../../test/seedLease.ts'
import { stagedRows } from '../../../../test/stagedRows.ts'
import type { Address } from '../../../util/hex.ts'
import { tokenHash } from '../../transfers/tokenHash.ts'
import type { Settled } from '../parse/outcome.ts'
import { tokenMetadata } from '../parse/tokenMetadata.ts'
import { forgetTokens } from './forgetTokens.ts'
import { settleMetadata } from './settleMetadata.ts'

const worker = 7
const coolOffMs = 0
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())
afterEach(async () => expect(await stagedRows(database.db)).toEqual([]))

async function seed(tokens: readonly bigint[]) {
  const { address, ...collection } = await seedLeasedCollection(database.db, { tokens, worker })
  return { address, collection }
}

function read(address: Address, tokenId: bigint, metadata: object, at: Date): Settled {
  return {
    token: { hash: tokenHash(address, String(tokenId)), tokenId, attempts: 0, dueAt: at, announcedAt: null },
    outcome: {
      state: 'ok',
      uri: 'https://example.org/1',
      metadata: tokenMetadata(JSON.stringify(metadata), metadata, tokenId),
    },
    at,
  }
}

function counts(id: bigint) {
  return database.db.rows('SELECT tokens FROM trait_count WHERE collection_id = $1 ORDER BY tokens', [id])
}

async function count(table: string, id: bigint): Promise<number> {
  const [row] = await database.db.rows<[bigint]>(`SELECT count(*) FROM ${table} WHERE collection_id = $1`, [id])
  return Number(row![0])
}

test('behavior: traits are counted once per token, even if its metadata is read again', async () => {
  const { address, collection } = await seed([1n, 2n])
  const attribute = (value: string) => ({ trait_type: 'Hat', value })
  const at = new Date(1_700_000_000_000)
  const red = { attributes: [attribute('red'), attribute('red')] }
  const settled = [read(address, 1n, red, at), read(address, 2n, red, at)]
  for (let look = 0; look < 3; look++) await settleMetadata(database.db, { collection, worker, coolOffMs, settled })
  expect(await counts(collection.id)).toEqual([[2n]])
  const blue = { attributes: [attribute('blue')] }
  await settleMetadata(database.db, { collection, worker, coolOffMs, settled: [read(address, 1n, blue, at)] })
  expect(await counts(collection.id)).toEqual([[1n], [1n]])
})

test('behavior: a trait that no token has any more is deleted, and cached pages become stale', async () => {
  const { address, collection } = await seed([1n, 2n])
  const at = new Date(1_700_000_000_000)
  const hats = (...hats: string[]) => ({ attributes: hats.map((value) => ({ trait_type: 'Hat', value })) })
  const settle = (metadata: object[]) => {
    const settled = metadata.map((metadata, i) => read(address, BigInt(i + 1), metadata, at))
    return settleMetadata(database.db, { collection, worker, coolOffMs, settled })
  }
  const version = async () => {
    const rows = await database.db.rows<[bigint]>('SELECT traits_version FROM collection WHERE id = $1', [
      collection.id,
    ])
    return rows[0]![0]
  }
  await settle([hats('red', 'old'), hats('red')])
  await settle([hats('blue'), hats('red')])
  expect(await counts(collection.id)).toEqual([[1n], [1n]])
  const before = await version()
  await settle([hats(), hats('red')])
  expect(await counts(collection.id)).toEqual([[1n]])
  expect(await version()).toBe(before + 1n)
  await database.db.run('UPDATE token SET amount = 0 WHERE collection_id = $1', [collection.id])
  const tokens = ['1', '2'].map((id) => ({ ...collection, hash: tokenHash(address, id) }))
  await database.db.transaction((tx) => forgetTokens(tx, tokens))
  expect(await counts(collection.id)).toEqual([])
})

test.each(['failed', 'permanent'] as const)(
  'behavior: a %s attempt keeps the metadata, its traits and its image',
  async (state) => {
    const { address, collection } = await seed([1n])
    const at = new Date(1_700_000_000_000)
    const good = { name: 'Good', image: 'https://example.org/1.png', attributes: [{ trait_type: 'Hat', value: 'red' }] }
    const first = read(address, 1n, good, at)
    await settleMetadata(database.db, { collection, worker, coolOffMs, settled: [first] })
    const kept = () =>
      database.db.rows(
        'SELECT record, normalized, traits, media_url, document_hash, fetched_at FROM token_metadata WHERE collection_id = $1',
        [collection.id],
      )
    const before = await kept()
    expect(before[0]![0]).toContain('Good')
    const uri = 'https://example.org/1'
    const reason = 'an error instead of metadata (message: Internal server error)'
    const outcome = state === 'failed' ? { state, uri, reason, retryAt: new Date() } : { state, uri, reason }
    await settleMetadata(database.db, { collection, worker, coolOffMs, settled: [{ ...first, outcome }] })
    expect(await kept()).toEqual(before)
    expect(await count('trait_count', collection.id)).toBe(1)
  },
)

test('error: a worker that lost the partition stores nothing', async () => {
  const { address, collection } = await seed([1n])
  const settled = [read(address, 1n, { name: 'late' }, new Date())]
  expect(await settleMetadata(database.db, { collection, worker: worker + 1, coolOffMs, settled })).toBe(false)
  expect(await count('token_metadata', collection.id)).toBe(0)
})

test('behavior: nothing is stored for a token that was burned meanwhile', async () => {
  const { address, collection } = await seed([1n])
  await database.db.run('UPDATE token SET amount = 0 WHERE collection_id = $1', [collection.id])
  await settleMetadata(database.db, {
    collection,
    worker,
    coolOffMs,
    settled: [read(address, 1n, { name: 'gone' }, new Date())],
  })
  expect(await count('token_metadata', collection.id)).toBe(0)
})

test.each([
  ['live', 0],
  ['syncing', 1],
])('behavior: a token that is not listed is not due immediately in a %s collection', async (status, rows) => {
  const { db } = database
  const { address, collection } = await seed([1n])
  await db.run('UPDATE collection SET status = $2 WHERE id = $1', [collection.id, status])
  const at = new Date(Date.now() - 1_000)
  const one = read(address, 9n, {}, at)
  await db.run(
    'INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at) VALUES ($1, $2, $3, 9, $4)',
    [collection.partition, collection.id, one.token.hash, at],
  )
  await settleMetadata(db, { collection, worker, coolOffMs, settled: [one] })
  expect(await db.rows('SELECT due_at > now() FROM metadata_due WHERE collection_id = $1', [collection.id])).toEqual(
    Array.from({ length: rows }, () => [true]),
  )
  expect(await count('token_metadata', collection.id)).toBe(0)
})

test('behavior: a token with metadata from a formerly dead host no longer waits for it, even if it is read again', async () => {
  const { address, collection } = await seed([1n])
  const at = new Date()
  // The token was due again to try the host, and an event announced it during the fetch.
  await database.db.run(
    `INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at, host, parked_at, announced_at)
     SELECT partition, collection_id, token_hash, token_id, $2, 'back.example', $2, $2::timestamptz + interval '1 second'
     FROM token WHERE collection_id = $1`,
    [collection.id, at],
  )
  const settled = [read(address, 1n, { name: 'back' }, at)]
  expect(await settleMetadata(database.db, { collection, worker, coolOffMs, settled })).toBe(true)
  const selectDue = 'SELECT host, parked_at, announced_at FROM metadata_due WHERE collection_id = $1'
  expect(await database.db.rows(selectDue, [collection.id])).toEqual([[null, null, null]])
})

test('behavior: metadata of a known contract is stored only if its token is still due', async () => {
  const { db } = database
  const { address, collection } = await seed([1n, 2n])
  const values = [collection.partition, collection.id]
  const at = new Date(1_700_000_000_000)
  await db.run(`UPDATE collection SET status = 'known' WHERE partition = $1 AND id = $2`, values)
  await db.run('DELETE FROM token WHERE partition = $1 AND collection_id = $2', values)
  // A reorg, or a burn, removed the other token during the read.
  await db.run(
    'INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at) VALUES ($1, $2, $3, 1, $4)',
    [...values, tokenHash(address, '1'), at],
  )
  const settled = [read(address, 1n, { name: 'kept' }, at), read(address, 2n, { name: 'removed' }, at)]
  await settleMetadata(db, { collection, worker, coolOffMs, settled })
  const rows = await db.rows(
    'SELECT token_hash FROM token_metadata WHERE partition = $1 AND collection_id = $2',
    values,
  )
  expect(rows.flat().map((hash) => String(hash).replaceAll('-', ''))).toEqual([tokenHash(address, '1')])
})

// A cluster's coordinator does not count the rows that its nodes read.
test.skipIf(onCluster)('behavior: the queue is read by keys, also where statistics show empty tables', async () => {
  const tokens = Array.from({ length: 1_000 }, (_, i) => BigInt(i))
  const { address, collection } = await seed(tokens)
  const at = new Date(1_700_000_000_000)
  await database.db.run(
    `INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, priority, due_at)
     SELECT partition, collection_id, token_hash, token_id, 1, $2 FROM token WHERE collection_id = $1
     ON CONFLICT (partition, collection_id, token_hash) DO UPDATE SET due_at = excluded.due_at`,
    [collection.id, at],
  )
  await database.db.run(
    `UPDATE pg_class SET reltuples = 0, relpages = 50 WHERE relname IN ('metadata_due', 'token_metadata', 'token', 'stage_metadata')`,
  )
  const settled = tokens.slice(0, 200).map((token) => read(address, token, { name: 'Good' }, at))
  const counted: Record<string, number>[] = []
  const db = countingRows(database.db, (read) => counted.push(read))
  await settleMetadata(db, { collection, worker, coolOffMs, settled })
  expect(await count('metadata_due', collection.id)).toBe(tokens.length - settled.length)
  expect(Math.max(...Object.values(counted[0]!)) / settled.length).toBeLessThan(50)
})

test.skipIf(onCluster)(
  'behavior: burned tokens leave a long queue by keys, also where statistics show empty tables',
  async () => {
    const { collection } = await seed([])
    // Above 21,000 rows in random order, the index of the primary key has a level more than the index by due time.
    await database.db.run(
      `INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at)
     SELECT $1, $2, md5(i::text)::uuid, i, to_timestamp(i) FROM generate_series(1, 25000) i`,
      [collection.partition, collection.id],
    )
    await database.db.run(
      `UPDATE pg_class SET reltuples = 0, relpages = 50 WHERE relname IN ('metadata_due', 'stage_gone')`,
    )
    const gone = await database.db.rows<[string]>(`SELECT md5(i::text) FROM generate_series(1, 25000, 250) i`)
    const pages = await database.db.transaction((tx) =>
      pagesRead(tx, 'metadata_due', () =>
        forgetTokens(
          tx,
          gone.map(([hash]) => ({ ...collection, hash })),
        ),
      ),
    )
    expect(await count('metadata_due', collection.id)).toBe(25_000 - gone.length)
    expect(pages / gone.length).toBeLessThan(30)
  },
)
