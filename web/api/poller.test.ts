import { expect, test } from 'vitest'
import type { ApiCall } from './apiCall.ts'
import { ApiFault } from './apiFault.ts'
import { createPoller, type Poller } from './poller.ts'
import type { Answered, Unchanged } from './sendCall.ts'

type Requested = {
  target: string
  etag: string | null
  signal: AbortSignal
  give(data: unknown, etag?: string, headers?: Record<string, string>): void
  unchanged(headers?: Record<string, string>): void
  fail(fault: ApiFault): void
}

/** A poller with a fake clock and responses. */
function setUp(): { poller: Poller; requested: Requested[]; pass(ms: number): Promise<void> } {
  let now = 0
  let timers: { at: number; run: () => void }[] = []
  const requested: Requested[] = []
  const poller = createPoller({
    now: () => now,
    elapsed: () => now,
    setTimer: (run, ms) => {
      const timer = { at: now + ms, run }
      timers.push(timer)
      return timer
    },
    clearTimer: (timer) => {
      timers = timers.filter((other) => other !== timer)
    },
    send: <T>({ target }: ApiCall<T>, { etag, signal }: { etag: string | null; signal: AbortSignal }) =>
      new Promise<Answered<T> | Unchanged>((resolve, reject) => {
        const give = (data: unknown, tag: string | null = null, headers: Record<string, string> = {}) =>
          resolve({ data: data as T, etag: tag, headers: new Headers(headers) })
        const unchanged = (headers: Record<string, string> = {}) =>
          resolve({ unchanged: true, headers: new Headers(headers) })
        requested.push({ target, etag, signal, give, unchanged, fail: reject })
      }),
  })
  async function pass(ms: number): Promise<void> {
    await settle()
    const until = now + ms
    for (;;) {
      const next = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
      if (!next) break
      timers = timers.filter((other) => other !== next)
      now = Math.max(now, next.at)
      next.run()
      await settle()
    }
    now = until
    await settle()
  }
  return { poller, requested, pass }
}

