import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { lockWaits } from '../../../test/lockWaits.ts'
import { onCluster } from '../../../test/onCluster.ts'
import { patience } from '../../../test/patience.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import { seedLease, seedWorker } from '../../../test/seedLease.ts'
import { noMedia, postponeMedia, requestMedia, settleMedia, type WantedMedia } from './mediaStore.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.drop())

const media: WantedMedia = {
  urlHash: '5'.repeat(32),
  url: 'https://host.example/5.png',
  tokenHash: null,
  isFile: false,
}
const retryAt = new Date('2100-01-01')

// A cluster numbers sessions by node, so the coordinator does not show which of them waits.
test.skipIf(onCluster).each([
  ['settled for later', settleLater],
  ['postponed', postpone],
])('behavior: a preview that is requested again while it is being %s never deadlocks', async (_, store) => {
  const { db } = database
  const key = await seedCollection(db, { address: `0x${'ab'.repeat(20)}` })
  const worker = await seedWorker(db)
  await seedLease(db, 'partition', key.partition, worker)
  await requestMedia(db, key, [media])
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: held, resolve: hold } = Promise.withResolvers<void>()
  const holder = db.transaction(async (tx) => {
    await tx.rows('SELECT 1 FROM media_turn FOR UPDATE')
    hold()
    await released
  })
  await held
  // The request waits first, and the outcome waits behind it.
  const requested = requestMedia(db, key, [media])
  await vi.waitUntil(async () => (await lockWaits(db)) === 1, patience)
  const stored = store(db, key, worker)
  await vi.waitUntil(async () => (await lockWaits(db)) === 2, patience)
  release()
  await holder
  expect(await Promise.all([requested, stored])).toEqual([undefined, true])
})

type Store = (db: TestDatabase['db'], key: { partition: number; id: bigint }, worker: number) => Promise<boolean>

function mediaOf({ partition, id }: { partition: number; id: bigint }) {
  return { ...media, partition, collectionId: id, attempts: 0 }
}

function settleLater(...[db, key, worker]: Parameters<Store>): Promise<boolean> {
  return settleMedia(db, mediaOf(key), { ...noMedia, status: 'host_unavailable', retryAt }, worker)
}

function postpone(...[db, key, worker]: Parameters<Store>): Promise<boolean> {
  return postponeMedia(db, mediaOf(key), retryAt, worker)
}
