import { expect, onTestFinished, test } from 'vitest'
import { countStatements } from '../../../../test/countStatements.ts'
import { createTestDatabase } from '../../../../test/database.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { requestAllMetadata } from '../../metadata/store/sweep.ts'
import { readCollectionDetail } from './collectionDetail.ts'
import { keepByCost } from './keepByCost.ts'

test('behavior: while a page polls a large collection, its tokens are not counted again, and everything else is current', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const key = await seedCollection(db, { address: `0x${'ab'.repeat(20)}`, tokens: [1n] })
  // On this clock each count takes a second.
  let ms = 0
  const { counted, statements } = countStatements({
    ...db,
    transaction: (...requested) => {
      ms += 1_000
      return db.transaction(...requested)
    },
  })
  const kept = keepByCost({ most: 10, now: () => ms })
  const read = (epoch = 'a') => readCollectionDetail(counted, { ...key, epoch }, { countMs: 60_000, kept })
  const first = await read()
  expect(first?.metadata).toMatchObject({ ok: 0n, sweep: null })
  expect(ms).toBe(3_000)
  const atFirst = statements()
  await requestAllMetadata(db, key)
  const second = await read()
  expect(second?.metadata).toMatchObject({ ok: 0n, sweep: {} })
  expect({ ...second, metadata: null }).toEqual({ ...first, metadata: null })
  expect(statements()).toBe(2 * atFirst - 3)
  expect(ms).toBe(3_000)
  // A restored database can give the id to another collection.
  await read('b')
  expect(ms).toBe(6_000)
})
