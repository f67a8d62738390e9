import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import type { Transaction } from '../../db/database.ts'
import { takeSlices } from './collectionStore.ts'
import { postponeNames, readUnnamed } from './knownContracts.ts'
import { demoteCollection, goLive, releaseLive, releaseParts } from './liveCollections.ts'

const all = Array.from({ length: 256 }, (_, i) => BigInt(i))
type Key = { partition: number; id: bigint }

test.each([
  { name: 'releaseLive', release: (tx: Transaction) => releaseLive(tx, 1n, 1_000n) },
  {
    name: 'demoteCollection',
    async release(tx: Transaction, key: Key) {
      await demoteCollection(tx, key, 1_000n)
      await releaseParts(tx, key)
    },
  },
])('behavior: history continues at once after $name, although the name could not be read', async ({ release }) => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const columns = { status: 'syncing', name: null, coverage: '{[10,1001)}' }
  const key = await seedCollection(db, { address: `0x${'a1'.repeat(20)}`, columns })
  await db.run('UPDATE collection SET tokens = 1, from_block = 10, to_block = 1000')
  await db.transaction((tx) => goLive(tx, key, { from: 1_000n, to: 1_000n }))
  const [unnamed] = await readUnnamed(db, all, 1)
  await postponeNames(db, unnamed!, 86_400)
  await db.transaction((tx) => release(tx, key))
  const served = { partitions: all, chains: [1n], lent: new Map() }
  expect(await takeSlices(db, { served, chain: 1n, except: [], limit: 1 })).toHaveLength(1)
})
