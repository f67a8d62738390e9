import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { testPreviewer } from '../../../test/previewer.ts'
import { system } from '../../../test/system.ts'
import { temporaryFolder } from '../../../test/temporaryFolder.ts'
import { noopLog } from '../../util/log.ts'
import { createFileStore } from './blobs/createFileStore.ts'
import type { PreviewOutcome } from './draw/preview.ts'
import { keepFile } from './keepFile.ts'
import { createPreviewSource } from './previewSource.ts'

const film = readFileSync(new URL('../../../test/films/film.webm', import.meta.url))

test(
  'behavior: a video whose frame takes too long is kept, and its preview image is tried once more',
  system,
  async () => {
    const { db, drop } = await createTestDatabase()
    onTestFinished(drop)
    const folder = await temporaryFolder()
    const ffmpeg = join(folder, 'ffmpeg.cjs')
    await writeFile(ffmpeg, `#!${process.execPath}\nsetInterval(() => {}, 1_000)`, { mode: 0o700 })
    const store = createFileStore({ folder, maxBytes: null, log: noopLog })
    onTestFinished(store.close)
    const previewer = testPreviewer({ ffmpeg, timeoutMs: 3_000 })
    const previewSource = createPreviewSource({ db, previewer, store, log: noopLog })
    const source = { bytes: film, mimetype: undefined, size: film.length, retryAt: null }
    const make = () => previewSource(source, { payers: [], signal: new AbortController().signal })
    const typed = { status: 'unsupported_media', mimetype: 'video/webm', category: 'video' }
    const result = await make()
    expect(result).toMatchObject({ ...typed, retryAt: expect.any(Date) })
    expect(await keepFile(store, source, { result, maxBytes: film.length })).toMatchObject({
      ...{ status: 'success', mimetype: 'video/webm', retryAt: null },
    })
    await db.run('UPDATE media_source SET retry_at = now()')
    expect(await make()).toMatchObject({ ...typed, retryAt: null })
  },
)

/** An outcome of content with this type. */
const typed = (mimetype: string, category: 'document' | 'other' | 'model' | 'video' | 'image') =>
  ({ status: 'unsupported_media', mimetype, category, duration: null }) as const

const failed = (code: 'undecodable' | 'too_many_pixels') => ({ status: 'failed', code, reason: 'x' }) as const

test.each<[PreviewOutcome, string]>([
  [typed('text/html', 'document'), 'host_unavailable'],
  [typed('text/plain', 'document'), 'host_unavailable'],
  [typed('application/json', 'document'), 'host_unavailable'],
  [typed('application/octet-stream', 'other'), 'host_unavailable'],
  [failed('undecodable'), 'host_unavailable'],
  [typed('model/gltf+json', 'model'), 'unsupported_media'],
  [typed('video/mp4', 'video'), 'unsupported_media'],
  [typed('image/png', 'image'), 'unsupported_media'],
  [failed('too_many_pixels'), 'unsupported_media'],
])('behavior: %j from a host is %s, and final if the URL always has this content', async (outcome, status) => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const store = createFileStore({ folder: await temporaryFolder(), maxBytes: null, log: noopLog })
  onTestFinished(store.close)
  const previewer = { limits: '', close: async () => undefined, preview: async () => outcome }
  const previewSource = createPreviewSource({ db, previewer, store, log: noopLog })
  const make = (retryAt: Date | null) =>
    previewSource(
      { bytes: film, mimetype: undefined, size: film.length, retryAt },
      { payers: [], signal: new AbortController().signal },
    )
  const retryAt = new Date()
  const mimetype = 'mimetype' in outcome ? outcome.mimetype : null
  const expected = { status, mimetype, retryAt: status === 'host_unavailable' ? retryAt : null }
  expect(await make(retryAt)).toMatchObject(expected)
  expect(await make(null)).toMatchObject({ status: 'unsupported_media', mimetype, retryAt: null })
})

test('behavior: an image that took too long is drawn again under another limit', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const store = createFileStore({ folder: await temporaryFolder(), maxBytes: null, log: noopLog })
  onTestFinished(store.close)
  const source = { bytes: film, mimetype: undefined, size: film.length, retryAt: null }
  const drawn: string[] = []
  const make = (limits: string) => {
    const previewer = {
      ...{ limits, close: async () => undefined },
      async preview() {
        drawn.push(limits)
        return { status: 'failed', code: 'time', reason: 'took too long' } as const
      },
    }
    const previewSource = createPreviewSource({ db, previewer, store, log: noopLog })
    return previewSource(source, { payers: [], signal: new AbortController().signal })
  }
  await make('short')
  await db.run('UPDATE media_source SET retry_at = now()')
  for (const limits of ['short', 'short', 'long']) await make(limits)
  expect(drawn).toEqual(['short', 'short', 'long'])
})
