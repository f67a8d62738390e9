import { expect, test } from 'vitest'
import { guardedClient, names, rejection } from '../../../test/guardedClient.ts'
import { holdClock } from '../../../test/holdClock.ts'
import { createRawServer, httpAnswer } from '../../../test/rawServer.ts'
import { system } from '../../../test/system.ts'
import { createHostRateLimiter, type HostRateLimiterOptions } from './hostRateLimiter.ts'

const hostRateLimiter = (options: Partial<HostRateLimiterOptions> = {}) =>
  createHostRateLimiter({ perHost: 2, inFlight: 100, maxQueued: 10, maxWaitMs: 1_000, ...options })

/** Returns the number of settled promises. The others must still wait. */
async function settled(promises: readonly Promise<unknown>[]): Promise<number> {
  let count = 0
  for (const promise of promises)
    promise.then(
      () => count++,
      () => count++,
    )
  await new Promise((resolve) => setImmediate(resolve))
  return count
}

test('default: a host gets requests up to its concurrency limit, and the others wait in order', async () => {
  const polite = hostRateLimiter()
  const first = await polite.enter('a')
  await polite.enter('a')
  const order: number[] = []
  const waiting = [3, 4].map(async (n) => {
    const visit = await polite.enter('a')
    order.push(n)
    return visit
  })
  expect(await settled(waiting)).toBe(0)
  first.release({ kind: 'ok' })
  ;(await waiting[0]!).release({ kind: 'ok' })
  await waiting[1]
  expect(order).toEqual([3, 4])
})

test('behavior: hosts that wait for a free slot take turns', async () => {
  const polite = hostRateLimiter({ inFlight: 1, perHost: 1 })
  const only = await polite.enter('z')
  const order: string[] = []
  const visits = ['a', 'a', 'a', 'b', 'b', 'c'].map(async (host) => {
    const visit = await polite.enter(host)
    order.push(host)
    visit.release({ kind: 'ok' })
  })
  only.release({ kind: 'ok' })
  await Promise.all(visits)
  expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a'])
  expect(polite.inFlight()).toBe(0)
})

test('error: rejects requests over the queue limit immediately', async () => {
  const polite = hostRateLimiter({ perHost: 1, maxQueued: 2 })
  const visit = await polite.enter('a')
  const waiting = [polite.enter('a'), polite.enter('a')]
  expect(await rejection(polite.enter('a'))).toMatchObject({ code: 'HOST_BUSY', retryable: true })
  visit.release({ kind: 'ok' })
  ;(await waiting[0]!).release({ kind: 'ok' })
  await waiting[1]
})

test('error: a request that waits too long is rejected with a retry time', async () => {
  const polite = hostRateLimiter({ perHost: 1, maxWaitMs: 50 })
  await polite.enter('a')
  expect(await rejection(polite.enter('a'))).toMatchObject({ code: 'HOST_BUSY', retryAfterMs: 50 })
})

test('behavior: an aborted request leaves the queue', async () => {
  const polite = hostRateLimiter({ perHost: 1 })
  const visit = await polite.enter('a')
  const stop = new AbortController()
  const withdrawn = rejection(polite.enter('a', stop.signal))
  const stays = polite.enter('a')
  const reason = new Error('no longer needed')
  stop.abort(reason)
  expect(await withdrawn).toBe(reason)
  visit.release({ kind: 'ok' })
  await stays
  expect(polite.inFlight()).toBe(1)
})

test('behavior: Retry-After pauses only its host, and a long one rejects the waiting requests', async () => {
  holdClock()
  const polite = hostRateLimiter({ perHost: 1 })
  const visit = await polite.enter('a')
  const waiting = rejection(polite.enter('a'))
  visit.release({ kind: 'limited', retryAfterMs: 60_000 })
  expect(await waiting).toMatchObject({ code: 'HOST_BUSY', retryAfterMs: 60_000 })
  expect(await rejection(polite.enter('a'))).toMatchObject({ code: 'HOST_BUSY', retryAfterMs: 60_000 })
  expect(polite.pausedMs('a')).toBe(60_000)
  expect(polite.pausedMs('b')).toBe(0)
  ;(await polite.enter('b')).release({ kind: 'ok' })
})

test('behavior: a request waits for the end of a short Retry-After pause, and is then admitted', async () => {
  const polite = hostRateLimiter({ perHost: 4 })
  const visits = await Promise.all([1, 2, 3].map(() => polite.enter('a')))
  const began = performance.now()
  visits[0]!.release({ kind: 'limited', retryAfterMs: 100 })
  for (const visit of visits.slice(1)) visit.release({ kind: 'limited', retryAfterMs: 50 })
  const next = await polite.enter('a')
  expect(performance.now() - began).toBeGreaterThan(99)
  next.release({ kind: 'ok' })
})