/** Waits until all pending promises settle. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0))

const call = (target: string): ApiCall<number> => ({ method: 'GET', target })

test('default: a request is polled after its pause with the last ETag, and unchanged data is kept', async () => {
  const { poller, requested, pass } = setUp()
  const { state } = poller.watch(call('/a'), 5_000)
  await pass(0)
  requested[0]!.give(1, '"1"')
  await pass(4_999)
  expect(requested).toHaveLength(1)
  expect(state.value).toMatchObject({ data: 1, at: 0 })
  await pass(1)
  expect(requested[1]).toMatchObject({ target: '/a', etag: '"1"' })
  const before = state.value.data
  requested[1]!.unchanged()
  await pass(0)
  expect(state.value).toMatchObject({ data: before, at: 5_000, fault: undefined })
})

test('behavior: the headers of a 304 replace the earlier headers', async () => {
  const { poller, requested, pass } = setUp()
  const { state } = poller.watch(call('/a'), 5_000)
  await pass(0)
  requested[0]!.give(1, '"1"', {
    'x-index-status': 'synced',
    'x-index-to-block': '7',
    'content-type': 'application/json',
  })
  await pass(5_000)
  requested[1]!.unchanged({ 'x-index-status': 'syncing', 'x-index-to-block': '9' })
  await pass(0)
  expect(state.value.data).toBe(1)
  expect(Object.fromEntries(state.value.headers!)).toEqual({
    'x-index-status': 'syncing',
    'x-index-to-block': '9',
    'content-type': 'application/json',
  })
})

test('behavior: equal requests are shared at their shortest pause, until the last watcher stops', async () => {
  const { poller, requested, pass } = setUp()
  const slow = poller.watch(call('/a'), 60_000)
  const fast = poller.watch(call('/a'), 1_000)
  await pass(0)
  requested[0]!.give(1)
  await pass(1_000)
  expect(requested).toHaveLength(2)
  fast.stop()
  requested[1]!.give(2)
  expect(poller.size()).toBe(1)
  await pass(59_000)
  expect(requested).toHaveLength(2)
  slow.stop()
  expect(poller.size()).toBe(0)
  await pass(86_400_000)
  expect(requested).toHaveLength(2)
})

test('behavior: a request in flight is aborted when its last watcher stops', async () => {
  const { poller, requested, pass } = setUp()
  const { stop, state } = poller.watch(call('/a'), 1_000)
  await pass(0)
  stop()
  expect(requested[0]!.signal.aborted).toBe(true)
  requested[0]!.give(1)
  await pass(10_000)
  expect(state.value.data).toBeUndefined()
  expect(requested).toHaveLength(1)
})

test('behavior: a hidden page sends no requests, and sends one immediately when it is shown again', async () => {
  const { poller, requested, pass } = setUp()
  poller.watch(call('/a'), 1_000)
  await pass(0)
  poller.setVisible(false)
  requested[0]!.give(1)
  await pass(86_400_000)
  expect(requested).toHaveLength(1)
  poller.setVisible(true)
  await pass(0)
  expect(requested).toHaveLength(2)
})

test('behavior: pauses double while requests fail, up to a minute or the Retry-After of the server, and the data is kept', async () => {
  const { poller, requested, pass } = setUp()
  const { state } = poller.watch(call('/a'), 1_000)
  await pass(0)
  requested[0]!.give(7)
  await pass(1_000)
  const waits: number[] = []
  for (let i = 1; i <= 8; i++) {
    requested[i]!.fail(new ApiFault('away', { status: 503 }))
    await settle()
    let ms = 0
    for (; requested.length === i + 1; ms += 1_000) await pass(1_000)
    waits.push(ms)
  }
  expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
  expect(state.value).toMatchObject({ data: 7, fault: { message: 'away' } })
  requested[9]!.fail(new ApiFault('too many', { status: 429, retryAfterMs: 90_000 }))
  await pass(89_000)
  expect(requested).toHaveLength(10)
  await pass(1_000)
  requested[10]!.give(8)
  await pass(1_000)
  expect(requested).toHaveLength(12)
  expect(state.value).toMatchObject({ data: 8, fault: undefined })
})

test('behavior: the poller limits concurrent requests', async () => {
  const { poller, requested, pass } = setUp()
  for (let i = 0; i < 10; i++) poller.watch(call(`/${i}`), 60_000)
  await pass(0)
  expect(requested).toHaveLength(4)
  requested[0]!.give(1)
  await pass(0)
  expect(requested).toHaveLength(5)
})

test('behavior: a refresh during a request in flight sends another request after it', async () => {
  const { poller, requested, pass } = setUp()
  const { again } = poller.watch(call('/a'), 60_000)
  await pass(0)
  again()
  requested[0]!.give('before the change')
  await pass(0)
  expect(requested).toHaveLength(2)
})

test('behavior: an infinite pause polls once, but retries a failure', async () => {
  const { poller, requested, pass } = setUp()
  poller.watch(call('/a'), Number.POSITIVE_INFINITY)
  await pass(0)
  requested[0]!.fail(new ApiFault('away', { status: 0 }))
  await pass(10_000)
  requested[1]!.give(1)
  await pass(86_400_000)
  expect(requested).toHaveLength(2)
})

test('behavior: a request without a response fails after a minute, and other requests are sent', async () => {
  const { poller, requested, pass } = setUp()
  const watches = Array.from({ length: 5 }, (_, i) => poller.watch(call(`/${i}`), 300_000))
  await pass(59_999)
  expect(requested).toHaveLength(4)
  await pass(1)
  for (const { signal, fail } of requested.slice(0, 4)) {
    expect(signal.aborted).toBe(true)
    fail(new DOMException('aborted', 'AbortError') as never)
  }
  await pass(0)
  expect(watches[0]!.state.value.fault?.message).toBe('the server did not respond within 60 seconds')
  expect(requested).toHaveLength(5)
  requested[4]!.give(1)
  await pass(10_000)
  expect(requested).toHaveLength(9)
})

test('behavior: changes of the system clock do not affect the times of requests', async () => {
  let [elapsed, now, run] = [0, 1e12, () => {}]
  let requested = 0
  const poller = createPoller({
    elapsed: () => elapsed,
    now: () => now,
    setTimer: (next, ms) => {
      run = () => {
        elapsed += ms
        next()
      }
      return run
    },
    clearTimer: () => {
      run = () => {}
    },
    async send() {
      requested++
      return { unchanged: true, headers: new Headers() }
    },
  })
  const { state } = poller.watch(call('/a'), 1_000)
  for (const days of [0, -1, 1]) {
    now += days * 86_400_000
    run()
    await settle()
    expect(state.value.at).toBe(now)
  }
  expect({ requested, elapsed }).toEqual({ requested: 3, elapsed: 2_000 })
})
