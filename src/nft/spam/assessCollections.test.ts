import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { patience } from '../../../test/patience.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import { temporaryFolder } from '../../../test/temporaryFolder.ts'
import type { Database } from '../../db/database.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import { type Address, bufferToHex, hexToBuffer } from '../../util/hex.ts'
import { noopLog } from '../../util/log.ts'
import { assessCollections, readUnassessed } from './assessCollections.ts'
import { createLists } from './createLists.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** Assesses collections by lists in files until the signal. */
function assess(sources: Record<'spam' | 'verified', string[]>, signal: AbortSignal): Promise<void> {
  const held = () => new Set(Array.from({ length: 256 }, (_, i) => BigInt(i)))
  const http = { get: () => Promise.reject(new TypeError('no list has an address')) }
  return assessCollections({
    leases: { held } as unknown as Leases,
    db: database.db,
    lists: createLists({ sources, chains: [], http, log: noopLog }),
    settings: { refreshMs: 60_000, spamThreshold: 50 },
    log: noopLog,
    signal,
  })
}

const address = (digit: string): Address => `0x${digit.repeat(40)}`

test('behavior: a spam list outweighs a verified list, and a verified list outweighs the rules', async () => {
  const { db } = database
  const folder = await temporaryFolder()
  const [spam, verified] = [join(folder, 'spam.txt'), join(folder, 'verified.txt')]
  const [both, onSpam, onVerified, ruled, plain, linked] = ['1', '2', '3', '4', '5', '6'].map(address) as [
    Address,
    Address,
    Address,
    Address,
    Address,
    Address,
  ]
  await writeFile(spam, [both, onSpam].join('\n'))
  await writeFile(verified, [both, onVerified].join('\n'))
  const begging = 'Claim 5000$ at usdc-gift.com'
  for (const [contract, name] of [
    [both, 'Both'],
    [onSpam, 'Listed'],
    [onVerified, begging],
    [ruled, begging],
    [plain, 'Plain'],
    [linked, 'Linked'],
  ] as const)
    await seedCollection(db, { address: contract, columns: { name } })
  const stopping = new AbortController()
  const running = assess({ spam: [spam], verified: [verified] }, stopping.signal)
  const read = async () =>
    (
      await db.rows<[Buffer, boolean, boolean, string[]]>(
        'SELECT address, possible_spam, verified, spam_reasons FROM collection WHERE assessed_at IS NOT NULL',
      )
    ).map(([contract, ...rest]) => [bufferToHex(contract), rest] as const)
  await expect.poll(async () => (await read()).length, patience).toBe(6)
  // Records with include=spam contain the score, so the version of cached pages changes.
  const scored = async () =>
    (
      await db.rows<[number, bigint]>('SELECT spam_score, version FROM collection WHERE address = $1', [
        hexToBuffer(linked),
      ])
    )[0]!
  const [, version] = await scored()
  await db.run(`UPDATE collection SET name = 'Linked at example.org', assessed_at = NULL WHERE address = $1`, [
    hexToBuffer(linked),
  ])
  await expect.poll(async () => (await scored())[0], patience).toBe(35)
  expect(await scored()).toEqual([35, version + 1n])
  stopping.abort()
  await running
  const found = new Map(await read())
  expect(found.get(both)).toEqual([true, true, [`on the list ${spam}`, `verified by the list ${verified}`]])
  expect(found.get(onSpam)).toEqual([true, false, [`on the list ${spam}`]])
  expect(found.get(onVerified)?.slice(0, 2)).toEqual([false, true])
  expect(found.get(ruled)?.slice(0, 2)).toEqual([true, false])
  expect(found.get(plain)).toEqual([false, false, []])
})

test('behavior: a list that changes also marks known contracts that were assessed before', async () => {
  const { db } = database
  const spam = join(await temporaryFolder(), 'spam.txt')
  const [listed, other] = [address('a'), address('b')]
  await writeFile(spam, listed)
  const columns = { status: 'known', name: 'Known', checked_at: new Date(0), assessed_at: new Date() }
  for (const contract of [listed, other]) await seedCollection(db, { address: contract, columns })
  const stopping = new AbortController()
  const running = assess({ spam: [spam], verified: [] }, stopping.signal)
  const isSpam = async (contract: Address) =>
    (await db.rows('SELECT possible_spam FROM collection WHERE address = $1', [hexToBuffer(contract)]))[0]![0]
  await expect.poll(() => isSpam(listed), patience).toBe(true)
  expect(await isSpam(other)).toBe(false)
  stopping.abort()
  await running
})

