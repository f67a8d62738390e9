import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { lockWaits } from '../../../test/lockWaits.ts'
import { onCluster } from '../../../test/onCluster.ts'
import { patience } from '../../../test/patience.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import { endMediaSlices, type MediaSlice, markMediaSlices } from './mediaSlices.ts'
import { requestMedia } from './mediaStore.ts'

// A cluster numbers sessions by node, so the coordinator does not show which of them waits.
test.skipIf(onCluster).each([
  ['marked', markMediaSlices],
  ['ended', endMediaSlices],
])('behavior: slices that are %s are locked in key order, so that workers do not deadlock', async (_, change) => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const slices: MediaSlice[] = []
  for (const digits of ['ab', 'cd']) {
    const key = await seedCollection(db, { address: `0x${digits.repeat(20)}` })
    const media = { urlHash: '5'.repeat(32), url: 'https://host.example/5.png', tokenHash: null, isFile: false }
    await requestMedia(db, key, [media])
    slices.push({ partition: key.partition, collectionId: key.id, media: [] })
  }
  const inOrder = slices.toSorted((a, b) => a.partition - b.partition)
  const lock = 'SELECT 1 FROM media_turn WHERE partition = $1 AND collection_id = $2 FOR UPDATE'
  let changing: Promise<void> | undefined
  await db.transaction(async (tx) => {
    for (const [i, { partition, collectionId }] of inOrder.entries()) {
      await tx.fresh.rows(lock, [partition, collectionId])
      if (i > 0) continue
      changing = change(db, inOrder.toReversed())
      await vi.waitUntil(async () => (await lockWaits(db)) === 1, patience)
    }
  })
  await changing
  expect(await db.rows('SELECT count(*) FROM media_turn')).toEqual([[2n]])
})
