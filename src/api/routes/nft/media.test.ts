import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../../test/api.ts'
import { UnavailableError } from '../../../util/errors.ts'
import { noopLog } from '../../../util/log.ts'
import type { Media } from './media.ts'

const hash = 'abcd'.repeat(16)
const removed = 'dcba'.repeat(16)
const path = `/media/${hash}/low.webp`
const bytes = Buffer.from('RIFF <script>alert(1)</script> '.repeat(200))
const filmPath = `/media/${hash}/file.mp4`
const film = Buffer.from('<html><script>alert(1)</script> '.repeat(100))
/** Opened files that were neither read to the end nor discarded. */
let openFiles = 0
const media: Media = {
  async open(key) {
    if (key !== `${hash}/file.mp4`) return undefined
    openFiles++
    const discard = () => void openFiles--
    const open = ({ from, to }: { from: number; to: number }) => {
      discard()
      return new Blob([film.subarray(from, to)]).stream()
    }
    return { bytes: film.length, open, discard }
  },
  async get(key) {
    if (key === `${hash}/high.webp`) throw new UnavailableError('the bucket answered 500 to GET')
    return key === `${hash}/low.webp` ? { bytes } : undefined
  },
  renew: async (requested) => requested === `${removed}/low.webp` || requested === `${removed}/file.mp4`,
}

/** The logged failures. */
const failures: object[] = []

let api: TestApi
let url: string
let stop: () => Promise<void>
beforeAll(async () => {
  const log = {
    ...noopLog,
    error: (fields: object) => void failures.push(fields),
    warn: (fields: object) => void failures.push(fields),
  }
  api = await createTestApi({ media, log })
  const server = await api.api.listen({ host: '127.0.0.1', port: 0 })
  url = server.url
  stop = server.close
})
afterAll(async () => {
  await stop()
  await api.drop()
})

const expected = {
  'content-type': 'image/webp',
  'content-length': String(bytes.length),
  'content-disposition': 'inline; filename="abcdabcdabcdabcd-low.webp"',
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
}

test('default: a preview is served without a key, as an image with immutable caching', async () => {
  const response = await fetch(url + path, {
    headers: { 'accept-encoding': 'br, gzip', origin: 'https://app.example' },
  })
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject(expected)
  expect(response.headers.has('content-encoding')).toBe(false)
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
})

