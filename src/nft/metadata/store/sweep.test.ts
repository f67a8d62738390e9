import { zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import type { Address } from '../../../util/hex.ts'
import type { CollectionState } from '../../query.ts'
import { goLive, releaseLive } from '../../store/liveCollections.ts'
import { idSet } from './changedIds.ts'
import { createMetadataDemand } from './createMetadataDemand.ts'
import { markStale, nextUnswept, requestAllMetadata, sweepPart } from './sweep.ts'

/** A little more than one part of a sweep. */
const tokens = 5_010
const everyPartition = Array.from({ length: 256 }, (_, i) => BigInt(i))
let database: TestDatabase
let collections = 0

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** Makes an idle live collection whose tokens were all read; reading those in `failed` failed. */
async function seed(count = tokens, failed: readonly bigint[] = []) {
  const { db } = database
  const address: Address = `0x${String(++collections).padStart(40, '0')}`
  const ids = Array.from({ length: count }, (_, i) => BigInt(i))
  const key = await seedCollection(db, { address, tokens: ids })
  const values = [key.partition, key.id]
  await db.run(
    `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, record, tried_at)
     SELECT partition, collection_id, token_hash, 'ok', 0, '', now() FROM token WHERE partition = $1 AND collection_id = $2`,
    values,
  )
  await db.run(
    `INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at, attempts)
     SELECT partition, collection_id, token_hash, token_id, now() + interval '7 days', 7 FROM token
     WHERE partition = $1 AND collection_id = $2 AND token_id = ANY($3::numeric[])`,
    [...values, failed.map(String)],
  )
  const row = async () => {
    const [found] = await db.rows<[boolean, string | null]>(
      'SELECT metadata_unswept, metadata_swept_to FROM collection WHERE partition = $1 AND id = $2',
      values,
    )
    return { unswept: found![0], sweptTo: found![1] }
  }
  const part = (coolOffMs = 0) => db.transaction((tx) => sweepPart(tx, key, coolOffMs))
  return {
    ...{ key, row, part },
    async sweep(): Promise<number> {
      let parts = 0
      for (; (await row()).unswept; parts++) await part()
      return parts
    },
    /** Returns the number of tokens that are due now, and settles them as read. */
    async read(): Promise<number> {
      return db.run('DELETE FROM metadata_due WHERE partition = $1 AND collection_id = $2 AND due_at <= now()', values)
    },
  }
}

test('behavior: a request during a sweep starts another sweep through all parts', async () => {
  const { key, part, row, sweep, read } = await seed()
  await requestAllMetadata(database.db, key)
  await part()
  const first = await read()
  expect(first).toBe(5_000)
  await requestAllMetadata(database.db, key)
  // This sweep ends, and another one starts.
  await part()
  expect(await row()).toEqual({ unswept: true, sweptTo: null })
  expect(await read()).toBe(tokens - first)
  await sweep()
  expect(await read()).toBe(tokens)
})

test('behavior: a process continues the sweep of another one that died', async () => {
  const { key, part, row, read } = await seed()
  await requestAllMetadata(database.db, key)
  await part()
  await read()
  expect(await nextUnswept(database.db, everyPartition)).toEqual(key)
  await part()
  expect(await row()).toEqual({ unswept: false, sweptTo: null })
  // The second process did not repeat the first part.
  expect(await read()).toBe(tokens - 5_000)
})

test('behavior: a part of a sweep that another process has done meanwhile is not repeated', async () => {
  const { key, part, row, read } = await seed()
  await requestAllMetadata(database.db, key)
  await Promise.all([part(), part(), part(), part()])
  expect(await row()).toEqual({ unswept: false, sweptTo: null })
  expect(await read()).toBe(tokens)
})

test('behavior: a collection that returns to history during a sweep is swept from the start once it is live again', async () => {
  const { key, part, sweep, read } = await seed()
  await database.db.run('UPDATE collection SET chain_id = 77 WHERE id = $1', [key.id])
  await requestAllMetadata(database.db, key)
  await part()
  await read()
  await database.db.transaction((tx) => releaseLive(tx, 77n, 1_000n))
  const collection = { ...key, address: zeroAddress, standard: 'ERC721' as const, idInData: false }
  await part()
  expect(await read()).toBe(0)
  expect(await database.db.transaction((tx) => goLive(tx, collection, { from: 0n, to: 2_000n }))).toBe(1_000n)
  await sweep()
  expect(await read()).toBe(tokens)
})

test('behavior: once a collection is live for the first time, metadata read before is read again, and other tokens keep their due time', async () => {
  const { key, sweep, read } = await seed(4)
  const values = [key.partition, key.id]
  await database.db.run('UPDATE collection SET chain_id = 77, live_since = NULL WHERE id = $1', [key.id])
  await database.db.transaction((tx) => releaseLive(tx, 77n, 1_000n))
  await database.db.run(
    'DELETE FROM token_metadata WHERE partition = $1 AND collection_id = $2 AND token_hash > (SELECT min(token_hash::text)::uuid FROM token WHERE partition = $1 AND collection_id = $2)',
    values,
  )
  await database.db.run(
    `INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at, attempts)
     SELECT partition, collection_id, token_hash, token_id, now() + interval '7 days', 7 FROM token
     WHERE partition = $1 AND collection_id = $2 ORDER BY token_hash DESC LIMIT 1`,
    values,
  )
  await database.db.transaction((tx) => goLive(tx, key, { from: 0n, to: 2_000n }))
  await sweep()
  expect(await read()).toBe(3)
  await database.db.run('UPDATE collection SET chain_id = 77 WHERE id = $1', [key.id])
  await database.db.transaction((tx) => releaseLive(tx, 77n, 1_000n))
  await database.db.transaction((tx) => goLive(tx, key, { from: 0n, to: 2_000n }))
  await sweep()
  // Only those without an attempt, as the history since then announces changes.
  expect(await read()).toBe(2)
})

test('behavior: adjacent ids merge into one range, and over a thousand ranges merge into one from first to last id', async () => {
  const { key, sweep, read } = await seed(3_000)
  const stale = async () => {
    const sql = 'SELECT metadata_stale::text FROM collection WHERE id = $1'
    const [row] = await database.db.rows<[string]>(sql, [key.id])
    return row![0]
  }
  const ranges = [
    { from: 10n, to: 19n },
    { from: 20n, to: 29n },
    { from: 5n, to: 12n },
  ]
  await markStale(database.db, key, idSet(ranges))
  expect(await stale()).toBe('{[5,30)}')
  const odd = Array.from({ length: 1_000 }, (_, i) => ({ from: BigInt(2 * i + 1), to: BigInt(2 * i + 1) }))
  await markStale(database.db, key, idSet(odd.slice(50)))
  await sweep()
  expect(await read()).toBe(25 + 950)
  await markStale(database.db, key, idSet(odd))
  await markStale(database.db, key, idSet([{ from: 2_500n, to: 2_500n }]))
  expect(await stale()).toBe('{[1,2501)}')
})

test('behavior: a request for a whole contract resets failed attempts, and all its tokens are read', async () => {
  const { key, sweep, read } = await seed(3, [1n])
  const demand = createMetadataDemand({ db: database.db })
  await demand.resyncAll(key as unknown as CollectionState)
  await sweep()
  expect(await database.db.rows('SELECT attempts FROM metadata_due WHERE collection_id = $1', [key.id])).toEqual([
    [0],
    [0],
    [0],
  ])
  expect(await read()).toBe(3)
})

test('behavior: a sweep for tokens that were never read makes no others due and ends no pause', async () => {
  const { key, sweep, read } = await seed(3, [1n])
  await database.db.run(
    `DELETE FROM token_metadata t USING token o WHERE o.partition = $1 AND o.collection_id = $2 AND o.token_id = 2
     AND t.partition = o.partition AND t.collection_id = o.collection_id AND t.token_hash = o.token_hash`,
    [key.partition, key.id],
  )
  await database.db.run('UPDATE collection SET metadata_unswept = true WHERE id = $1', [key.id])
  await sweep()
  expect(
    await database.db.rows('SELECT token_id FROM metadata_due WHERE collection_id = $1 AND due_at <= now()', [key.id]),
  ).toEqual([['2']])
  expect(await read()).toBe(1)
})

test('behavior: unchanged tokens keep their pause if a contract announces all tokens, but not if a client requests them', async () => {
  const { key, part, sweep, read } = await seed(3)
  await database.db.run('UPDATE token_metadata SET unchanged = 5 WHERE collection_id = $1', [key.id])
  const all = idSet([{ from: 0n, to: 2n ** 256n - 1n }])
  await markStale(database.db, key, all)
  await part(10_000)
  expect(await read()).toBe(0)
  await requestAllMetadata(database.db, key)
  await markStale(database.db, key, all)
  await part(10_000)
  expect(await read()).toBe(3)
  await sweep()
})

test('behavior: a sweep that uncounts the traits of a burned token makes the pages that show them stale', async () => {
  const { db } = database
  const { key, sweep } = await seed(2)
  const values = [key.partition, key.id]
  const trait = '0123456789abcdef0123456789abcdef'
  await db.run('UPDATE token_metadata SET traits = ARRAY[$3::uuid] WHERE partition = $1 AND collection_id = $2', [
    ...values,
    trait,
  ])
  await db.run('INSERT INTO trait_count (partition, collection_id, trait, tokens, value) VALUES ($1, $2, $3, 2, 1)', [
    ...values,
    trait,
  ])
  await db.run('UPDATE token SET amount = 0 WHERE partition = $1 AND collection_id = $2 AND token_id = 1', values)
  const versions = async () => {
    const [row] = await db.rows<[bigint, bigint]>(
      'SELECT version, traits_version FROM collection WHERE partition = $1 AND id = $2',
      values,
    )
    return row!
  }
  const [version, traitsVersion] = await versions()
  await requestAllMetadata(db, key)
  await sweep()
  expect(await db.rows('SELECT tokens FROM trait_count WHERE collection_id = $1', [key.id])).toEqual([[1n]])
  expect(await versions()).toEqual([version + 1n, traitsVersion + 1n])
})

test('behavior: a sweep deletes tokens that a reorg removed while their contract was only known', async () => {
  const { db } = database
  const { key, sweep } = await seed(tokens, [3n, 5n])
  const values = [key.partition, key.id]
  await db.run('DELETE FROM token WHERE partition = $1 AND collection_id = $2 AND token_id < 5', values)
  await db.run('UPDATE collection SET metadata_tried = $3 WHERE partition = $1 AND id = $2', [...values, tokens])
  await db.run('UPDATE collection SET metadata_unswept = true WHERE partition = $1 AND id = $2', values)
  await sweep()
  const remaining = async (table: string) => {
    const [row] = await db.rows<[bigint]>(
      `SELECT count(*) FROM ${table} WHERE partition = $1 AND collection_id = $2`,
      values,
    )
    return Number(row![0])
  }
  expect([await remaining('token_metadata'), await remaining('metadata_due')]).toEqual([tokens - 5, 1])
  expect(await db.rows('SELECT metadata_tried FROM collection WHERE partition = $1 AND id = $2', values)).toEqual([
    [BigInt(tokens - 5)],
  ])
})
