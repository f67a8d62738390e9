import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import { collectionHistory, coverOf } from './historyQueue.ts'
import { readRates } from './readingRate.ts'

const worker = 1
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await database.db.run(`INSERT INTO worker (host, pid, kinds, takes) VALUES ('here', 1, '{partition,chain}', NULL)`)
  await database.db.run(
    `INSERT INTO lease (kind, key, worker_id) SELECT 'partition', n, $1::int FROM generate_series(0, 255) n`,
    [worker],
  )
})
afterAll(() => database.drop())

/** Makes a collection with an unread history of blocks 1 to 10,000. Its time slice started `seconds` ago. */
async function syncing(n: number, seconds = 10) {
  const { db } = database
  const key = await seedCollection(db, {
    address: `0x${n.toString(16).padStart(40, '0')}`,
    columns: { status: 'syncing', from_block: 1n, to_block: null },
    chain: { block: 10_000n, head: 10_000n },
  })
  const ago = (column: string, s: number) =>
    db.run(`UPDATE collection SET ${column} = now() - make_interval(secs => $2) WHERE id = $1`, [key.id, s])
  await ago('turn_at', seconds)
  return {
    ago,
    read: async () => (await readRates(db, [key])).get(key.id),
    cover: (from: bigint, to: bigint) =>
      db.transaction((tx) => coverOf(tx, collectionHistory, key, { from, to }, worker)),
  }
}

test('default: reports the blocks of history read per second and the time left at that rate', async () => {
  const t = await syncing(1)
  expect(await t.read()).toBeUndefined()
  expect(await t.cover(1n, 1_000n)).toBe(true)
  const rate = (await t.read())!
  // The 1,000 blocks took 10 s plus the duration of this test.
  expect(rate.blocksPerSecond).toBeLessThanOrEqual(100)
  expect(rate.blocksPerSecond).toBeGreaterThan(1)
  expect(rate.secondsLeft! * rate.blocksPerSecond!).toBeGreaterThan(8_900)
  expect(rate.secondsLeft! * rate.blocksPerSecond!).toBeLessThan(9_300)
})

test('behavior: older blocks weigh little in the rate, and after a long pause there is no rate', async () => {
  const t = await syncing(2)
  await t.cover(1n, 9_000n)
  await t.ago('covered_at', 200)
  const paused = (await t.read())!.blocksPerSecond
  expect(paused).toBeLessThan(45)
  expect(paused).toBeGreaterThan(20)
  await t.cover(9_001n, 9_100n)
  // Of the first 9,000 blocks and 10 s about 320 blocks and 0.4 s still count. The 100 blocks and 200 s since then count fully.
  const later = (await t.read())!.blocksPerSecond
  expect(later).toBeLessThan(3)
  expect(later).toBeGreaterThan(1)
  await t.ago('covered_at', 301)
  expect(await t.read()).toBeUndefined()
})

test('behavior: a collection with complete history has no rate', async () => {
  const t = await syncing(3)
  await t.cover(1n, 10_000n)
  expect((await t.read())?.secondsLeft).toBe(0)
  await database.db.run(`UPDATE collection SET status = 'live'`)
  expect(await t.read()).toBeUndefined()
})
