import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { lockWaits } from '../../../test/lockWaits.ts'
import { onCluster } from '../../../test/onCluster.ts'
import { noopLog } from '../../util/log.ts'
import { createDatabase, type Database, type Transaction } from '../database.ts'
import { createStagingCleaner, stages, withStagingTables } from './stagingTables.ts'

/** For tests that measure files of the connected server: a cluster's staging tables are on its nodes, see test/citus/stagingTables.test.ts. */
const testHere = test.skipIf(onCluster)

const megabyte = 1_048_576
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(() => database.db.transaction((tx) => tx.script('TRUNCATE stage_gone')))

const cleaner = (db: Database) => createStagingCleaner({ db, log: noopLog })

/** A transaction that fills staging tables with `megabytes`, as merges leave them. */
async function fill(tx: Transaction, megabytes: number): Promise<void> {
  await withStagingTables(tx, { stages: ['stage_gone'] }, () =>
    tx.run(`INSERT INTO stage_gone SELECT 1, n, gen_random_uuid() FROM generate_series(1, $1) n`, [megabytes * 16_000]),
  )
}

async function stagingBytes(): Promise<number> {
  const [row] = await database.db.rows<[bigint]>(`SELECT pg_table_size('stage_gone')::int8`)
  return Number(row![0])
}

/** Keeps the transaction of `work` open until the returned function is called. */
async function hold(work: (tx: Transaction) => Promise<unknown>): Promise<() => Promise<void>> {
  const started = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const over = database.db.transaction(async (tx) => {
    await work(tx)
    started.resolve()
    await end.promise
  })
  const release = async () => {
    end.resolve()
    await over
  }
  onTestFinished(release)
  await started.promise
  return release
}

test('default: staging tables are the unlogged tables', async () => {
  const unlogged = await database.db.rows<[string]>(
    `SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relpersistence = 'u' AND relkind = 'r'`,
  )
  expect(unlogged.map(([name]) => name).sort()).toEqual(stages.toSorted())
})

testHere('behavior: an unused stage is truncated once it is large', async () => {
  const clean = cleaner(database.db)
  await database.db.transaction((tx) => fill(tx, 2))
  expect(await stagingBytes()).toBeGreaterThan(megabyte)
  // PostgreSQL's own autovacuum may be running.
  await expect.poll(() => clean().then(stagingBytes)).toBe(0)
})

testHere('behavior: the space of dead rows is reused even if there is always a running merge', async () => {
  const clean = cleaner(database.db)
  for (let round = 0; round < 5; round++) {
    const release = await hold((tx) => tx.run('INSERT INTO stage_gone (partition) VALUES (2)'))
    await database.db.transaction((tx) => fill(tx, 2))
    await clean()
    await release()
  }
  expect(await stagingBytes()).toBeLessThan(6 * megabyte)
})

test('behavior: a merge continues while its stage is cleaned', async () => {
  await database.db.transaction((tx) => fill(tx, 2))
  await database.db.transaction(async (tx) => {
    await withStagingTables(tx, { stages: ['stage_gone'] }, async () => {
      await tx.run('INSERT INTO stage_gone (partition) VALUES (2)')
      await cleaner(database.db)()
      expect(await tx.rows('SELECT partition FROM stage_gone')).toEqual([[2]])
    })
  })
})

