import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { countingRows } from '../../../../test/rowsRead.ts'
import { seedBalances } from '../../../../test/seedBalances.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import type { Database } from '../../../db/database.ts'
import type { Address } from '../../../util/hex.ts'
import { createNftQuery } from '../createNftQuery.ts'
import { createHolderQuery } from './createHolderQuery.ts'

const address: Address = `0x${'5a'.repeat(20)}`

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await seedCollection(database.db, { address, tokens: [1n, 2n, 3n] })
})
afterAll(() => database.drop())

test('behavior: a holder list that outlasts its request is read once in the background and serves the next request', async () => {
  const { db } = database
  const state = (await createNftQuery({ db }).state(1n, address))!
  let reads = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const slow = {
    ...db,
    async transaction(work, settings) {
      reads++
      await released
      return db.transaction(work, settings)
    },
  } satisfies Database
  const holders = createHolderQuery({ db, background: slow, waitMs: 0 })
  const requested = { state, asOf: null, order: 'amount', after: null, limit: 10, minAmount: 0n } as const
  for (let i = 0; i < 2; i++) await expect(holders.page(requested)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  release()
  await expect.poll(() => holders.page(requested).catch(() => null)).toMatchObject({ count: expect.any(Number) })
  expect(reads).toBe(1)
})

test('behavior: holder lists read each balance about once, even while tables have no statistics', async () => {
  const { db } = database
  const erc1155: Address = `0x${'5b'.repeat(20)}`
  const [tokens, owners] = [20, 300]
  const balances = Array.from({ length: tokens * owners }, (_, i) => ({
    tokenId: BigInt(i % tokens),
    holder: `0x${(1 + Math.floor(i / tokens)).toString(16).padStart(40, '0')}` as const,
    amount: BigInt(i + 1),
  }))
  await seedBalances(db, erc1155, balances)
  const state = (await createNftQuery({ db }).state(1n, erc1155))!
  const counted: number[] = []
  const counting = countingRows(db, ({ balance = 0 }) => counted.push(balance))
  const holders = createHolderQuery({ db: counting })
  const page = await holders.page({ state, asOf: null, order: 'amount', after: null, limit: 10, minAmount: 0n })
  expect(page).toMatchObject({ count: owners })
  const of = { state, asOf: null }
  const first = await holders.balances({ ...of, after: null, limit: 299 })
  expect(first).toMatchObject({ count: owners, last: `0x${(299).toString(16).padStart(40, '0')}` })
  const { last } = first as { last: Address }
  const second = await holders.balances({ ...of, after: last, limit: 299 })
  const amounts = balances.slice(-tokens).map(({ tokenId, amount }) => `${tokenId}=${amount}`)
  expect(second).toEqual({ holders: `${last.slice(2, -3)}12c ${amounts.join('+')}`, last: null, count: owners })
  // Each balance counts in the index and in the table.
  for (const rows of counted) expect(rows).toBeLessThanOrEqual(3 * balances.length)
})

test('default: lists of owner addresses match the holders for every page size, from the balances and from the index', async () => {
  const { db } = database
  const contract: Address = `0x${'5c'.repeat(20)}`
  const count = 4_100
  const holderOf = (n: number): Address => `0x${((n * 7_919) % 65_537).toString(16).padStart(40, '0')}`
  const all = Array.from({ length: count }, (_, n) => holderOf(n + 1))
  const { partition, id } = await seedBalances(
    db,
    contract,
    all.map((holder, n) => ({ tokenId: BigInt(n % 3), holder, amount: 1n })),
  )
  const state = (await createNftQuery({ db }).state(1n, contract))!
  const of = { state, asOf: null }
  all.sort()

  async function check(): Promise<void> {
    const holders = createHolderQuery({ db })
    for (const limit of [700, 1_999, 2_000, 2_001, count - 1, count, 50_000, count]) {
      const found: string[] = []
      for (let after: Address | null = null; ; ) {
        const page = await holders.addresses({ ...of, after, limit })
        if (page === 'moved') throw new Error('the collection moved')
        expect(page.count).toBe(count)
        found.push(...(JSON.parse(`[${Buffer.concat(page.texts)}]`) as string[]))
        after = page.last
        if (after === null) break
        expect(found.length % limit).toBe(0)
      }
      expect(found).toEqual(all)
    }
  }
  await check()
  await db.run(
    `INSERT INTO holder (partition, collection_id, holder, amount, tokens)
     SELECT partition, collection_id, holder, amount, 1 FROM balance WHERE partition = $1 AND collection_id = $2`,
    [partition, id],
  )
  await db.run('DELETE FROM balance WHERE partition = $1 AND collection_id = $2', [partition, id])
  await db.run(
    `INSERT INTO holder_index (partition, collection_id, built, holders, pieces) VALUES ($1, $2, true, $3::int, $3::int)
     ON CONFLICT (partition, collection_id) DO UPDATE SET built = true, holders = excluded.holders, pieces = excluded.pieces`,
    [partition, id, count],
  )
  await check()
})
