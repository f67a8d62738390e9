import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, rm, stat, statfs, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { mountDisk } from '../../../../test/mountDisk.ts'
import { system } from '../../../../test/system.ts'
import { temporaryFolder } from '../../../../test/temporaryFolder.ts'
import { evictFiles } from '../../../util/files/evictFiles.ts'
import { noopLog } from '../../../util/log.ts'
import { createFileStore } from './createFileStore.ts'
import { fileKey, type PreviewStore, previewKey } from './previewStore.ts'

const { signal } = new AbortController()
const fileBytes = 16_384

function openStore(folder: string, maxBytes: number | null): PreviewStore {
  const store = createFileStore({ folder, maxBytes, log: noopLog })
  onTestFinished(() => store.close())
  return store
}

const hashOf = (n: number) => n.toString(16).padStart(2, '0').repeat(32)
const keyOf = (n: number) => previewKey(hashOf(n), 'low')
const pathOf = (folder: string, n: number) =>
  join(folder, hashOf(n).slice(0, 2), hashOf(n).slice(2, 4), `${hashOf(n)}-low.webp`)

const sizes = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length * fileBytes

/** Makes files 0 to `count` - 1. Each was requested an hour after the previous one, and the last one an hour ago. */
async function filledFolder(count: number): Promise<string> {
  const folder = join(await temporaryFolder(), 'media')
  const store = openStore(folder, null)
  for (let n = 0; n < count; n++) {
    await store.put(keyOf(n), randomBytes(fileBytes), 'image/webp')
    const at = new Date(Date.now() - (count - n) * 3_600_000)
    await utimes(pathOf(folder, n), at, at)
  }
  return folder
}

const kept = (folder: string, count: number) =>
  Array.from({ length: count }, (_, n) => n).filter((n) => existsSync(pathOf(folder, n)))

test('default: over the size limit, the least recently requested files are evicted, also after a restart', async () => {
  const folder = await filledFolder(10)
  const before = openStore(folder, 100_000_000)
  for (const n of [0, 3]) expect(await before.get(keyOf(n))).toBeDefined()
  await before.close()
  const store = openStore(folder, 6 * fileBytes)
  expect(await store.get(keyOf(1))).toBeDefined()
  await store.put(keyOf(10), randomBytes(fileBytes), 'image/webp')
  await expect.poll(() => kept(folder, 11)).toEqual([0, 1, 3, 9, 10])
  expect(await store.get(keyOf(2))).toBeUndefined()
  expect(sizes(folder)).toBeLessThanOrEqual(6 * fileBytes)
})

test('behavior: within the size limit nothing is evicted, and reading changes no file', async () => {
  const folder = await filledFolder(5)
  expect(await evictFiles({ folder, maxBytes: 5 * fileBytes, signal })).toEqual({
    keptBytes: 5 * fileBytes,
    evicted: 0,
  })
  const store = openStore(folder, 5 * fileBytes)
  const { mtimeMs, atimeMs } = await stat(pathOf(folder, 2))
  await store.get(keyOf(2))
  await expect.poll(async () => (await stat(pathOf(folder, 2))).atimeMs).toBeGreaterThan(atimeMs)
  // Backups find new files by this time.
  expect((await stat(pathOf(folder, 2))).mtimeMs).toBe(mtimeMs)
})

test('behavior: videos not requested for an hour are evicted before all preview images, and recently played ones like these', async () => {
  const folder = await filledFolder(6)
  const filmOf = (n: number) => pathOf(folder, n).replace('-low.webp', '-file.mp4')
  const filling = openStore(folder, null)
  for (const [n, minutes] of [
    [0, 90],
    [1, 70],
    [2, 5],
  ] as const) {
    await filling.put(fileKey(hashOf(n), 'mp4'), randomBytes(fileBytes), 'video/mp4')
    const at = new Date(Date.now() - minutes * 60_000)
    await utimes(filmOf(n), at, at)
  }
  const store = openStore(folder, 8 * fileBytes)
  await store.put(keyOf(6), randomBytes(fileBytes), 'image/webp')
  // There are ten files and space for eight, and eviction goes down to nine tenths of it. It removes both idle films, then the oldest preview.
  const films = () => [0, 1, 2].filter((n) => existsSync(filmOf(n)))
  await expect.poll(() => [kept(folder, 7), films()]).toEqual([[1, 2, 3, 4, 5, 6], [2]])
})

