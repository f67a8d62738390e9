import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { lockWaits } from '../../../test/lockWaits.ts'
import { onCluster } from '../../../test/onCluster.ts'
import { patience } from '../../../test/patience.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import { seedLease, seedWorker } from '../../../test/seedLease.ts'
import { noMedia, postponeMedia, renewOfTokens, requestMedia, settleMedia, type WantedMedia } from './mediaStore.ts'

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

test('behavior: a request for a token renews its previews once a minute, and they stay until the host sends other media', async () => {
  const { db } = database
  const key = await seedCollection(db, { address: `0x${'ab'.repeat(20)}`, tokens: [1n, 2n] })
  const worker = await seedWorker(db)
  await seedLease(db, 'partition', key.partition, worker)
  const values = [key.partition, key.id]
  await db.run(
    `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, record, media_hash, tried_at)
     SELECT partition, collection_id, token_hash, 'ok', 0, '', $3::uuid, now() FROM token WHERE partition = $1 AND collection_id = $2`,
    [...values, media.urlHash],
  )
  const [[hash]] = (await db.rows('SELECT token_hash::text FROM token LIMIT 1')) as [[string]]
  const renew = () => renewOfTokens(db, key, [{ hash }])
  const row = async () => {
    const [found] = await db.rows('SELECT status, parent_hash, due_at IS NOT NULL, attempts FROM media')
    return found
  }
  await requestMedia(db, key, [media])
  await settleMedia(db, mediaOf(key), { ...noMedia, status: 'success', parentHash: 'aa' }, worker)
  await renew()
  expect(await row()).toEqual(['success', 'aa', false, 0])
  await db.run(`UPDATE media SET updated_at = now() - interval '61 seconds'`)
  await db.run('UPDATE media_turn SET due_at = NULL')
  await renew()
  expect(await row()).toEqual(['success', 'aa', true, 0])
  expect(await db.rows('SELECT due_at <= now() FROM media_turn')).toEqual([[true]])
  await settleLater(db, key, worker)
  expect(await row()).toEqual(['success', 'aa', true, 1])
  await settleMedia(db, mediaOf(key), { ...noMedia, status: 'invalid_url' }, worker)
  expect(await row()).toEqual(['success', 'aa', false, 0])
  await settleMedia(db, mediaOf(key), { ...noMedia, status: 'unsupported_media', retryAt }, worker)
  expect(await row()).toEqual(['success', 'aa', true, 1])
  await settleMedia(db, mediaOf(key), { ...noMedia, status: 'success', parentHash: 'bb' }, worker)
  expect(await row()).toEqual(['success', 'bb', false, 0])
  await settleMedia(db, mediaOf(key), { ...noMedia, status: 'unsupported_media', mimetype: 'video/mp4' }, worker)
  expect(await row()).toEqual(['unsupported_media', null, false, 0])
})

test('behavior: a request for a token ends the wait for a retry, and renews the details and the file of its animation', async () => {
  const { db } = database
  const key = await seedCollection(db, { address: `0x${'ac'.repeat(20)}`, tokens: [1n] })
  const worker = await seedWorker(db)
  await seedLease(db, 'partition', key.partition, worker)
  const song = 'https://host.example/song.mp3'
  await db.run(
    `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, record, media_hash, animation_url, tried_at)
     SELECT partition, collection_id, token_hash, 'ok', 0, '', $3::uuid, $4, now() FROM token WHERE partition = $1 AND collection_id = $2`,
    [key.partition, key.id, media.urlHash, song],
  )
  const [[token]] = (await db.rows('SELECT token_hash::text FROM token WHERE collection_id = $1', [key.id])) as [
    [string],
  ]
  const [[songHash, fileHash]] = (await db.rows(
    `SELECT md5($1)::uuid::text, md5('file ' || md5($1)::uuid::text)::uuid::text`,
    [song],
  )) as [[string, string]]
  const wanted = [
    media,
    { ...media, url: song, urlHash: songHash },
    { ...media, url: song, urlHash: fileHash, isFile: true },
  ]
  await requestMedia(db, key, wanted)
  await settleLater(db, key, worker)
  for (const { urlHash } of wanted.slice(1))
    await settleMedia(db, { ...mediaOf(key), urlHash }, { ...noMedia, status: 'success', parentHash: 'aa' }, worker)
  await db.run(`UPDATE media SET updated_at = now() - interval '61 seconds' WHERE collection_id = $1`, [key.id])
  await renewOfTokens(db, key, [{ hash: token }])
  const due = async () => {
    const rows = await db.rows<[boolean]>('SELECT due_at <= now() FROM media WHERE collection_id = $1', [key.id])
    return rows.filter(([isDue]) => isDue).length
  }
  expect(await due()).toBe(3)
  for (const { urlHash } of wanted)
    await settleMedia(db, { ...mediaOf(key), urlHash }, { ...noMedia, status: 'host_unavailable', retryAt }, worker)
  await renewOfTokens(db, key, [{ hash: token }])
  expect(await due()).toBe(0)
})
