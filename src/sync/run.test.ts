import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DatabaseUnavailableError } from '../db/databaseError.ts'
import { MintmarkError } from '../util/errors.ts'
import { noopLog } from '../util/log.ts'
import { createWaker } from '../util/wait.ts'
import { run } from './run.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

class UnreachableError extends MintmarkError {
  readonly code = 'UNAVAILABLE'
  override readonly retryable = true
}

/** Returns the number of tries of a step within an hour in which the loop wakes every second. */
async function triesIn(hour: () => Error): Promise<number> {
  const stop = new AbortController()
  const waker = createWaker()
  let tries = 0
  const running = run({
    name: 'test',
    async step() {
      tries += 1
      throw hour()
    },
    idleMs: 1_000,
    waker,
    signal: stop.signal,
    log: noopLog,
  })
  for (let second = 0; second < 3_600; second++) {
    waker.wake()
    await vi.advanceTimersByTimeAsync(1_000)
  }
  stop.abort()
  await running
  return tries
}

test('default: a source error is retried as soon as the loop is woken', async () => {
  expect(await triesIn(() => new UnreachableError('the node is unreachable'))).toBeGreaterThan(3_000)
})

test('behavior: a step that fails on its input is retried ever more rarely, however often the loop is woken', async () => {
  const tries = await triesIn(() => new RangeError('Invalid string length'))
  expect(tries).toBeGreaterThan(5)
  expect(tries).toBeLessThan(25)
})

test('behavior: after a long outage of the database, a loop that nothing wakes continues within seconds', async () => {
  const stop = new AbortController()
  let isBack = false
  let isDone = false
  const step = async () => {
    if (!isBack) throw new DatabaseUnavailableError('the database cannot be reached')
    isDone = true
    return 'idle' as const
  }
  const running = run({ name: 'test', step, idleMs: 10_000, signal: stop.signal, log: noopLog })
  await vi.advanceTimersByTimeAsync(600_000)
  isBack = true
  await vi.advanceTimersByTimeAsync(7_000)
  expect(isDone).toBe(true)
  stop.abort()
  await running
})

test('behavior: the first input failure of a step after a long source outage is retried immediately', async () => {
  const stop = new AbortController()
  const waker = createWaker()
  const faults = [
    ...Array.from({ length: 30 }, () => new UnreachableError('the node is unreachable')),
    new RangeError('once'),
  ]
  let isDone = false
  const running = run({
    name: 'test',
    async step() {
      const fault = faults.shift()
      if (fault) throw fault
      isDone = true
      return 'idle'
    },
    idleMs: 1_000,
    waker,
    signal: stop.signal,
    log: noopLog,
  })
  for (let second = 0; second < 60; second++) {
    waker.wake()
    await vi.advanceTimersByTimeAsync(1_000)
  }
  stop.abort()
  await running
  expect(isDone).toBe(true)
})

test('behavior: the loop reports to a step whether it only rested before', async () => {
  const stop = new AbortController()
  const waker = createWaker()
  const began = Date.now()
  const steps: [second: number, rested: boolean][] = []
  const running = run({
    name: 'test',
    async step(_, rested) {
      steps.push([(Date.now() - began) / 1_000, rested])
      return 'idle'
    },
    idleMs: 1_000,
    waker,
    signal: stop.signal,
    log: noopLog,
  })
  await vi.advanceTimersByTimeAsync(2_500)
  waker.wake()
  await vi.advanceTimersByTimeAsync(1_500)
  stop.abort()
  await running
  expect(steps).toEqual([
    [0, false],
    [1, true],
    [2, true],
    [2.5, false],
    [3.5, true],
  ])
})
