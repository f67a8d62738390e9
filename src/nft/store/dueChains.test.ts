import { expect, test, vi } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import type { Sql } from '../../db/database.ts'
import { createDueChains, createWantedChains } from './dueChains.ts'

const partitions = Array.from({ length: 256 }, (_, i) => BigInt(i))
const chains = [1n, 2n, 3n]
const none: ReadonlySet<bigint> = new Set()
const served = { chains, partitions, lent: new Map() }

async function open() {
  const database = await createTestDatabase()
  const { db } = database
  const requested: string[] = []
  const sql: Sql = {
    ...db,
    rows(text, values) {
      requested.push(text)
      return db.rows(text, values)
    },
  }
  async function add(chain: bigint, status: string, pauseMs: number): Promise<void> {
    await db.run(
      `INSERT INTO collection (partition, chain_id, address, status, turn_at, retry_at)
       VALUES (1, $1, decode(lpad(to_hex($1::int8), 40, '0'), 'hex'), $2, now() - interval '1 day', now() + make_interval(secs => $3))`,
      [chain, status, pauseMs / 1_000],
    )
  }
  return { database, db, sql, requested, add }
}

test('default: returns the chains with due collections, the longest waiting first', async () => {
  const { database, sql, add } = await open()
  await add(1n, 'queued', -1_000)
  await add(2n, 'failed', 60_000)
  await add(3n, 'syncing', -2_000)
  expect(await createDueChains(sql)(served, none)).toEqual([3n, 1n])
  await database.drop()
})

test('behavior: a chain without due collections is queried again only when that may have changed', async () => {
  const { database, sql, requested, add } = await open()
  vi.useFakeTimers({ toFake: ['performance'] })
  await add(1n, 'failed', 2_000)
  const dueChains = createDueChains(sql)
  expect(await dueChains(served, none)).toEqual([])
  expect(requested).toHaveLength(3)
  vi.advanceTimersByTime(1_000)
  expect(await dueChains(served, none)).toEqual([])
  expect(requested).toHaveLength(3)
  // The collection of chain 1 is due now. The other chains are queried again after five seconds.
  vi.advanceTimersByTime(1_500)
  await dueChains(served, none)
  expect(requested).toHaveLength(4)
  vi.advanceTimersByTime(3_000)
  await dueChains(served, none)
  expect(requested.length).toBeGreaterThan(5)
  // A wake-up for all chains queries all of them.
  const before = requested.length
  await dueChains(served, 'all')
  expect(requested).toHaveLength(before + 3)
  // A wake-up for one chain queries this chain.
  await dueChains(served, new Set([2n]))
  expect(requested).toHaveLength(before + 4)
  vi.useRealTimers()
  await database.drop()
})

test('behavior: a chain is wanted from its first collection until five seconds after its last, with one query for all others', async () => {
  const { database, db, sql, requested, add } = await open()
  vi.useFakeTimers({ toFake: ['performance'] })
  const wanted = createWantedChains(sql)
  expect(await wanted(chains, none)).toEqual([])
  expect(requested).toHaveLength(3)
  await add(2n, 'queued', 0)
  expect(await wanted(chains, none)).toEqual([2n])
  expect(requested).toHaveLength(4)
  expect(await wanted(chains, none)).toEqual([2n])
  // The loop wakes when a collection of the chain begins or is complete.
  const before = requested.length
  expect(await wanted(chains, new Set([2n]))).toEqual([2n])
  expect(requested).toHaveLength(before + 1)
  await db.run('DELETE FROM collection')
  expect(await wanted(chains, none)).toEqual([2n])
  expect(await wanted(chains, 'all')).toEqual([])
  await add(3n, 'live', 0)
  vi.advanceTimersByTime(5_001)
  expect(await wanted(chains, none)).toEqual([3n])
  vi.useRealTimers()
  await database.drop()
})
