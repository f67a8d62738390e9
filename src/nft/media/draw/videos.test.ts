import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { animatedPng } from '../../../../test/animatedPng.ts'
import { colourAt } from '../../../../test/images.ts'
import { patience } from '../../../../test/patience.ts'
import { previewSettings, succeeded, testPreviewer } from '../../../../test/previewer.ts'
import { noopLog } from '../../../util/log.ts'
import { createPreviewer } from '../createPreviewer.ts'

const film = (name: string) => readFileSync(new URL(`../../../../test/films/${name}`, import.meta.url))
const ffmpegHere = spawnSync('sh', ['-c', 'command -v ffmpeg'], { encoding: 'utf8' }).stdout.trim()
const previewer = createPreviewer({ settings: previewSettings, log: noopLog })
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mintmark-films-'))
})
afterAll(async () => {
  await previewer.close()
  await rm(folder, { recursive: true })
})

/** Two seconds of silence, 8,000 samples of a byte each. */
function wave(): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF\0\0\0\0WAVEfmt ', 'latin1')
  head.writeUInt32LE(36 + 16_000, 4)
  head.writeUInt32LE(16, 16)
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    head.writeUInt16LE(value, at)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(8_000, 28)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(16_000, 40)
  return Buffer.concat([head, Buffer.alloc(16_000, 128)])
}

/** A glTF in the single-file format. */
const model = Buffer.concat([Buffer.from('glTF\x02\0\0\0'), Buffer.alloc(200)])

test.each([
  ['MP4', 'video/mp4', 'video', 2.5, () => film('index-first.mp4')],
  ['MP4 with its index at the end', 'video/mp4', 'video', 2.5, () => film('index-last.mp4')],
  ['WebM', 'video/webm', 'video', 2.5, () => film('film.webm')],
  ['MP3', 'audio/mpeg', 'audio', 2, () => film('sound.mp3')],
  ['FLAC', 'audio/flac', 'audio', 2, () => film('sound.flac')],
  ['WAVE', 'audio/wav', 'audio', 2, wave],
  ['glTF', 'model/gltf-binary', 'model', null, () => model],
])('default: %s is recognized by its content, with its duration', async (_, mimetype, category, duration, make) => {
  const outcome = await previewer.preview(make(), { mimetype: 'image/png' })
  expect(outcome).toMatchObject({ status: 'unsupported_media', mimetype, category })
  const { duration: read } = outcome as { duration: number | null }
  if (duration === null) expect(read).toBe(null)
  else expect(Math.abs(read! - duration)).toBeLessThan(0.2)
})

test.each([
  ['MP4', 2_000, () => film('index-first.mp4')],
  ['WebM', 600, () => film('film.webm')],
  ['MP3', 600, () => film('sound.mp3')],
  ['FLAC', 9_000, () => film('sound.flac')],
  ['WAVE', 1_000, wave],
])(
  'behavior: the start of %s gives its duration, and no wrong one if the file size is unknown',
  async (_, bytes, make) => {
    const whole = make()
    const read = await previewer.preview(whole)
    const start = whole.subarray(0, bytes)
    expect(await previewer.preview(start, { size: whole.length })).toEqual(read)
    expect([read, { ...read, duration: null }]).toContainEqual(await previewer.preview(start, { size: null }))
  },
)

test('behavior: a video whose index is in its unread end has no duration, and neither has a damaged one', async () => {
  const whole = film('index-last.mp4')
  const damaged = Buffer.concat([film('index-first.mp4').subarray(0, 100), Buffer.alloc(3_000, 255)])
  for (const [bytes, size] of [
    [whole.subarray(0, 1_000), whole.length],
    [damaged, damaged.length],
    [whole.subarray(0, 1_000), null],
  ] as const)
    expect(await previewer.preview(bytes, { size })).toEqual({
      ...{ status: 'unsupported_media', mimetype: 'video/mp4', category: 'video', duration: null },
    })
})

test('behavior: the duration of an animated image is the sum of its frame delays, and a still one has none', async () => {
  const plain = (background: string) =>
    sharp({ create: { width: 8, height: 8, channels: 3, background } })
      .png()
      .toBuffer()
  const frames = await Promise.all(['red', 'lime', 'blue'].map(plain))
  const animated = sharp(frames, { join: { animated: true } })
  for (const made of [
    animated.clone().gif({ delay: [500, 1_000, 250] }),
    animated.clone().webp({ delay: [500, 1_000, 250] }),
  ])
    expect(succeeded(await previewer.preview(await made.toBuffer())).duration).toBe(1.75)
  expect(succeeded(await previewer.preview(frames[0]!)).duration).toBe(null)
})

test.each([
  [
    'an animated PNG',
    [
      [1, 2],
      [500, 1_000],
      [75, 0],
    ],
    1.75,
  ],
  ['an animated PNG of one frame', [[1, 2]], null],
] as const)(
  'behavior: the duration of %s is the sum of its frame delays, if it has a second frame',
  async (_, pauses, duration) => {
    const outcome = succeeded(await previewer.preview(animatedPng(pauses.map(([a, b]) => [a, b]))))
    expect(outcome).toMatchObject({ mimetype: 'image/apng', category: 'image', duration })
  },
)

