import { expect, onTestFinished, test } from 'vitest'
import { countStatements } from '../../../test/countStatements.ts'
import { createTestDatabase } from '../../../test/database.ts'
import type { Database } from '../../db/database.ts'
import { createRenewal, type Renewal, renewedAtOnce } from './createRenewal.ts'

/** A database with known contracts that were assessed: `each` in each of the partitions 1 and 2. */
async function seed(each: number): Promise<Database> {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  await db.run(
    `INSERT INTO collection (partition, chain_id, address, status, checked_at)
     SELECT p, 1, decode(lpad(to_hex(n * 2 + p), 40, '0'), 'hex'), 'known', now() FROM generate_series(1, $1) n, generate_series(1, 2) p`,
    [each],
  )
  await assess(db, 1n, 2n)
  return db
}

async function assess(db: Database, ...partitions: bigint[]): Promise<void> {
  await db.run('UPDATE collection SET assessed_at = now() WHERE partition = ANY($1::smallint[])', [partitions])
}

/** How many contracts of each partition are to be assessed. */
async function dueIn(db: Database, ...partitions: number[]): Promise<number[]> {
  const rows = await db.rows<[number, bigint]>(
    'SELECT partition, count(*) FROM collection WHERE assessed_at IS NULL GROUP BY partition',
  )
  return partitions.map((partition) => Number(rows.find(([of]) => of === partition)?.[1] ?? 0))
}

async function renewAll(renewal: Renewal, held: bigint[], basis: string): Promise<void> {
  while (await renewal.renew(new Set(held), basis));
}

test('default: another basis makes everything due once, also after a restart', async () => {
  const db = await seed(3)
  const all = Array.from({ length: 256 }, (_, i) => BigInt(i))
  await renewAll(createRenewal({ db }), all, 'a')
  expect(await dueIn(db, 1, 2)).toEqual([3, 3])
  await assess(db, 1n, 2n)
  await renewAll(createRenewal({ db }), all, 'a')
  expect(await dueIn(db, 1, 2)).toEqual([0, 0])
  await renewAll(createRenewal({ db }), all, 'b')
  expect(await dueIn(db, 1, 2)).toEqual([3, 3])
})

test('behavior: a statement changes a bounded number of rows', async () => {
  const db = await seed(renewedAtOnce + 10)
  const renewal = createRenewal({ db })
  const due: number[][] = []
  do due.push(await dueIn(db, 1, 2))
  while (await renewal.renew(new Set([1n, 2n]), 'a'))
  due.push(await dueIn(db, 1, 2))
  // A partition is complete once a step finds nothing more in it.
  expect(due).toEqual([
    [0, 0],
    [renewedAtOnce, 0],
    [renewedAtOnce + 10, 0],
    [renewedAtOnce + 10, 0],
    [renewedAtOnce + 10, renewedAtOnce],
    [renewedAtOnce + 10, renewedAtOnce + 10],
    [renewedAtOnce + 10, renewedAtOnce + 10],
  ])
})

test('behavior: a new server stores the basis of all partitions at once, and checks it without a statement', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const { counted, statements } = countStatements(db)
  const renewal = createRenewal({ db: counted })
  const held = Array.from({ length: 256 }, (_, i) => BigInt(i))
  await renewAll(renewal, held, 'a')
  expect(statements()).toBe(3)
  await renewAll(renewal, held, 'a')
  expect(statements()).toBe(3)
  renewal.checkAgain()
  await renewAll(renewal, held, 'a')
  expect(statements()).toBe(4)
})

test('behavior: processes with different lists renew only their own partitions, and each one once', async () => {
  const db = await seed(3)
  const [old, other] = [createRenewal({ db }), createRenewal({ db })]
  await renewAll(old, [1n, 2n], 'old')
  await assess(db, 1n, 2n)
  await renewAll(other, [2n], 'new')
  expect(await dueIn(db, 1, 2)).toEqual([0, 3])
  await assess(db, 2n)
  for (let round = 0; round < 3; round++) {
    old.checkAgain()
    await renewAll(old, [1n], 'old')
    other.checkAgain()
    await renewAll(other, [2n], 'new')
  }
  expect(await dueIn(db, 1, 2)).toEqual([0, 0])
  // The process with the old lists reads the new ones later.
  await renewAll(old, [1n], 'new')
  expect(await dueIn(db, 1, 2)).toEqual([3, 0])
})

test('behavior: a partition that another process assessed by other lists is renewed by its next holder', async () => {
  const db = await seed(3)
  const [old, other] = [createRenewal({ db }), createRenewal({ db })]
  await renewAll(other, [1n, 2n], 'new')
  await renewAll(old, [2n], 'old')
  await assess(db, 1n, 2n)
  await renewAll(other, [1n], 'new')
  expect(await dueIn(db, 1, 2)).toEqual([0, 0])
  await renewAll(other, [1n, 2n], 'new')
  expect(await dueIn(db, 1, 2)).toEqual([0, 3])
})

test('behavior: a renewal that a process did not complete continues in the next one', async () => {
  const db = await seed(renewedAtOnce + 10)
  await createRenewal({ db }).renew(new Set([1n]), 'a')
  expect(await dueIn(db, 1)).toEqual([renewedAtOnce])
  await renewAll(createRenewal({ db }), [1n], 'a')
  expect(await dueIn(db, 1)).toEqual([renewedAtOnce + 10])
})

test('behavior: an interrupted renewal is renewed by each later basis, also by the one before it', async () => {
  const db = await seed(renewedAtOnce + 10)
  await renewAll(createRenewal({ db }), [1n, 2n], 'old')
  await assess(db, 1n, 2n)
  await createRenewal({ db }).renew(new Set([1n, 2n]), 'new')
  await assess(db, 1n, 2n)
  await renewAll(createRenewal({ db }), [1n, 2n], 'old')
  expect(await dueIn(db, 1, 2)).toEqual([renewedAtOnce + 10, renewedAtOnce + 10])
})

test.each(['old', 'new'])(
  'behavior: a renewal begins again if another process held the partition meanwhile, with the lists %s',
  async (between) => {
    const db = await seed(renewedAtOnce + 10)
    const [renewal, other] = [createRenewal({ db }), createRenewal({ db })]
    await renewal.renew(new Set([1n]), 'new')
    await assess(db, 1n)
    // The other process loses the partition before its renewal is complete.
    await other.renew(new Set([1n]), between)
    await assess(db, 1n)
    await renewAll(renewal, [1n], 'new')
    expect(await dueIn(db, 1)).toEqual([renewedAtOnce + 10])
  },
)

test('behavior: a renewal that takes longer than a refresh of the lists continues', async () => {
  const db = await seed(renewedAtOnce + 10)
  const renewal = createRenewal({ db })
  await renewal.renew(new Set([1n]), 'a')
  await assess(db, 1n)
  renewal.checkAgain()
  await renewAll(renewal, [1n], 'a')
  expect(await dueIn(db, 1)).toEqual([10])
})

test('behavior: a collection that was syncing during the renewal is renewed too', async () => {
  const db = await seed(3)
  await db.run(`UPDATE collection SET status = 'syncing' WHERE partition = 1`)
  await renewAll(createRenewal({ db }), [1n, 2n], 'a')
  expect(await dueIn(db, 1, 2)).toEqual([3, 3])
})
