import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { type S3StandIn, s3Bucket, s3Key, startS3StandIn } from '../../../../test/s3StandIn.ts'
import { bucketUrl, createS3Store, type S3Settings } from './createS3Store.ts'
import { fileKey, InvalidPreviewKeyError, type PreviewStore, PreviewStoreError, previewKey } from './previewStore.ts'

const key = previewKey('abcd'.repeat(16), 'low')

function storeOf({ endpoint }: Pick<S3StandIn, 'endpoint'>, settings: Partial<S3Settings> = {}): PreviewStore {
  const all = { endpoint, bucket: s3Bucket, prefix: '', pathStyle: true, ...s3Key, ...settings }
  const store = createS3Store(all, { retryDelayMs: 1 })
  onTestFinished(() => store.close())
  return store
}

test('default: a stored object can be read again, and a missing one is undefined', async () => {
  const s3 = await startS3StandIn()
  const store = storeOf(s3)
  const bytes = randomBytes(50_000)
  await store.put(key, bytes, 'image/webp')
  expect([...s3.objects.keys()]).toEqual([key])
  expect(await store.get(key)).toEqual({ bytes, contentType: 'image/webp' })
  expect(await store.get(previewKey('0'.repeat(64), 'low'))).toBeUndefined()
})

test('behavior: a stored video is read in parts, so that no S3 request waits for a slow client', async () => {
  const s3 = await startS3StandIn()
  const store = storeOf(s3)
  const film = fileKey('abcd'.repeat(16), 'webm')
  expect(await store.open(film)).toBeUndefined()
  const bytes = randomBytes(2_500_000)
  await store.put(film, bytes, 'video/webm')
  expect(s3.objects.get(film)?.contentType).toBe('video/webm')
  s3.requests.length = 0
  const kept = (await store.open(film))!
  expect(kept.bytes).toBe(bytes.length)
  const reader = kept.open({ from: 10, to: bytes.length - 10 }).getReader()
  const first = (await reader.read()).value!
  expect(s3.requests).toHaveLength(2)
  reader.releaseLock()
  expect(Buffer.from(first).equals(bytes.subarray(10, 10 + first.length))).toBe(true)
  s3.faults.push(503)
  const whole = await buffer((await store.open(film))!.open({ from: 0, to: bytes.length }))
  expect(whole.equals(bytes)).toBe(true)
  // Somebody replaced the file by a shorter one.
  const stale = (await store.open(film))!
  await store.put(film, bytes.subarray(0, 100), 'video/webm')
  await expect(buffer(stale.open({ from: 0, to: bytes.length }))).rejects.toThrow('kept file')
})

test('behavior: the prefix is put before every key', async () => {
  const s3 = await startS3StandIn()
  const store = storeOf(s3, { prefix: '/a b/mintmark/' })
  await store.put(key, Buffer.from('x'), 'image/webp')
  expect([...s3.objects.keys()]).toEqual([`a%20b/mintmark/${key}`])
  expect((await store.get(key))?.bytes.toString()).toBe('x')
})

test('behavior: the bucket is in the URL path or in the host name', () => {
  const at = (endpoint: string, pathStyle: boolean, prefix = '') =>
    bucketUrl({ endpoint, pathStyle, prefix, bucket: 'b' }).href
  expect(at('https://s3.example.com', true)).toBe('https://s3.example.com/b')
  expect(at('https://s3.example.com:9000/sub/', true, 'p/')).toBe('https://s3.example.com:9000/sub/b/p')
  expect(at('https://s3.example.com/?tenant=1', true, 'p')).toBe('https://s3.example.com/b/p?tenant=1')
  expect(at('https://s3.example.com', false, 'p')).toBe('https://b.s3.example.com/p')
})

test('behavior: a request that fails temporarily is sent at most three times', async () => {
  const s3 = await startS3StandIn()
  const store = storeOf(s3)
  s3.faults.push(503, 500)
  await store.put(key, Buffer.from('x'), 'image/webp')
  s3.faults.push(429, 503)
  expect((await store.get(key))?.bytes.toString()).toBe('x')
  s3.faults.push(500, 500, 500)
  await expect(store.get(key)).rejects.toThrow('the bucket answered 500 SlowDown to GET')
  expect(s3.requests).toHaveLength(9)
})

test('behavior: a missing object is recognized even if the access key may not list the bucket', async () => {
  const s3 = await startS3StandIn()
  s3.rights.list = false
  const store = storeOf(s3, { prefix: 'p' })
  expect(await store.get(key)).toBeUndefined()
  expect(await store.get(previewKey('0'.repeat(64), 'low'))).toBeUndefined()
  // The requests are for the missing object, the probe (once for all), and the second missing object.
  expect(s3.requests.map((request) => request.replace(/[0-9a-f]{64}/, 'HASH'))).toEqual([
    'GET /previews/p/HASH/low.webp',
    'GET /previews/p/readable',
    'PUT /previews/p/readable',
    'GET /previews/p/readable',
    'GET /previews/p/HASH/low.webp',
  ])
  await store.put(key, Buffer.from('x'), 'image/webp')
  expect((await store.get(key))?.bytes.toString()).toBe('x')
  expect(await storeOf(s3, { prefix: 'p' }).get(previewKey('0'.repeat(64), 'low'))).toBeUndefined()
  expect(s3.requests.filter((request) => request === 'PUT /previews/p/readable')).toHaveLength(1)
})

test('error: if the access key may not read, requests fail and no object counts as missing', async () => {
  const s3 = await startS3StandIn()
  s3.rights.read = false
  const store = storeOf(s3)
  await store.put(key, Buffer.from('x'), 'image/webp')
  for (const requested of [key, previewKey('0'.repeat(64), 'low')])
    for (const act of [store.get, store.open])
      await expect(act(requested)).rejects.toThrow('the bucket answered 403 AccessDenied to GET')
  s3.rights.write = false
  await expect(store.put(key, Buffer.from('x'), 'image/webp')).rejects.toThrow('403 AccessDenied to PUT')
  await expect(storeOf(s3).get(key)).rejects.toThrow('403 AccessDenied to GET')
})

test('error: wrong S3 credentials, region or bucket are reported once, without the secret', async () => {
  const s3 = await startS3StandIn()
  for (const [settings, code] of [
    [{ secretAccessKey: 'other' }, '403 SignatureDoesNotMatch'],
    [{ accessKeyId: 'OTHER' }, '403 InvalidAccessKeyId'],
    [{ region: 'other' }, '403 AuthorizationHeaderMalformed'],
    [{ bucket: 'other' }, '404 NoSuchBucket'],
  ] as const) {
    const store = storeOf(s3, settings)
    s3.requests.length = 0
    await expect(store.put(key, Buffer.from('x'), 'image/webp')).rejects.toThrow(`the bucket answered ${code} to PUT`)
    await expect(store.get(key)).rejects.toThrow(`the bucket answered ${code} to GET`)
    expect(s3.requests).toHaveLength(2)
  }
  expect(s3.objects.size).toBe(0)
})

test('error: reports an unreachable server, and rejects invalid preview keys', async () => {
  const store = storeOf({ endpoint: 'http://127.0.0.1:1' })
  await expect(store.get(key)).rejects.toBeInstanceOf(PreviewStoreError)
  await expect(store.get('../x')).rejects.toBeInstanceOf(InvalidPreviewKeyError)
  await expect(store.put('../x', Buffer.from('x'), 'image/webp')).rejects.toBeInstanceOf(InvalidPreviewKeyError)
})
