import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCoinArrivals } from '../../../test/aptos/coinArrivals.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { createRandom, freshSeed } from '../../../test/random.ts'
import { rowsRead } from '../../../test/rowsRead.ts'
import type { Sql } from '../../db/database.ts'
import { createCoinQuery } from './createCoinQuery.ts'
import { createOffsets } from './createOffsets.ts'

const seed = freshSeed()
/** Rows between two kept offsets. */
const step = 7
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test(`behavior: every offset gives the same coins as paging through all of them, while coins arrive (seed ${seed})`, async () => {
  const random = createRandom(seed)
  await using own = await openDatabase()
  const arrivals = await createCoinArrivals(own.db, random)
  const query = createCoinQuery({ db: own.db, offsets: createOffsets({ db: own.db, step }) })
  let deepest = 0
  for (let round = 0; round < 150; round++) {
    await arrivals.happen()
    const [state, all] = [await arrivals.state(), await arrivals.records()]
    for (let i = 0; i < 4; i++) {
      const [offset, limit] = [random.int(all.length + 10), 1 + random.int(5)]
      deepest = Math.max(deepest, offset)
      const { records, last } = await query.latest({ state, after: null, offset, limit, standard: null })
      expect(records).toEqual(all.slice(offset, offset + limit))
      expect(last !== null).toBe(all.length > offset + limit)
    }
  }
  // Past some kept offsets.
  expect(deepest).toBeGreaterThan(2 * step)
})

async function openDatabase() {
  const opened = await createTestDatabase()
  return { db: opened.db, [Symbol.asyncDispose]: () => opened.drop() }
}

const count = 30_000

/** One coin in each version from 1 on, all of them visible. */
async function seed30k(db: Sql): Promise<void> {
  await db.run(`INSERT INTO coin_network (name) VALUES ('mainnet')`)
  await db.run(
    `INSERT INTO coin (network_id, coin_type_hash, imported, shown, version, record)
     SELECT n.id, sha256(v::text::bytea), false, true, v,
       format('{"coin_type_hash":"%s","transaction_version_created":"%s"}', encode(sha256(v::text::bytea), 'hex'), v)
     FROM coin_network n, generate_series(1, $1::int) v`,
    [count],
  )
  await db.run('UPDATE coin_network SET shown_version = $1, version = version + 1', [count])
}

test('behavior: a deep page reads a thousand rows, one past the last coin none, even with plans made on empty tables', async () => {
  await database.db.transaction(async (tx) => {
    const query = createCoinQuery({ db: tx })
    const nothing = {
      ...{ epoch: '', id: 1, version: 0n, arrangement: 0n, fromVersion: 0n, toVersion: null, headVersion: null },
      ...{ assetVersion: 0n, assetArrangement: 0n, stateVersion: 0n, shownVersion: -1n, imports: 0n },
      ...{ failure: null, head: null, synced: false, progress: 0 },
    }
    // Connections of pages keep their first plan, so this test uses generic plans.
    await tx.script('SET LOCAL plan_cache_mode = force_generic_plan')
    for (const offset of [0, 5_000])
      await query.latest({ state: nothing, after: null, offset, limit: 100, standard: null })
    await seed30k(tx)
    const state = (await query.network('mainnet'))!
    const page = (offset: number) => query.latest({ state, after: null, offset, limit: 100, standard: null })

    const built = await rowsRead(tx, 'coin', () => page(20_000))
    expect(built).toBeLessThan(3 * count)
    for (const offset of [999, 1_000, 7_777, 15_000, 29_850]) {
      let versions: number[] = []
      const read = await rowsRead(tx, 'coin', async () => {
        const { records } = await page(offset)
        versions = records.map((record) => Number(JSON.parse(record).transaction_version_created))
      })
      expect(versions).toEqual(Array.from({ length: 100 }, (_, i) => count - offset - i))
      // The query reads a row and its index entry for each skipped or returned coin.
      expect(read).toBeLessThan(2 * 1_200)
    }
    for (const offset of [count, 1_000_000_000]) expect(await rowsRead(tx, 'coin', () => page(offset))).toBe(0)
  })
})

test('behavior: only coins newer than the kept offsets are counted again', async () => {
  await using own = await openDatabase()
  await own.db.transaction(async (tx) => {
    await seed30k(tx)
    const query = createCoinQuery({ db: tx })
    const page = async () => {
      const state = (await query.network('mainnet'))!
      return query.latest({ state, after: null, offset: 25_000, limit: 1, standard: null })
    }
    const first = await page()
    await tx.run(
      `INSERT INTO coin (network_id, coin_type_hash, imported, shown, version, record)
       SELECT id, sha256('new'), false, true, 40000, '{}' FROM coin_network`,
    )
    await tx.run('UPDATE coin_network SET shown_version = 40000, version = version + 1')
    const read = await rowsRead(tx, 'coin', async () => {
      expect(await page()).not.toEqual(first)
    })
    expect(read).toBeLessThan(2 * 3_300)
  })
})

test('behavior: concurrent requests for deep pages share one reading of the offset marks', async () => {
  await using own = await openDatabase()
  await seed30k(own.db)
  let statements = 0
  const counting: Sql = {
    rows: (...requested) => {
      statements += 1
      return own.db.rows(...requested)
    },
    run: own.db.run,
  }
  const query = createCoinQuery({ db: counting })
  const state = (await query.network('mainnet'))!
  statements = 0
  const pages = await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      query.latest({ state, after: null, offset: 2_000 + 100 * i, limit: 1, standard: null }),
    ),
  )
  expect(pages.every(({ records }) => records.length === 1)).toBe(true)
  // One statement reads ten thousand coins. One more finds the end, and each page needs one.
  expect(statements).toBe(count / 10_000 + 1 + 200)
})
