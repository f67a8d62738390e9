import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import type { Address } from '../../../util/hex.ts'
import { countCollections, listCollections } from './collectionList.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('behavior: lists contain the last address of a chain, and the chain with the highest id', async () => {
  const { db } = database
  const highest = 9_223_372_036_854_775_807n
  const address: Address = `0x${'ff'.repeat(20)}`
  for (const chainId of [1n, 2n, highest]) await seedCollection(db, { address, chainId })
  const listed = async (chainId: bigint | null) => {
    const filter = { chainId, status: null, search: null }
    const { collections, next } = await listCollections(db, { ...filter, limit: 10, after: null })
    expect([collections.length, next]).toEqual([await countCollections(db, filter), null])
    return collections.map((collection) => collection.chainId)
  }
  expect(await listed(null)).toEqual([1n, 2n, highest])
  for (const chainId of [1n, 2n, highest]) expect(await listed(chainId)).toEqual([chainId])
})