testHere('behavior: a stage whose dead rows are held by a snapshot is truncated between two merges', async () => {
  const { db } = database
  const endSnapshot = await hold(async (tx) => {
    await tx.script('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await tx.rows('SELECT count(*) FROM chain')
  })
  const endMerge = await hold((tx) => tx.run('INSERT INTO stage_gone (partition) VALUES (2)'))
  await db.transaction((tx) => fill(tx, 2))
  await cleaner(db)()
  await db.transaction((tx) => fill(tx, 2))
  // The snapshot keeps the rows of the first fill, so their space is not free yet.
  expect(await stagingBytes()).toBeGreaterThan(3 * megabyte)
  const cleaned = createStagingCleaner({
    db,
    log: noopLog,
    pressing: { bytes: 2 * megabyte, waitMs: 30_000, patienceMs: 0 },
  })()
  await expect.poll(() => lockWaits(db)).toBe(1)
  await endMerge()
  await cleaned
  expect(await stagingBytes()).toBe(0)
  await endSnapshot()
})

testHere('behavior: the cleaner tries to lock a long-held stage once, then leaves merges alone', async () => {
  const endMerge = await hold((tx) => tx.run('INSERT INTO stage_gone (partition) VALUES (2)'))
  await database.db.transaction((tx) => fill(tx, 2))
  const failed: unknown[] = []
  const onError = (error: unknown) => failed.push(error)
  const counted = createDatabase({ connection: database.connection, poolSize: 1, log: noopLog, onError })
  onTestFinished(() => counted.close())
  const clean = createStagingCleaner({
    db: counted,
    log: noopLog,
    pressing: { bytes: megabyte, waitMs: 1, patienceMs: 30_000 },
  })
  await clean()
  expect(failed).toHaveLength(1)
  await clean()
  expect(failed).toHaveLength(1)
  await endMerge()
})

testHere('behavior: if merges outlast the first lock wait, a later and longer wait truncates the stage', async () => {
  const { db } = database
  await db.transaction((tx) => fill(tx, 2))
  let over = false
  const merges = Array.from({ length: 3 }, async () => {
    while (!over)
      await db.transaction(async (tx) => {
        await tx.run('INSERT INTO stage_gone (partition) VALUES (2)')
        await tx.rows('SELECT pg_sleep(0.1)')
        await tx.run('DELETE FROM stage_gone')
      })
  })
  const clean = createStagingCleaner({ db, log: noopLog, pressing: { bytes: megabyte, waitMs: 20, patienceMs: 0 } })
  await expect.poll(() => clean().then(stagingBytes)).toBeLessThan(megabyte)
  over = true
  await Promise.all(merges)
})

testHere(
  'behavior: the cleaner yields to a merge behind it that holds a lock which the running merge needs',
  async () => {
    const { db } = database
    await db.transaction((tx) => fill(tx, 2))
    const insert = 'INSERT INTO stage_gone (partition) VALUES (2)'
    const lock = 'SELECT pg_advisory_xact_lock(17)'
    const untilWaiting = (count: number) => expect.poll(() => lockWaits(db)).toBe(count)
    const pressing = { bytes: megabyte, waitMs: 60_000, patienceMs: 0 }
    let cleaned: Promise<unknown> = Promise.resolve()
    let second: Promise<unknown> = Promise.resolve()
    await db.transaction(async (tx) => {
      await tx.run(insert)
      const locked = Promise.withResolvers<void>()
      second = db.transaction(async (next) => {
        await next.rows(lock)
        locked.resolve()
        await untilWaiting(1)
        await next.run(insert)
      })
      await locked.promise
      cleaned = createStagingCleaner({ db, log: noopLog, pressing })()
      await untilWaiting(2)
      await tx.rows(lock)
    })
    await Promise.all([second, cleaned])
    expect(await stagingBytes()).toBe(0)
  },
)

test('behavior: the cleaner never waits for a stage that pg_dump holds', async () => {
  const { db } = database
  const endDump = await hold((tx) => tx.script('LOCK TABLE stage_gone IN ACCESS SHARE MODE'))
  await db.transaction((tx) => fill(tx, 2))
  const failed: unknown[] = []
  const onError = (error: unknown) => failed.push(error)
  const counted = createDatabase({ connection: database.connection, poolSize: 1, log: noopLog, onError })
  onTestFinished(() => counted.close())
  const pressing = { bytes: megabyte, waitMs: 1, patienceMs: 0 }
  await createStagingCleaner({ db: counted, log: noopLog, pressing })()
  expect(failed).toEqual([])
  await endDump()
})

testHere('error: a user who does not own the stages cleans none, without an error', async () => {
  const user = `reader_${randomBytes(4).toString('hex')}`
  await database.db.run(`CREATE ROLE ${user} LOGIN`)
  await database.db.run(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${user}`)
  const db = createDatabase({ connection: { ...database.connection, user }, poolSize: 1, log: noopLog })
  onTestFinished(async () => {
    await db.close()
    await database.db.run(`DROP OWNED BY ${user}`)
    await database.db.run(`DROP ROLE ${user}`)
  })
  await database.db.transaction((tx) => fill(tx, 2))
  await cleaner(db)()
  expect(await stagingBytes()).toBeGreaterThan(megabyte)
})
