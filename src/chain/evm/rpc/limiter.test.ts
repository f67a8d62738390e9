import { expect, test } from 'vitest'
import { createLimiter, type Permit } from './limiter.ts'

async function take(limiter: ReturnType<typeof createLimiter>, count: number): Promise<Permit[]> {
  return await Promise.all(Array.from({ length: count }, () => limiter.acquire()))
}

test('default: serves waiting requests in their order', async () => {
  const limiter = createLimiter({ max: 2 })
  const first = await limiter.acquire()
  const order: number[] = []
  const waiting = [1, 2, 3].map(async (n) => {
    const permit = await limiter.acquire()
    order.push(n)
    permit.release('neutral')
  })
  first.release('neutral')
  await Promise.all(waiting)
  expect(order).toEqual([1, 2, 3])
})

test('behavior: the limit grows by one per round of successes, up to the maximum', async () => {
  const limiter = createLimiter({ max: 8 })
  expect(limiter.limit()).toBe(4)
  for (const permit of await take(limiter, 4)) permit.release('ok')
  expect(limiter.limit()).toBeLessThanOrEqual(5)
  for (let i = 0; i < 100; i++) (await limiter.acquire()).release('ok')
  expect(limiter.limit()).toBe(8)
})

test('behavior: simultaneous rejections halve the limit once, and later ones again, down to one', async () => {
  const limiter = createLimiter({ max: 16 })
  for (const permit of await take(limiter, 8)) permit.release('overloaded')
  expect(limiter.limit()).toBe(4)
  for (let i = 0; i < 9; i++) (await limiter.acquire()).release('overloaded')
  expect(limiter.limit()).toBe(1)
})

test('behavior: an aborted request leaves the queue', async () => {
  const limiter = createLimiter({ max: 2 })
  const first = await limiter.acquire()
  const stop = new AbortController()
  const given = limiter.acquire(stop.signal)
  const next = limiter.acquire()
  const reason = new Error('stopped')
  stop.abort(reason)
  await expect(given).rejects.toBe(reason)
  first.release('neutral')
  await next
  expect(limiter.load()).toBe(1)
})