test('behavior: HEAD returns the headers of a preview, and a matching ETag gets 304', async () => {
  const head = await fetch(url + path, { method: 'HEAD', headers: { origin: 'https://app.example' } })
  expect(head.status).toBe(200)
  expect(Object.fromEntries(head.headers)).toMatchObject(expected)
  expect(await head.text()).toBe('')
  for (const tag of [expected.etag, `W/${expected.etag}`, `"other", ${expected.etag}`, '*']) {
    const response = await fetch(url + path, { headers: { 'if-none-match': tag } })
    expect([response.status, response.headers.get('etag'), await response.text()], tag).toEqual([
      304,
      expected.etag,
      '',
    ])
    expect(response.headers.get('cache-control')).toBe(expected['cache-control'])
  }
  expect((await fetch(url + path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
})

test('behavior: a preview that was removed to free space gets 503 while it is made again, and logs no failure', async () => {
  const response = await fetch(`${url}/media/${removed}/low.webp`)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
  expect(((await response.json()) as { message: string }).message).toContain('is made again')
  expect(failures).toEqual([])
})

const filmHeaders = {
  'content-type': 'video/mp4',
  'content-disposition': 'attachment; filename="abcdabcdabcdabcd.mp4"',
  'accept-ranges': 'bytes',
  'cache-control': expected['cache-control'],
  'content-security-policy': expected['content-security-policy'],
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
  etag: `"${hash.slice(0, 22)}"`,
}

test('default: a stored video is served whole or by range, with the content type of its extension', async () => {
  const whole = await fetch(url + filmPath, { headers: { 'accept-encoding': 'br, gzip' } })
  expect([whole.status, whole.headers.get('content-length')]).toEqual([200, String(film.length)])
  expect(Object.fromEntries(whole.headers)).toMatchObject(filmHeaders)
  expect(whole.headers.has('content-encoding')).toBe(false)
  expect(Buffer.from(await whole.bytes()).equals(film)).toBe(true)
  const last = film.length - 1
  for (const [range, from, to] of [
    ['bytes=0-', 0, last],
    ['bytes=10-19', 10, 19],
    ['Bytes=10-19', 10, 19],
    [`bytes=${last}-${last + 1_000}`, last, last],
    ['bytes=-5', last - 4, last],
  ] as const) {
    const part = await fetch(url + filmPath, { headers: { range } })
    expect([part.status, part.headers.get('content-range')], range).toEqual([206, `bytes ${from}-${to}/${film.length}`])
    expect(Object.fromEntries(part.headers)).toMatchObject({ ...filmHeaders, 'content-length': String(to - from + 1) })
    expect(Buffer.from(await part.bytes()).equals(film.subarray(from, to + 1)), range).toBe(true)
  }
  for (const range of ['bytes=0-1,5-9', 'bytes=-', 'lines=1-2', 'bytes=a-b', 'bytes=5-2'])
    expect((await fetch(url + filmPath, { headers: { range } })).status, range).toBe(200)
  const other = { range: 'bytes=1-2', 'if-range': '"of another file"' }
  expect((await fetch(url + filmPath, { headers: other })).status).toBe(200)
  const held = await fetch(url + filmPath, { headers: { 'if-none-match': filmHeaders.etag } })
  expect([held.status, held.headers.get('etag')]).toEqual([304, filmHeaders.etag])
  const head = await fetch(url + filmPath, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(film.length)])
  expect(openFiles).toBe(0)
})

test('error: an unsatisfiable video range gets 416, a removed video 503, and an unknown one 404', async () => {
  for (const range of [`bytes=${film.length}-`, 'bytes=-0', `bytes=${'9'.repeat(400)}-`]) {
    const response = await fetch(url + filmPath, { headers: { range } })
    expect([response.status, response.headers.get('content-range')], range).toEqual([416, `bytes */${film.length}`])
    expect(response.headers.get('cache-control') ?? '').not.toContain('immutable')
  }
  expect((await fetch(`${url}/media/${removed}/file.mp4`)).status).toBe(503)
  expect((await fetch(`${url}/media/${removed}/file.webm`)).status).toBe(404)
  for (const name of ['file.html', 'file.svg', 'file', 'file.', 'file.mp4.html', 'file.MP4', 'film.mp4'])
    expect((await fetch(`${url}/media/${hash}/${name}`)).status, name).toBe(400)
  expect(openFiles).toBe(0)
})

test('error: a missing preview gets 404, and an invalid name 400, both as JSON', async () => {
  for (const [target, status] of [
    [`/media/${'0'.repeat(64)}/low.webp`, 404],
    [`/media/${hash}/medium.webp`, 404],
    [`/media/${hash}`, 404],
    [`/media/${hash}/low.svg`, 400],
    [`/media/${hash}/low.html`, 400],
    [`/media/${hash}/..%2f..%2fsecret`, 400],
    [`/media/${hash.toUpperCase()}/low.webp`, 400],
    ['/media/..%2f..%2fetc/passwd', 400],
  ] as const) {
    const response = await fetch(url + target)
    expect(response.status, target).toBe(status)
    expect(await response.json()).toMatchObject({ statusCode: status })
    expect(response.headers.get('cache-control') ?? '').not.toContain('immutable')
  }
  expect((await fetch(url + path, { method: 'POST' })).status).toBe(405)
})

test('error: an unreachable media store gets 503, without immutable caching', async () => {
  const response = await fetch(`${url}/media/${hash}/high.webp`)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
  expect(response.headers.get('cache-control') ?? '').not.toContain('immutable')
  expect(failures).toHaveLength(1)
})

test('error: a server without a media store answers 404', async () => {
  const bare = await createTestApi()
  onTestFinished(bare.drop)
  expect((await bare.get(path)).status).toBe(404)
})
