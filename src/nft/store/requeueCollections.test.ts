import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import * as store from './collectionStore.ts'
import { collectionHistory, setFailedOf } from './historyQueue.ts'
import { deleteCollection, requeueFormed } from './requeueCollections.ts'

const address = `0x${'aa'.repeat(20)}` as const
const form = { standard: 'ERC721', idInData: false } as const
const identity = {
  ...{ form, bySelf: false, claimsBoth: false, name: null, symbol: null },
  ...{ fromBlock: 10n, identifiedBlock: 1_000n },
}

test('behavior: undoing the block of a log reverts the standard found from it, even after an error in between', async () => {
  const database = await createTestDatabase()
  onTestFinished(database.drop)
  const { db } = database
  const key = await seedCollection(db, { address, columns: { status: 'syncing', standard: null } })
  await store.setForm(db, key, form, 1_000n)
  await setFailedOf(db, collectionHistory, key, 'the node is unreachable', 0)
  await store.beginSyncing(db, key, identity)
  expect(await db.transaction((tx) => requeueFormed(tx, 1n, 1_000n))).toBe(0)
  expect(await db.transaction((tx) => requeueFormed(tx, 1n, 999n))).toBe(1)
  expect(await db.rows('SELECT status, standard FROM collection')).toEqual([['queued', null]])
})

test("behavior: an operator's mark outlives the deletion of a collection", async () => {
  const database = await createTestDatabase()
  onTestFinished(database.drop)
  const { db } = database
  for (const spam of [null, true]) {
    await db.run('DELETE FROM collection')
    await seedCollection(db, { address, columns: { spam_override: spam } })
    await deleteCollection(db, { chainId: 1n, address, requeue: false, held: false })
    const rows = await db.rows('SELECT status, spam_override FROM collection')
    expect(rows).toEqual(spam === null ? [] : [['known', true]])
  }
})
