import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../test/temporaryFolder.ts'
import { silentLog } from '../../../util/log.ts'
import { createFileStore } from './createFileStore.ts'
import {
  InvalidPreviewKeyError,
  type PreviewStore,
  PreviewStoreError,
  previewKey,
  putPreviews,
} from './previewStore.ts'

function openStore(folder: string, maxBytes: number | null = null): PreviewStore {
  const store = createFileStore({ folder, maxBytes, log: silentLog })
  onTestFinished(() => store.close())
  return store
}

const hash = 'abcd'.repeat(16)
const key = previewKey(hash, 'low')
const files = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())

test('default: a preview can be read again, by another process too', async () => {
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

test('behavior: all sizes of a preview are kept', async () => {
  const store = openStore(await temporaryFolder())
  const preview = (text: string) => ({ width: 1, height: 1, bytes: Buffer.from(text), mimetype: 'image/webp' as const })
  await putPreviews(store, { parentHash: hash, sizes: { low: preview('l'), medium: preview('m'), high: preview('h') } })
  const texts = (['low', 'medium', 'high'] as const).map(async (size) =>
    (await store.get(previewKey(hash, size)))?.bytes.toString(),
  )
  expect(await Promise.all(texts)).toEqual(['l', 'm', 'h'])
})

test('behavior: many writers of one key leave one whole file', async () => {
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

test('error: a key that leads elsewhere', async () => {
  const folder = await temporaryFolder()
  const store = openStore(join(folder, 'media'))
  writeFileSync(join(folder, 'secret'), 'x')
  for (const bad of [
    '../secret',
    `${hash}/../../../../secret`,
    `${hash}/low.svg`,
    `${hash.toUpperCase()}/low.webp`,
    `/${key}`,
    `${key}\0`,
    '',
  ])
    for (const act of [() => store.get(bad), () => store.put(bad, Buffer.from('x'), 'image/webp')])
      await expect(act(), bad).rejects.toBeInstanceOf(InvalidPreviewKeyError)
})

test('error: a disk that refuses to write or read', async () => {
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
