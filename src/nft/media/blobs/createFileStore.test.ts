import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../test/temporaryFolder.ts'
import { noopLog } from '../../../util/log.ts'
import { createFileStore } from './createFileStore.ts'
import {
  fileKey,
  InvalidPreviewKeyError,
  type PreviewStore,
  PreviewStoreError,
  previewKey,
  putPreviews,
} from './previewStore.ts'

function openStore(folder: string, maxBytes: number | null = null): PreviewStore {
  const store = createFileStore({ folder, maxBytes, log: noopLog })
  onTestFinished(() => store.close())
  return store
}

const hash = 'abcd'.repeat(16)
const key = previewKey(hash, 'low')
const files = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())

test('default: a stored preview can be read again, also by another process', async () => {
  const folder = join(await temporaryFolder(), 'not', 'yet', 'there')
  const bytes = randomBytes(10_000)
  const store = openStore(folder)
  expect(await store.get(key)).toBeUndefined()
  await store.put(key, bytes, 'image/webp')
  expect(await openStore(folder).get(key)).toEqual({ bytes, contentType: 'image/webp' })
  expect(await store.get(previewKey(hash, 'high'))).toBeUndefined()
  expect(files(folder).map((entry) => join(entry.parentPath, entry.name))).toEqual([
    join(folder, 'ab', 'cd', `${hash}-low.webp`),
  ])
})

test('behavior: all sizes of a preview are stored', async () => {
  const store = openStore(await temporaryFolder())
  const preview = (text: string) => ({ width: 1, height: 1, bytes: Buffer.from(text), mimetype: 'image/webp' as const })
  await putPreviews(store, { parentHash: hash, sizes: { low: preview('l'), medium: preview('m'), high: preview('h') } })
  const texts = (['low', 'medium', 'high'] as const).map(async (size) =>
    (await store.get(previewKey(hash, size)))?.bytes.toString(),
  )
  expect(await Promise.all(texts)).toEqual(['l', 'm', 'h'])
})

test('behavior: concurrent writers of one key leave one complete file', async () => {
  const folder = await temporaryFolder()
  const store = openStore(folder)
  const bytes = randomBytes(200_000)
  let reading = true
  const reader = (async () => {
    while (reading) {
      const found = await store.get(key)
      if (found) expect(found.bytes.equals(bytes)).toBe(true)
    }
  })()
  await Promise.all(Array.from({ length: 20 }, () => store.put(key, bytes, 'image/webp')))
  expect((await store.get(key))?.bytes.equals(bytes)).toBe(true)
  reading = false
  await reader
  expect(files(folder)).toHaveLength(1)
})

test('behavior: a stored video is read in byte ranges, even if it is removed after it was opened', async () => {
  const folder = await temporaryFolder()
  const store = openStore(folder)
  const film = fileKey(hash, 'mp4')
  expect(await store.open(film)).toBeUndefined()
  const bytes = randomBytes(600_000)
  await store.put(film, bytes, 'video/mp4')
  const read = async (part: { from: number; to: number }) => {
    const kept = (await store.open(film))!
    expect(kept.bytes).toBe(bytes.length)
    return buffer(kept.open(part))
  }
  for (const part of [
    { from: 0, to: 600_000 },
    { from: 262_143, to: 262_145 },
  ])
    expect((await read(part)).equals(bytes.subarray(part.from, part.to))).toBe(true)
  const kept = (await store.open(film))!
  rmSync(join(folder, 'ab', 'cd', `${hash}-file.mp4`))
  expect((await buffer(kept.open({ from: 0, to: 600_000 }))).equals(bytes)).toBe(true)
  expect(await store.open(film)).toBeUndefined()
})

test('error: rejects a key that is not a preview key, such as one with a path traversal', async () => {
  const folder = await temporaryFolder()
  const store = openStore(join(folder, 'media'))
  writeFileSync(join(folder, 'secret'), 'x')
  for (const bad of [
    '../secret',
    `${hash}/../../../../secret`,
    `${hash}/low.svg`,
    `${hash}/file.html`,
    `${hash}/file.mp4.html`,
    `${hash.toUpperCase()}/low.webp`,
    `/${key}`,
    `${key}\0`,
    '',
  ])
    for (const act of [
      () => store.get(bad),
      () => store.open(bad),
      () => store.put(bad, Buffer.from('x'), 'image/webp'),
    ])
      await expect(act(), bad).rejects.toBeInstanceOf(InvalidPreviewKeyError)
})

test('error: a disk that fails to write or read is reported as a store error', async () => {
  const folder = await temporaryFolder()
  writeFileSync(join(folder, 'ab'), 'a file where a folder has to be')
  const store = openStore(folder)
  await expect(store.put(key, Buffer.from('x'), 'image/webp')).rejects.toBeInstanceOf(PreviewStoreError)
  await expect(store.get(key)).rejects.toBeInstanceOf(PreviewStoreError)
  const taken = previewKey('0'.repeat(64), 'low')
  mkdirSync(join(folder, '00', '00', `${'0'.repeat(64)}-low.webp`), { recursive: true })
  await expect(store.put(taken, Buffer.from('x'), 'image/webp')).rejects.toBeInstanceOf(PreviewStoreError)
  expect(files(folder).map((entry) => entry.name)).toEqual(['ab'])
})
