import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { queries, type Seeded, seed, store } from '../../../../test/metadataPages.ts'
import { tokenHash } from '../../transfers/tokenHash.ts'
import { createMetadataDemand } from './createMetadataDemand.ts'
import { forgetTokens } from './forgetTokens.ts'
import { mostKept } from './metadataHistory.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

/** Returns the versions of the route, each as the number of its read. */
async function history(collection: Seeded, limit = 100) {
  const [, query] = queries(database)
  const state = (await query.state(1n, collection.address))!
  const reported = (await createMetadataDemand(database).history(state, collection.address, 1n, limit))!
  return {
    looks: reported.metadata.map(({ metadata }) => JSON.parse(metadata!).look as number),
    dropped: reported.dropped,
  }
}

/** Stores metadata that differs only in its time. */
async function look(collection: Seeded, at: number): Promise<void> {
  await store(database, collection, new Map([[1n, JSON.stringify({ name: 'Clock', look: at })]]))
}

/** Stores `count` former versions without reading them, the first with the time `from`. */
async function fill(collection: Seeded, from: number, count: number, length = 0): Promise<void> {
  await database.db.run(
    `INSERT INTO token_document (partition, collection_id, token_hash, until, document_hash, record)
     SELECT $1, $2, $3, now() - interval '1 day' + make_interval(secs => n), sha256(n::text::bytea),
       '"token_uri":null,"metadata":' || to_json('{"look":' || n || ',"text":"' || repeat('x', $6::int) || '"}')::text || ',"last_token_uri_sync":null,"last_metadata_sync":null'
     FROM generate_series($4::int, $4::int + $5::int - 1) AS s (n)`,
    [collection.partition, collection.id, tokenHash(collection.address, '1'), from, count, length],
  )
}

test('behavior: of metadata that changes at each read, the latest versions are kept and the dropped ones counted', async () => {
  const collection = await seed(database, [1n])
  await fill(collection, 1, mostKept - 1)
  await look(collection, 100)
  expect(await history(collection)).toMatchObject({ dropped: 0 })
  await look(collection, 101)
  const whole = await history(collection)
  expect(whole).toEqual({ looks: [101, 100, ...Array.from({ length: 98 }, (_, i) => 98 - i)], dropped: 0 })
  for (let at = 102; at < 105; at++) await look(collection, at)
  const cut = await history(collection)
  expect(cut.looks).toHaveLength(mostKept + 1)
  expect([cut.looks[0], cut.looks.at(-1), cut.dropped]).toEqual([104, 4, 3])
  expect(await history(collection, 1)).toEqual({ looks: [104], dropped: 3 })
})

test('behavior: large former metadata is kept up to a total size', async () => {
  const collection = await seed(database, [1n])
  await fill(collection, 1, 5, 5_000_000)
  for (const at of [100, 101]) await look(collection, at)
  expect(await history(collection)).toEqual({ looks: [101, 100, 5, 4, 3], dropped: 2 })
})

test('behavior: the history limits also apply to a token that is minted and burned repeatedly', async () => {
  const collection = await seed(database, [1n])
  await fill(collection, 1, mostKept)
  await look(collection, 100)
  const hash = tokenHash(collection.address, '1')
  await database.db.transaction(async (tx) => {
    await tx.run('UPDATE token SET amount = 0 WHERE token_hash = $1', [hash])
    await forgetTokens(tx, [{ ...collection, hash }])
  })
  const { looks, dropped } = await history(collection)
  expect([looks[0], looks.at(-1), looks.length, dropped]).toEqual([100, 2, mostKept, 1])
})