test('behavior: consecutive failures pause a host for longer each time, and concurrent failures count once', async () => {
  const polite = hostRateLimiter({ perHost: 8, maxWaitMs: 1 })
  const visits = await Promise.all([...Array(8)].map(() => polite.enter('a')))
  const pauses: number[] = []
  holdClock()
  for (const visit of visits) {
    visit.release({ kind: 'failed' })
    pauses.push(polite.pausedMs('a'))
  }
  expect(pauses.slice(0, 2)).toEqual([0, 0])
  // The third failure pauses the host. The five other requests started before it and show nothing new.
  expect(pauses[2]).toBeGreaterThan(799)
  expect(Math.max(...pauses)).toBeLessThanOrEqual(1_000)
})

test('behavior: a success resets the count of earlier failures', async () => {
  const polite = hostRateLimiter()
  for (const kind of ['failed', 'failed', 'ok', 'failed', 'failed'] as const)
    (await polite.enter('a')).release({ kind })
  expect(polite.pausedMs('a')).toBe(0)
})

test('error: closing rejects every waiting request', async () => {
  const polite = hostRateLimiter({ perHost: 1 })
  await polite.enter('a')
  const waiting = rejection(polite.enter('a'))
  polite.close()
  expect((await waiting).code).toBe('HOST_BUSY')
  expect((await rejection(polite.enter('b'))).code).toBe('HOST_BUSY')
})

test('behavior: a hanging host does not slow 10,000 requests to other hosts', system, async () => {
  await using dead = await createRawServer(() => {})
  await using server = await createRawServer((_, socket) => socket.write(httpAnswer(200, '{}')))
  const others = [...Array(20).keys()].map((i) => `host${i}.test`)
  const zone = Object.fromEntries([...others, 'dead.test'].map((name) => [name, ['127.0.0.1']]))
  // If the hanging host blocked them, the others would wait longer than a test may take.
  const settings = { timeoutMs: 600_000, idleTimeoutMs: 600_000, maxInFlight: 64, maxWaitMs: 600_000 }
  await using client = guardedClient(settings, names(zone))
  const stop = new AbortController()
  const hanging = [...Array(500)].map(() =>
    rejection(client.get(`http://dead.test:${dead.port}/`, { signal: stop.signal })),
  )
  await expect.poll(() => dead.requests.length).toBe(8)
  const answers = await Promise.all(
    [...Array(10_000).keys()].map((i) => client.get(`http://${others[i % 20]}:${server.port}/${i}`)),
  )
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  // The hanging host had at most eight of its five hundred requests in progress.
  expect(dead.open()).toBeLessThanOrEqual(8)
  stop.abort(new Error('enough'))
  await Promise.all(hanging)
})

test.each([429, 503])('behavior: honors Retry-After of a %s', async (status) => {
  let limited = 0
  await using server = await createRawServer((_, socket) =>
    socket.write(limited++ > 0 ? httpAnswer(200, 'slow') : httpAnswer(status, '', { 'retry-after': '1' })),
  )
  await using client = guardedClient()
  const began = performance.now()
  expect(await rejection(client.get(server.url))).toMatchObject({ code: 'HTTP_STATUS', status, retryAfterMs: 1_000 })
  expect((await client.get(server.url)).body.toString()).toBe('slow')
  expect(performance.now() - began).toBeGreaterThan(999)
})

test.each([429, 503])(
  'behavior: a long Retry-After of a %s rejects requests to that host, and not to others',
  async (status) => {
    await using server = await createRawServer((request, socket) =>
      socket.write(
        /host: slow.test/.test(request) ? httpAnswer(status, '', { 'retry-after': '3600' }) : httpAnswer(200, 'fast'),
      ),
    )
    await using client = guardedClient({}, names({ 'slow.test': ['127.0.0.1'], 'fast.test': ['127.0.0.1'] }))
    const slow = `http://slow.test:${server.port}/`
    await rejection(client.get(slow))
    expect(await rejection(client.get(slow))).toMatchObject({ code: 'HOST_BUSY', retryable: true })
    expect((await client.get(`http://fast.test:${server.port}/`)).body.toString()).toBe('fast')
    expect(server.requests).toHaveLength(2)
  },
)

test.each([
  ['a gateway that answers', 'gateway', [], 8],
  ['a gateway of which one answer did not come', 'gateway', ['failed'], 4],
  ['a gateway of which two answers of one moment did not come', 'gateway', ['failed', 'failed'], 4],
  ['another host that answers', 'other', [], 4],
] as const)('behavior: limits the concurrent requests of %s', async (_, host, outcomes, given) => {
  const gateways = { of: (name: string) => (name === 'gateway' ? name : undefined), most: 8 }
  const polite = hostRateLimiter({ perHost: 4, gateways, maxQueued: 1_000 })
  const visit = async () => (await polite.enter(host)).release({ kind: 'ok' })
  await Promise.all(Array.from({ length: 200 }, visit))
  const last = await Promise.all(outcomes.map(() => polite.enter(host)))
  for (const [i, kind] of outcomes.entries()) last[i]!.release({ kind })
  expect(await settled(Array.from({ length: 20 }, () => polite.enter(host)))).toBe(given)
  polite.close()
})
