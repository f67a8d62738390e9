import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import type { Address } from '../../util/hex.ts'
import { nextUnswept } from '../metadata/store/sweep.ts'
import { goLive } from './liveCollections.ts'
import { confirmIdentity, markUncertain, readUncertain } from './uncertainIdentities.ts'

const address: Address = `0x${'ab'.repeat(20)}`
const all = Array.from({ length: 256 }, (_, i) => BigInt(i))

test('behavior: a reorg below the last block of history makes a collection uncertain, and its metadata is read again', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const columns = { status: 'syncing', learned_block: 900n, coverage: '{[10,1001)}' }
  const key = await seedCollection(db, { address, tokens: [1n], columns })
  await db.transaction((tx) => goLive(tx, key, { from: 1_000n, to: 1_000n }))
  await db.run(`UPDATE collection SET metadata_unswept = false, metadata_stale = '{}'`)
  await db.transaction((tx) => markUncertain(tx, 1n, 1_000n))
  expect(await readUncertain(db, 1n)).toEqual([])
  await db.transaction((tx) => markUncertain(tx, 1n, 999n))
  const [uncertain] = await readUncertain(db, 1n)
  expect(uncertain).toMatchObject(key)
  expect(await nextUnswept(db, all)).toBeUndefined()
  await db.transaction((tx) => confirmIdentity(tx, uncertain!, 1_000n))
  expect(await readUncertain(db, 1n)).toEqual([])
  expect(await nextUnswept(db, all)).toEqual(key)
})
