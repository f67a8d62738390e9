import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { system } from '../../test/system.ts'
import { type Arrivals, watchArrivals } from './watchArrivals.ts'

afterEach(() => void vi.useRealTimers())

/** Calls `arrive` and keeps the thread busy for 40 ms, at most a hundred times. Stops once something is late. */
async function holdUp(late: readonly unknown[], arrive: () => void): Promise<void> {
  for (let i = 0; i < 100 && late.length === 0; i++) {
    arrive()
    for (const end = performance.now() + 40; performance.now() < end; );
    await setImmediate()
  }
}

function watch() {
  const late: string[] = []
  const arrivals: Arrivals<'requests' | 'webhooks'> = watchArrivals((kind) => late.push(kind))
  return { late, arrivals }
}

test('default: many requests delayed by a busy thread are late', async () => {
  const { late, arrivals } = watch()
  await holdUp(late, () => {
    for (let i = 0; i < 20; i++) arrivals.count('requests')
    arrivals.count('webhooks')
  })
  arrivals.close()
  expect(late).toEqual(['requests'])
})

test('behavior: a few requests delayed by a busy thread are not late', system, async () => {
  const { late, arrivals } = watch()
  await holdUp(late, () => arrivals.count('requests'))
  arrivals.close()
  expect(late).toEqual([])
})

test('behavior: many requests served on time are not late', async () => {
  vi.useFakeTimers()
  const { late, arrivals } = watch()
  for (let i = 0; i < 200; i++) {
    for (let j = 0; j < 20; j++) arrivals.count('requests')
    await vi.advanceTimersByTimeAsync(10)
  }
  arrivals.close()
  expect(late).toEqual([])
})

test('behavior: no timer runs while no requests arrive', async () => {
  vi.useFakeTimers()
  const { arrivals } = watch()
  expect(vi.getTimerCount()).toBe(0)
  arrivals.count('requests')
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(1_100)
  expect(vi.getTimerCount()).toBe(0)
})