/** Assesses until a condition is true. */
async function assessUntil(
  sources: Record<'spam' | 'verified', string[]>,
  condition: () => Promise<boolean>,
): Promise<void> {
  const stopping = new AbortController()
  const running = assess(sources, stopping.signal)
  await expect.poll(condition, patience).toBe(true)
  stopping.abort()
  await running
}

const seedKnown = (contract: Address) =>
  seedCollection(database.db, { address: contract, columns: { status: 'known', checked_at: new Date(0) } })

async function stateOf(contract: Address): Promise<{ assessedAt: Date | null; isSpam: boolean }> {
  const [row] = await database.db.rows<[Date | null, boolean]>(
    'SELECT assessed_at, possible_spam FROM collection WHERE address = $1',
    [hexToBuffer(contract)],
  )
  return { assessedAt: row![0], isSpam: row![1] }
}

const isAssessed = (contract: Address) => async () => (await stateOf(contract)).assessedAt !== null

test('behavior: a restart with the same lists assesses nothing again, and one without a list assesses everything', async () => {
  const folder = await temporaryFolder()
  const [first, second] = [join(folder, 'first.txt'), join(folder, 'second.txt')]
  const lists = { spam: [first], verified: [second] }
  await writeFile(first, [address('a'), address('b')].join('\n'))
  await writeFile(second, [address('b'), address('a'), address('b')].join('\n'))
  const [contract, later] = [address('c'), address('d')]
  await seedKnown(contract)
  await assessUntil(lists, async () => (await isAssessed(contract)()) && (await everyBasisIsEqual()))
  const before = await stateOf(contract)
  await writeFile(first, [address('b'), address('a')].join('\n'))
  await seedKnown(later)
  await assessUntil(lists, isAssessed(later))
  expect(await stateOf(contract)).toEqual(before)
  expect(await everyBasisIsEqual()).toBe(true)
  const isAgain = async () => ((await stateOf(contract)).assessedAt ?? before.assessedAt)! > before.assessedAt!
  await assessUntil({ ...lists, verified: [] }, isAgain)
})

/** Whether the same lists decided all assessments. */
async function everyBasisIsEqual(): Promise<boolean> {
  const rows = await database.db.rows('SELECT DISTINCT assessed_by FROM collection WHERE assessed_at IS NOT NULL')
  return rows.length === 1
}

test('behavior: contracts that were assessed while a list was unreadable are assessed again', async () => {
  const spam = join(await temporaryFolder(), 'spam.txt')
  const lists = { spam: [spam], verified: [] }
  const [other, listed]: [Address, Address] = [`0x${'9e'.repeat(20)}`, `0x${'9f'.repeat(20)}`]
  await writeFile(spam, listed)
  await seedKnown(other)
  await assessUntil(lists, async () => (await isAssessed(other)()) && (await everyBasisIsEqual()))
  await rm(spam)
  await seedKnown(listed)
  await assessUntil(lists, isAssessed(listed))
  expect(await stateOf(listed)).toMatchObject({ isSpam: false })
  await writeFile(spam, listed)
  await assessUntil(lists, async () => (await stateOf(listed)).isSpam)
})

test('behavior: a list that is unreadable at the start takes no mark away, and other lists take effect', async () => {
  const folder = await temporaryFolder()
  const [changed, kept, trusted] = ['changed.txt', 'kept.txt', 'trusted.txt'].map((file) => join(folder, file)) as [
    string,
    string,
    string,
  ]
  const lists = { spam: [changed, kept], verified: [trusted] }
  const [listed, added]: [Address, Address] = [`0x${'8e'.repeat(20)}`, `0x${'8f'.repeat(20)}`]
  await writeFile(changed, address('a'))
  await writeFile(kept, listed)
  await writeFile(trusted, listed)
  await seedKnown(listed)
  await seedKnown(added)
  await assessUntil(lists, async () => (await isAssessed(added)()) && (await everyBasisIsEqual()))
  const before = await stateOf(listed)
  await rm(kept)
  await rm(trusted)
  await writeFile(changed, added)
  const isAgain = async () => ((await stateOf(listed)).assessedAt ?? before.assessedAt)! > before.assessedAt!
  await assessUntil(lists, async () => (await stateOf(added)).isSpam && (await isAgain()))
  const [row] = await database.db.rows(
    'SELECT possible_spam, verified, spam_reasons FROM collection WHERE address = $1',
    [hexToBuffer(listed)],
  )
  expect(row).toEqual([true, true, expect.arrayContaining([`on the list ${kept}`, `verified by the list ${trusted}`])])
  await writeFile(kept, address('a'))
  await assessUntil(lists, async () => !(await stateOf(listed)).isSpam)
})

