import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { full, queries, read, type Seeded, seed, store, storeRead, worker } from '../../../test/metadataPages.ts'
import { mediaAddress } from './mediaAddress.ts'
import { readMediaSlices } from './mediaSlices.ts'
import { forgetMedia } from './mediaStore.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

const picture = (fill: string) => `data:image/png;base64,${fill.repeat(200_000)}`
const metadataOf = (image: string) => JSON.stringify({ name: 'Art', image })

async function mediaOf({ partition, id }: Seeded) {
  const partitions = [BigInt(partition)]
  const slices = await readMediaSlices(database.db, { partitions, except: [], collections: 10, limit: 10 })
  return slices.filter((slice) => slice.collectionId === id).flatMap(({ media }) => media)
}

test('default: a long data: URI is read from the metadata, and a short one from the row of its preview', async () => {
  const collection = await seed(database, [1n, 2n, 3n])
  const short = 'data:image/png;base64,AAAA'
  const images = [picture('A'), short, picture('A')]
  await store(database, collection, new Map(images.map((image, i) => [BigInt(i + 1), metadataOf(image)])))
  const [query] = queries(database)
  await read(query, collection)
  const dueMedia = await mediaOf(collection)
  const addresses = await Promise.all(dueMedia.map((each) => mediaAddress(database.db, each)))
  expect(addresses.toSorted()).toEqual([short, picture('A')])
  expect(dueMedia.every(({ url }) => url.length < 100)).toBe(true)
})

test('behavior: a video that is kept as a file is read from the metadata too', async () => {
  const collection = await seed(database, [1n])
  const film = picture('C').replace('image/png', 'video/mp4')
  const document = JSON.stringify({ animation_url: film })
  await store(database, collection, new Map([[1n, document]]))
  const [query] = queries(database)
  const [record] = await read(query, collection, { ...full, details: 'file' })
  expect(record!.media!.file).toMatchObject({ status: 'processing', original_media_url: 'data:video/mp4;base64,' })
  const dueMedia = await mediaOf(collection)
  expect(dueMedia.map(({ isFile }) => isFile).toSorted()).toEqual([false, true])
  for (const each of dueMedia) expect(await mediaAddress(database.db, each)).toBe(film)
  await store(database, collection, new Map([[1n, metadataOf(picture('B'))]]))
  for (const each of dueMedia) expect(await mediaAddress(database.db, each)).toBe(undefined)
})

test('behavior: if the metadata of the token has changed, its image is requested again', async () => {
  const collection = await seed(database, [1n])
  await store(database, collection, new Map([[1n, metadataOf(picture('A'))]]))
  const [query] = queries(database)
  const version = async () => (await query.state(1n, collection.address))!.version
  await read(query, collection)
  const [old] = await mediaOf(collection)
  await store(database, collection, new Map([[1n, metadataOf(picture('B'))]]))
  expect(await mediaAddress(database.db, old!)).toBe(undefined)
  const before = await version()
  await forgetMedia(database.db, old!, worker + 1)
  expect(await mediaOf(collection)).toEqual([old])
  await forgetMedia(database.db, old!, worker)
  // Pages in caches are stale now.
  expect(await version()).toBe(before + 1n)
  expect(await mediaOf(collection)).toEqual([])
  await read(query, collection)
  const [dueMedia] = await mediaOf(collection)
  expect(await mediaAddress(database.db, dueMedia!)).toBe(picture('B'))
})

test('behavior: a long data: URI that is the token URI itself is read from the token URI', async () => {
  const collection = await seed(database, [1n, 2n])
  const markup = `<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(200_000)}</svg>`
  const uris = [` "${picture('A')}"`, markup]
  for (const [i, uri] of uris.entries()) await storeRead(database, collection, { tokenId: BigInt(i + 1), uri })
  const [query] = queries(database)
  const records = await read(query, collection)
  const header = (type: string) => `data:${type};base64,`
  expect(records.map(({ metadata, media }) => [metadata, media?.original_media_url]).toSorted()).toEqual([
    [null, header('image/png')],
    [null, header('image/svg+xml')],
  ])
  const dueMedia = await mediaOf(collection)
  const addresses = await Promise.all(dueMedia.map((each) => mediaAddress(database.db, each)))
  const drawn = header('image/svg+xml') + Buffer.from(markup).toString('base64')
  expect(addresses.toSorted()).toEqual([picture('A'), drawn].toSorted())
})
