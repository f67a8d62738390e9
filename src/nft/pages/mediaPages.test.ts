import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { full, publicUrl, queries, read, type Seeded, seed, store, worker } from '../../../test/metadataPages.ts'
import { publicUrlSlot, settleMedia } from '../media/mediaStore.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

async function makePreview(
  { partition, id }: Seeded,
  url: string,
  details: string | null = null,
  category = 'image',
): Promise<void> {
  const sizes = JSON.stringify({ low: { width: 1, height: 1, url: '/media/ab/low.webp' } })
  const result = { status: 'success' as const, mimetype: 'image/"png', category, parentHash: 'ab' }
  const pendingMedia = {
    partition,
    collectionId: id,
    urlHash: hash('md5', url),
    url,
    tokenHash: null,
    isFile: false,
    attempts: 0,
  }
  expect(await settleMedia(database.db, pendingMedia, { ...result, sizes, details, retryAt: null }, worker)).toBe(true)
}

test('behavior: a page requests the preview of an image URL that it shows, and shows it once made', async () => {
  const url = 'https://images.example/"1"\\'
  const collection = await seed(database, [1n, 2n, 3n])
  await store(database, collection, new Map([1n, 2n].map((id) => [id, JSON.stringify({ image: url })])))
  const query = queries(database)[0]
  const normalizedUrl = (await read(query, collection, { ...full, media: false }))
    .map((record) => record.normalized_metadata?.image)
    .find((image) => image !== undefined)!
  const started = () => database.db.rows('SELECT url FROM media WHERE collection_id = $1', [collection.id])
  expect(await started()).toEqual([])
  const media = async () =>
    Object.fromEntries((await read(query, collection)).map((record) => [record.token_id, record.media]))
  const processing = { status: 'processing', original_media_url: normalizedUrl, updatedAt: expect.any(String) }
  expect(await media()).toEqual({ 1: processing, 2: processing, 3: null })
  expect(await started()).toEqual([[normalizedUrl]])
  expect(await media()).toEqual({ 1: processing, 2: processing, 3: null })
  await makePreview(collection, normalizedUrl!)
  const made = {
    status: 'success',
    original_media_url: normalizedUrl,
    mimetype: 'image/"png',
    category: 'image',
    parent_hash: 'ab',
    updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    media_collection: { low: { width: 1, height: 1, url: `${publicUrl}/media/ab/low.webp` } },
  }
  expect(await media()).toEqual({ 1: made, 2: made, 3: null })
  await makePreview(collection, normalizedUrl!, null, 'document')
  const { category: _, ...other } = made
  expect(await media()).toEqual({ 1: other, 2: other, 3: null })
})