test('behavior: the contract that was named last is assessed first, as pages of wallets wait for it', async () => {
  const { db } = database
  for (const [digit, name] of [
    ['7', 'Old'],
    ['8', 'New'],
  ] as const)
    await seedCollection(db, { address: address(digit), columns: { status: 'known', name } })
  await db.run(
    `UPDATE collection SET checked_at = now() - CASE WHEN name = 'Old' THEN interval '1 day' ELSE interval '0' END WHERE name IN ('Old', 'New')`,
  )
  const due = await readUnassessed(
    db,
    Array.from({ length: 256 }, (_, i) => BigInt(i)),
    0n,
  )
  expect(due.map(({ name }) => name).slice(0, 2)).toEqual(['New', 'Old'])
})

/** A database with `each` known contracts in each of the partitions 1 and 2, which the basis 1 assessed. */
async function seedAssessed(each: number): Promise<Database> {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  await db.run(
    `INSERT INTO collection (partition, chain_id, address, status, checked_at, assessed_at, assessed_by)
     SELECT p, 1, decode(lpad(to_hex(n * 2 + p), 40, '0'), 'hex'), 'known', now(), now(), 1
     FROM generate_series(1, $1) n, generate_series(1, 2) p`,
    [each],
  )
  return db
}

/** Assesses the next collections of a process with this basis, and returns how many there were in partitions 1 and 2. */
async function assessNext(db: Database, basis: bigint, ...held: bigint[]): Promise<number[]> {
  const due = await readUnassessed(db, held, basis)
  await db.run('UPDATE collection SET assessed_at = now(), assessed_by = $2 WHERE id = ANY($1::bigint[])', [
    due.map(({ id }) => id),
    basis,
  ])
  return [1, 2].map((of) => due.filter(({ partition }) => partition === of).length)
}

test('behavior: another basis assesses everything once, in small steps', async () => {
  const db = await seedAssessed(25)
  expect(await assessNext(db, 1n, 1n, 2n)).toEqual([0, 0])
  expect(await assessNext(db, 2n, 1n, 2n)).toEqual([20, 0])
  expect(await assessNext(db, 2n, 1n, 2n)).toEqual([5, 15])
  expect(await assessNext(db, 2n, 1n, 2n)).toEqual([0, 10])
  expect(await assessNext(db, 2n, 1n, 2n)).toEqual([0, 0])
})

test('behavior: processes with different lists renew only their own partitions, and the next holder those of another', async () => {
  const db = await seedAssessed(3)
  for (const due of [
    [0, 3],
    [0, 0],
  ]) {
    expect(await assessNext(db, 2n, 2n)).toEqual(due)
    expect(await assessNext(db, 1n, 1n)).toEqual([0, 0])
  }
  expect(await assessNext(db, 2n, 1n, 2n)).toEqual([3, 0])
})

test.each([1n, 2n, 3n])(
  'behavior: an interrupted renewal is continued by each later basis, such as %s',
  async (basis) => {
    const db = await seedAssessed(25)
    expect(await assessNext(db, 2n, 1n)).toEqual([20, 0])
    const read: number[] = []
    do read.push((await assessNext(db, basis, 1n))[0]!)
    while (read.at(-1)! > 0)
    expect(read.reduce((sum, n) => sum + n)).toBe({ 1: 20, 2: 5, 3: 25 }[Number(basis)])
  },
)

test('behavior: unassessed contracts are assessed before those of another basis', async () => {
  const db = await seedAssessed(25)
  await db.run('UPDATE collection SET assessed_at = NULL WHERE partition = 2')
  const due = await readUnassessed(db, [1n, 2n], 2n)
  expect(due.map(({ partition }) => partition)).toEqual([...Array(20).fill(2), ...Array(20).fill(1)])
})

test('behavior: a collection that was syncing during the renewal is renewed once it is live', async () => {
  const db = await seedAssessed(3)
  await db.run(`UPDATE collection SET status = 'syncing' WHERE partition = 1`)
  expect(await assessNext(db, 2n, 1n, 2n)).toEqual([0, 3])
  await db.run(`UPDATE collection SET status = 'live' WHERE partition = 1`)
  expect(await assessNext(db, 2n, 1n, 2n)).toEqual([3, 0])
})