/** Writes a program that replaces ffmpeg. `body`: the body of its code. */
async function program(body: string): Promise<string> {
  const file = join(folder, `${createHash('md5').update(body).digest('hex')}.cjs`)
  await writeFile(file, `#!${process.execPath}\n${body}`, { mode: 0o700 })
  return file
}

test('default: a video frame becomes the preview image, and the video file has no name that others could read', async () => {
  const seen = join(folder, 'seen')
  const png = (
    await sharp({ create: { width: 640, height: 480, channels: 3, background: 'lime' } })
      .png()
      .toBuffer()
  ).toString('base64')
  const ffmpeg = await program(`
    const { readFileSync, readlinkSync, writeFileSync } = require('node:fs')
    const name = process.platform === 'linux' ? readlinkSync('/proc/self/fd/3') : '(deleted)'
    const hash = require('node:crypto').createHash('sha256').update(readFileSync('/dev/fd/3')).digest('hex')
    writeFileSync(${JSON.stringify(seen)}, JSON.stringify({ name, hash, args: process.argv.slice(2) }))
    process.stdout.write(Buffer.from(${JSON.stringify(png)}, 'base64'))`)
  const bytes = film('index-last.mp4')
  const outcome = succeeded(await testPreviewer({ ffmpeg }).preview(bytes))
  const hash = createHash('sha256').update(bytes).digest('hex')
  expect(outcome).toMatchObject({ mimetype: 'video/mp4', category: 'video', duration: 2.5, parentHash: hash })
  expect(outcome.sizes.high).toMatchObject({ width: 500, height: 375, mimetype: 'image/webp' })
  expect(await colourAt(outcome.sizes.low.bytes, 0.5, 0.5)).toBe('lime')
  const { name, hash: given, args } = JSON.parse(readFileSync(seen, 'utf8'))
  expect(given).toBe(hash)
  expect(name).toContain('(deleted)')
  expect(args.join(' ')).toContain('-protocol_whitelist file -threads 1 -max_pixels 50000000 -f mov -i /dev/fd/3')
})

test('behavior: no preview image if ffmpeg is missing, fails or writes no image, or if the video was not read whole', async () => {
  const webm = film('film.webm')
  const plain = { status: 'unsupported_media', mimetype: 'video/webm', category: 'video', duration: 2.5 }
  for (const ffmpeg of [
    join(folder, 'absent'),
    await program('process.exit(1)'),
    await program('process.stdout.write("no picture")'),
  ])
    expect(await testPreviewer({ ffmpeg }).preview(webm), ffmpeg).toEqual(plain)
  const never = await program(`require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'run'))}, '')`)
  expect(await testPreviewer({ ffmpeg: never }).preview(webm.subarray(0, 600), { size: webm.length })).toEqual(plain)
  expect(await testPreviewer({ ffmpeg: never }).preview(film('sound.mp3'))).toMatchObject({ category: 'audio' })
  expect(existsSync(join(folder, 'run'))).toBe(false)
})

test('error: if the frame of a video takes too long, type and duration are returned, and ffmpeg is ended', async () => {
  const pid = join(folder, 'pid')
  const ffmpeg = await program(`
    require('node:fs').writeFileSync(${JSON.stringify(pid)}, String(process.pid))
    setInterval(() => {}, 1_000)`)
  const outcome = await testPreviewer({ ffmpeg, timeoutMs: 3_000 }).preview(film('film.webm'))
  expect(outcome).toEqual({
    ...{ status: 'unsupported_media', mimetype: 'video/webm', category: 'video', duration: 2.5, isLate: true },
  })
  const isThere = () => spawnSync('kill', ['-0', readFileSync(pid, 'utf8')]).status === 0
  await vi.waitUntil(() => !isThere(), patience)
})

test('error: ffmpeg ends with its worker, for example when the preview request is aborted', async () => {
  const pid = join(folder, 'pid of a film that was given up')
  const ffmpeg = await program(`
    require('node:fs').writeFileSync(${JSON.stringify(pid)}, String(process.pid))
    setInterval(() => {}, 1_000)`)
  const giveUp = new AbortController()
  const outcome = testPreviewer({ ffmpeg, timeoutMs: 60_000 }).preview(film('film.webm'), { signal: giveUp.signal })
  const isThere = () => existsSync(pid) && spawnSync('kill', ['-0', readFileSync(pid, 'utf8')]).status === 0
  await vi.waitUntil(isThere, patience)
  giveUp.abort()
  await expect(outcome).rejects.toThrow()
  await vi.waitUntil(() => !isThere(), patience)
})

test.skipIf(ffmpegHere === '')('behavior: ffmpeg skips the black frames at the start of a video', async () => {
  for (const name of ['index-first.mp4', 'index-last.mp4', 'film.webm']) {
    const { sizes, category } = succeeded(await testPreviewer({ ffmpeg: ffmpegHere }).preview(film(name)))
    expect(category).toBe('video')
    const { channels } = await sharp(sizes.high.bytes).stats()
    expect(Math.max(...channels.map(({ stdev }) => stdev)), name).toBeGreaterThan(40)
  }
})