test('behavior: with details, media includes size and length, and the animation where its URL differs', async () => {
  const collection = await seed(database, [1n, 2n, 3n, 4n])
  const image = 'https://host.example/1.png'
  const film = 'https://host.example/"1".mp4'
  const documents: [bigint, object][] = [
    [1n, { image, animation_url: film }],
    [2n, { image }],
    [3n, { animation_url: film }],
    [4n, { name: 'none' }],
  ]
  await store(database, collection, new Map(documents.map(([id, metadata]) => [id, JSON.stringify(metadata)])))
  const query = queries(database)[0]
  const shown = async (options: object) =>
    Object.fromEntries(
      (await read(query, collection, { ...full, ...options })).map((record) => [record.token_id, record.media]),
    )
  const requested = async () =>
    (await database.db.rows('SELECT url FROM media WHERE collection_id = $1 ORDER BY url', [collection.id])).flat()
  const [shownFilm] = (await read(query, collection, { ...full, media: false }))
    .filter(({ token_id: id }) => id === '3')
    .map((record) => record.normalized_metadata!.animation_url as string)
  await shown({})
  expect(await requested()).toEqual([shownFilm, image].sort())
  await database.db.run('DELETE FROM media WHERE collection_id = $1', [collection.id])
  const processing = (url: string) => ({ status: 'processing', original_media_url: url, updatedAt: expect.any(String) })
  const first = { ...processing(image), animation: processing(shownFilm!) }
  expect(await shown({ details: true })).toEqual({ 1: first, 2: processing(image), 3: processing(shownFilm!), 4: null })
  expect(await requested()).toEqual([shownFilm, image].sort())
  await makePreview(collection, image, '"size":1000,"duration":null')
  expect(await shown({ details: true })).toMatchObject({
    1: { status: 'success', size: 1_000, duration: null, animation: { status: 'processing' } },
    2: { status: 'success', size: 1_000, duration: null },
  })
  await makePreview(collection, shownFilm!, '"size":2000,"duration":2.5')
  const made = await shown({ details: true })
  expect(made).toMatchObject({
    1: { size: 1_000, animation: { status: 'success', original_media_url: shownFilm, size: 2_000, duration: 2.5 } },
    3: { size: 2_000, duration: 2.5 },
    4: null,
  })
  expect(made[1]!.animation!.media_collection!.low.url).toBe(`${publicUrl}/media/ab/low.webp`)
  expect(made[3]).not.toHaveProperty('animation')
  const plain = await shown({})
  for (const id of ['1', '3'])
    for (const name of ['size', 'duration', 'animation']) expect(plain[id]).not.toHaveProperty(name)
})

test('behavior: the file kept is the animation, unless it is known to be unplayable and the media is playable', async () => {
  const collection = await seed(database, [1n, 2n, 3n])
  const { partition, id } = collection
  const [image, moving, film, page] = ['1.png', '2.gif', '3.mp4', '4.html'].map(
    (name) => `https://host.example/${name}`,
  )
  const documents: [bigint, object][] = [
    [1n, { image, animation_url: film }],
    [2n, { image: moving, animation_url: page }],
    [3n, { image }],
  ]
  await store(database, collection, new Map(documents.map(([id, metadata]) => [id, JSON.stringify(metadata)])))
  const query = queries(database)[0]
  const files = async () => {
    const records = await read(query, collection, { ...full, details: 'file' })
    return Object.fromEntries(records.map((record) => [record.token_id, record.media!.file]))
  }
  const processing = (url: string | undefined) => ({ status: 'processing', original_media_url: url })
  const requested = async () =>
    (
      await database.db.rows('SELECT url FROM media WHERE collection_id = $1 AND is_file ORDER BY url', [collection.id])
    ).flat()
  expect(await files()).toMatchObject({ 1: processing(film), 2: processing(page), 3: processing(image) })
  expect(await requested()).toEqual([image, film, page])
  await makePreview(collection, page!, '"size":9,"duration":null', 'document')
  expect(await files()).toMatchObject({ 1: processing(film), 2: processing(page), 3: processing(image) })
  await makePreview(collection, moving!, '"size":9,"duration":1.5')
  expect(await files()).toMatchObject({ 1: processing(film), 2: processing(moving), 3: processing(image) })
  expect(await requested()).toEqual([image, moving, film, page])
  const [row] = await database.db.rows<[string]>('SELECT url_hash::text FROM media WHERE is_file AND url = $1', [film])
  const urlHash = row![0].replaceAll('-', '')
  const pendingMedia = { partition, collectionId: id, urlHash, url: film!, tokenHash: null, isFile: true, attempts: 0 }
  const result = { status: 'success' as const, mimetype: 'video/mp4', category: 'video', parentHash: 'ab', sizes: null }
  const details = `"size":2000,"duration":2.5,"url":"${publicUrlSlot}/media/ab/file.mp4"`
  await settleMedia(database.db, pendingMedia, { ...result, details, retryAt: null }, worker)
  const made = (await files())[1]
  expect(made).toMatchObject({ status: 'success', size: 2_000, duration: 2.5, url: `${publicUrl}/media/ab/file.mp4` })
  expect(made).not.toHaveProperty('media_collection')
})
