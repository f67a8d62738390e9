import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createCachedPage, createPageCache } from './pageCache.ts'

const page = (version: bigint, text = 'x') => createCachedPage({ version, etag: `W/"${version}"`, text })

test('behavior: an older page never replaces a newer one in the cache', () => {
  const cache = createPageCache({ maxBytes: 1_000_000 })
  const newer = page(8n)
  cache.set('a', newer)
  cache.set('a', page(7n))
  expect(cache.get('a', 7n)).toBe(newer)
  expect(cache.get('a', 8n)).toBe(newer)
  expect(cache.get('a', 9n)).toBeUndefined()
})

test('behavior: the page cache stays within its byte limit, including compressed bodies', async () => {
  const kept = 20
  const text = () => randomBytes(5_000).toString('hex')
  // Random hex halves when compressed, so each page has about 10,000 + 5,000 + 5,000 bytes and its overhead.
  const cache = createPageCache({ maxBytes: kept * 22_500 })
  for (let i = 0; i < 100; i++) {
    const one = page(1n, text())
    cache.set(`page ${i}`, one)
    await cache.encode(`page ${i}`, one, 'gzip')
    await cache.encode(`page ${i}`, one, 'br')
  }
  const remaining = Array.from({ length: 100 }, (_, i) => i).filter((i) => cache.get(`page ${i}`, 1n))
  expect(remaining.length).toBeGreaterThan(kept - 5)
  expect(remaining.length).toBeLessThan(kept + 5)
  expect(remaining[0]).toBe(100 - remaining.length)
})

test('behavior: cached pages hold no buffer larger than themselves, however short they are', async () => {
  const cache = createPageCache({ maxBytes: 1_000_000 })
  const cut = Buffer.from('v'.repeat(2_000))
  for (const text of ['w'.repeat(2_000), cut]) {
    const one = createCachedPage({ version: 1n, etag: 'W/"1"', text })
    const bodies = await Promise.all((['identity', 'br', 'gzip'] as const).map((form) => cache.encode('a', one, form)))
    expect(bodies.map((bytes) => bytes.buffer.byteLength)).toEqual(bodies.map((bytes) => bytes.length))
  }
})

test('behavior: a page larger than the cache is encoded but not cached, also with a cache of 0 bytes', async () => {
  for (const cache of [createPageCache({ maxBytes: 3_000 }), createPageCache({ maxBytes: 0 })]) {
    const large = page(1n, 'y'.repeat(5_000))
    cache.set('a', large)
    expect(cache.get('a', 1n)).toBeUndefined()
    expect((await cache.encode('a', large, 'identity')).length).toBe(5_000)
    expect((await cache.encode('a', large, 'br')).length).toBeLessThan(1_000)
  }
})

test('behavior: concurrent requests compress a body once', async () => {
  const cache = createPageCache({ maxBytes: 1_000_000 })
  const one = page(1n, 'z'.repeat(5_000))
  cache.set('a', one)
  const bodies = await Promise.all(Array.from({ length: 10 }, () => cache.encode('a', one, 'gzip')))
  expect(new Set(bodies).size).toBe(1)
})
