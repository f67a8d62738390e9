import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRecent } from './recent.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const freshMs = 50

/** A value whose read takes `ms` and returns its number. `failing`: numbers of reads that fail. */
function numbered({ ms, failing = [] }: { ms: number; failing?: number[] }) {
  let reads = 0
  const recent = createRecent({
    freshMs,
    async read() {
      const number = ++reads
      await new Promise<void>((resolve) => setTimeout(resolve, ms))
      if (failing.includes(number)) throw new Error(`read ${number} failed`)
      return number
    },
  })
  const fresh = () => recent.fresh(performance.now())
  return { recent, fresh, reads: () => reads }
}

/** Returns a value right after its first read. */
async function opened(options: Parameters<typeof numbered>[0]) {
  const value = numbered(options)
  const first = value.recent.read()
  await vi.advanceTimersByTimeAsync(options.ms)
  expect(await first).toBe(1)
  return value
}

test('default: under steady requests the value is refreshed once before it expires, and no request waits', async () => {
  const { fresh, reads } = await opened({ ms: 10 })
  const seen: unknown[] = []
  for (let ms = 0; ms < 100; ms++) {
    seen.push(fresh())
    await vi.advanceTimersByTimeAsync(1)
  }
  expect(seen).not.toContain(undefined)
  // One read per 25 ms.
  expect(reads()).toBe(1 + 4)
  expect(new Set(seen)).toEqual(new Set([1, 2, 3, 4]))
})

test('behavior: a value is not refreshed unless it is requested in the second half of its lifetime', async () => {
  const { fresh, reads } = await opened({ ms: 10 })
  for (let ms = 10; ms < 25; ms++) {
    expect(fresh()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
  }
  await vi.advanceTimersByTimeAsync(1_000)
  expect(reads()).toBe(1)
})

test('behavior: an expired value is never used, and a slow refresh serves the requests made after the expiry', async () => {
  const { recent, fresh } = await opened({ ms: 40 })
  expect(fresh()).toBe(1)
  await vi.advanceTimersByTimeAsync(10)
  expect(fresh()).toBeUndefined()
  const next = recent.read()
  await vi.advanceTimersByTimeAsync(30)
  expect(await next).toBe(2)
})

test('error: a failed refresh has no effect until the value expires', async () => {
  const { recent, fresh } = await opened({ ms: 10, failing: [2, 3] })
  await vi.advanceTimersByTimeAsync(15)
  expect(fresh()).toBe(1)
  await vi.advanceTimersByTimeAsync(10)
  await vi.advanceTimersByTimeAsync(15)
  const reported = expect(recent.read()).rejects.toThrow('read 3 failed')
  await vi.advanceTimersByTimeAsync(10)
  await reported
})
