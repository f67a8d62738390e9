import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
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

test('behavior: a list that takes longer than a request is read on, once, and serves the next one', async () => {
  const { db } = database
  const state = (await createNftQuery({ db }).state(1n, address))!
  let reads = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const slow = {
    ...db,
    async rows(text: string, values?: unknown[]) {
      reads++
      await released
      return db.rows(text, values)
    },
  } as Database
  const holders = createHolderQuery({ db, background: slow, waitMs: 0 })
  const asked = { state, asOf: null, order: 'amount', after: null, limit: 10, minAmount: 0n } as const
  for (let i = 0; i < 2; i++) await expect(holders.page(asked)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  release()
  await expect.poll(() => holders.page(asked).catch(() => null)).toMatchObject({ count: expect.any(Number) })
  expect(reads).toBe(1)
})