test('behavior: of files requested in the same minute, only as many as necessary are evicted', async () => {
  const folder = await filledFolder(10)
  const at = new Date(Date.now() - 3_600_000)
  for (let n = 0; n < 10; n++) await utimes(pathOf(folder, n), at, at)
  expect(await evictFiles({ folder, maxBytes: 8 * fileBytes, signal })).toEqual({
    keptBytes: 7 * fileBytes,
    evicted: 3,
  })
})

test('behavior: evicts as many bytes as the disk is short of, least recently requested first', async () => {
  const folder = await filledFolder(10)
  const requested = { folder, maxBytes: 100_000_000, signal }
  expect(await evictFiles({ ...requested, freeBytes: 2 * fileBytes })).toEqual({ keptBytes: 8 * fileBytes, evicted: 2 })
  expect(kept(folder, 10)).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
  expect(await evictFiles({ ...requested, freeBytes: 100 * fileBytes })).toEqual({ keptBytes: 0, evicted: 8 })
})

test('error: previews leave the disk reserve to the database, and old ones are evicted before a new one is rejected', async (context) => {
  const disk = await temporaryFolder()
  if (!(await mountDisk(disk, 16))) return context.skip('only root may mount a disk to fill')
  const folder = join(disk, 'media')
  const store = openStore(folder, null)
  for (let n = 0; n < 10; n++) await store.put(keyOf(n), randomBytes(100_000), 'image/webp')
  const { bavail, bsize, blocks } = await statfs(disk)
  const reserve = Math.floor(blocks * bsize * 0.1)
  // First less space is missing than the previews take, then more.
  await writeFile(join(disk, 'other'), Buffer.alloc(bavail * bsize - reserve + 200_000))
  await store.put(keyOf(10), randomBytes(100_000), 'image/webp')
  const remaining = kept(folder, 11)
  expect(remaining).toContain(10)
  expect(remaining.length).toBeLessThan(11)
  await writeFile(join(disk, 'more'), Buffer.alloc(remaining.length * 100_000 + 400_000))
  await expect(store.put(keyOf(11), randomBytes(100_000), 'image/webp')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    cause: { message: expect.stringContaining('reserve for the database') },
  })
  expect(kept(folder, 12)).toEqual([])
})

test('behavior: the temporary file of a killed writer is removed after an hour', async () => {
  const folder = await filledFolder(1)
  const [old, young] = ['old', 'young'].map((name) => join(folder, '00', '00', `${name}.tmp`))
  await writeFile(old!, 'half')
  await writeFile(young!, 'half')
  const at = new Date(Date.now() - 7_200_000)
  await utimes(old!, at, at)
  await evictFiles({ folder, maxBytes: 1_000_000, signal })
  expect([existsSync(old!), existsSync(young!), kept(folder, 1)]).toEqual([false, true, [0]])
})

test(
  'behavior: with concurrent reads, writes, evictions and manual deletions, every read returns a whole file or none',
  system,
  async () => {
    const folder = join(await temporaryFolder(), 'media')
    await mkdir(folder)
    const bytes = Array.from({ length: 40 }, () => randomBytes(fileBytes))
    const stores = Array.from({ length: 3 }, () => openStore(folder, 10 * fileBytes))
    await Promise.all(
      stores.map(async (store, s) => {
        for (let i = 0; i < 80; i++) {
          const n = (i * 7 + s * 13) % bytes.length
          await store.put(keyOf(n), bytes[n]!, 'image/webp')
          if (i % 5 === 0) await evictFiles({ folder, maxBytes: 10 * fileBytes, signal })
          if (i % 11 === 0) await rm(pathOf(folder, (n + 1) % bytes.length), { force: true })
          const requested = (n + 3) % bytes.length
          const found = await store.get(keyOf(requested))
          if (found) expect(found.bytes.equals(bytes[requested]!)).toBe(true)
        }
      }),
    )
    await evictFiles({ folder, maxBytes: 10 * fileBytes, signal })
    expect(sizes(folder)).toBeLessThanOrEqual(10 * fileBytes)
  },
)
