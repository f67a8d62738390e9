import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../../test/api.ts'
import { UnavailableError } from '../../../util/errors.ts'
import { silentLog } from '../../../util/log.ts'
import type { Media } from './media.ts'

const hash = 'abcd'.repeat(16)
const removed = 'dcba'.repeat(16)
const path = `/media/${hash}/low.webp`
const bytes = Buffer.from('RIFF <script>alert(1)</script> '.repeat(200))
const media: Media = {
  async get(key) {
    if (key === `${hash}/high.webp`) throw new UnavailableError('the bucket answered 500 to GET')
    return key === `${hash}/low.webp` ? { bytes } : undefined
  },
  renew: async (asked) => asked === removed,
}

/** The failures that were logged. */
const failures: object[] = []

let api: TestApi
let url: string
let stop: () => Promise<void>
beforeAll(async () => {
  const log = {
    ...silentLog,
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

test('default: a preview, without a key, as an image and nothing else, for ever', async () => {
  const response = await fetch(url + path, {
    headers: { 'accept-encoding': 'br, gzip', origin: 'https://app.example' },
  })
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject(expected)
  expect(response.headers.has('content-encoding')).toBe(false)
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
})

test('behavior: HEAD, and 304 to a client that has the preview', async () => {
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

test('behavior: a preview that was removed to make room is 503 while it is made again, and no failure in the log', async () => {
  const response = await fetch(`${url}/media/${removed}/low.webp`)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
  expect(((await response.json()) as { message: string }).message).toContain('is made again')
  expect(failures).toEqual([])
})

test('error: a preview that is not there is 404, an impossible name 400, both as JSON', async () => {
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

test('error: a store that is unreachable is 503, and not for ever', async () => {
  const response = await fetch(`${url}/media/${hash}/high.webp`)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
  expect(response.headers.get('cache-control') ?? '').not.toContain('immutable')
  expect(failures).toHaveLength(1)
})

test('error: a server that keeps no media', async () => {
  const bare = await createTestApi()
  onTestFinished(bare.drop)
  expect((await bare.get(path)).status).toBe(404)
})
