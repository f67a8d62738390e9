import { setImmediate as tick } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { holdClock } from '../../../test/holdClock.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'

/** Waits until every task that may start has started: each takes one turn of the event loop at most. */
async function settle(): Promise<void> {
  for (let i = 0; i < 200; i++) await tick()
}

/** Runs tasks that the test ends, and lists them in the order of their starts. */
function createTasks(scheduler: Scheduler) {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    started,
    run(keyId: bigint, operation: string, name: string): Promise<string> {
      return scheduler.run({ keyId, operation }, async () => {
        started.push(name)
        const { promise, resolve } = Promise.withResolvers<void>()
        ends.set(name, resolve)
        await promise
        return name
      })
    },
    async end(name: string): Promise<void> {
      ends.get(name)!()
      ends.delete(name)
      await settle()
    },
  }
}

const numbered = (letter: string, count: number) => Array.from({ length: count }, (_, i) => `${letter}${i}`)

/** Makes the scheduler measure this duration for an operation. */
async function measure(scheduler: Scheduler, operation: string, ms: number, keyId = 99n): Promise<void> {
  const clock = holdClock()
  for (let i = 0; i < 40; i++) await scheduler.run({ keyId, operation }, async () => clock.advance(ms))
}

test('behavior: while one key has many requests waiting, a request of another key starts next', async () => {
  const scheduler = createScheduler()
  await measure(scheduler, 'page', 5)
  const tasks = createTasks(scheduler)
  const all = numbered('a', 32).map((name) => tasks.run(1n, 'page', name))
  await settle()
  expect(tasks.started).toEqual(['a0', 'a1'])
  const other = tasks.run(2n, 'page', 'b0')
  await settle()
  expect(tasks.started).toEqual(['a0', 'a1', 'b0'])
  await tasks.end('b0')
  expect(await other).toBe('b0')
  for (const name of numbered('a', 32)) await tasks.end(name)
  expect(await Promise.all(all)).toEqual(numbered('a', 32))
})

test('behavior: keys share time by the cost of their requests, not by their number', async () => {
  const scheduler = createScheduler()
  // Nothing else may start: both keys have two tasks in progress that use all of the key's share.
  await measure(scheduler, 'dear', 10)
  await measure(scheduler, 'cheap', 2.5)
  const tasks = createTasks(scheduler)
  const running = ['a0', 'a1', 'b0', 'b1'].map((name) => tasks.run(name.startsWith('a') ? 1n : 2n, 'dear', name))
  const waiting = [
    ...numbered('dear', 4).map((name) => tasks.run(1n, 'dear', name)),
    ...numbered('cheap', 8).map((name) => tasks.run(2n, 'cheap', name)),
  ]
  await settle()
  await tasks.end('a0')
  expect(tasks.started).toEqual(['a0', 'a1', 'b0', 'b1', 'dear0'])
  await tasks.end('b0')
  await tasks.end('b1')
  expect(tasks.started.slice(5)).toEqual(numbered('cheap', 4))
  await tasks.end('a1')
  for (const name of [...numbered('dear', 4), ...numbered('cheap', 8)]) await tasks.end(name)
  expect(await Promise.all([...running, ...waiting])).toHaveLength(16)
})

test('behavior: cheap requests of one key run concurrently up to its share, and one expensive request runs beside them', async () => {
  const scheduler = createScheduler()
  await measure(scheduler, 'cheap', 0.5)
  await measure(scheduler, 'dear', 500)
  const tasks = createTasks(scheduler)
  const all = [
    ...numbered('cheap', 30).map((name) => tasks.run(1n, 'cheap', name)),
    ...numbered('dear', 3).map((name) => tasks.run(1n, 'dear', name)),
  ]
  await settle()
  expect(tasks.started).toEqual([...numbered('cheap', 20), 'dear0'])
  // A long request does not delay short ones of the same key or long ones of another key.
  await tasks.end('cheap0')
  const other = tasks.run(2n, 'dear', 'other')
  await settle()
  expect(tasks.started.slice(21)).toEqual(['cheap20', 'other'])
  for (const name of [...numbered('cheap', 30).slice(1), ...numbered('dear', 3), 'other']) await tasks.end(name)
  await Promise.all([...all, other])
})

test('behavior: short tasks that waited start together in a turn of the event loop, and others get the next turn', async () => {
  const scheduler = createScheduler()
  await measure(scheduler, 'dear', 10)
  await measure(scheduler, 'cheap', 0.5)
  const tasks = createTasks(scheduler)
  const all = [tasks.run(1n, 'dear', 'dear0'), ...numbered('cheap', 12).map((name) => tasks.run(1n, 'cheap', name))]
  expect(tasks.started).toEqual(['dear0', 'cheap0'])
  const ended = tasks.end('dear0')
  for (let i = 0; tasks.started.length === 2; i++) {
    expect(i).toBeLessThan(5)
    await tick()
  }
  expect(tasks.started.slice(2)).toEqual(numbered('cheap', 9).slice(1))
  await ended
  expect(tasks.started.slice(1)).toEqual(numbered('cheap', 12))
  for (const name of numbered('cheap', 12)) await tasks.end(name)
  await Promise.all(all)
})

test('behavior: long tasks of many keys leave capacity for short tasks', async () => {
  const scheduler = createScheduler()
  await measure(scheduler, 'dear', 500)
  await measure(scheduler, 'cheap', 1)
  const tasks = createTasks(scheduler)
  const long = numbered('long', 10).map((name, i) => tasks.run(BigInt(i + 1), 'dear', name))
  await settle()
  expect(tasks.started).toEqual(numbered('long', 4))
  const short = tasks.run(50n, 'cheap', 'short')
  await settle()
  expect(tasks.started).toEqual([...numbered('long', 4), 'short'])
  await tasks.end('long0')
  expect(tasks.started.at(-1)).toBe('long4')
  for (const name of ['short', ...numbered('long', 10)]) if (name !== 'long0') await tasks.end(name)
  await Promise.all([...long, short])
})

test('behavior: the cost estimate of an operation follows its measured duration', async () => {
  const scheduler = createScheduler()
  await measure(scheduler, 'page', 500, 1n)
  await measure(scheduler, 'page', 1, 1n)
  const tasks = createTasks(scheduler)
  const all = numbered('a', 7).map((name) => tasks.run(1n, 'page', name))
  await settle()
  expect(tasks.started).toEqual(numbered('a', 7))
  for (const name of numbered('a', 7)) await tasks.end(name)
  await Promise.all(all)
})

test('behavior: a failed task lets the next one run', async () => {
  const scheduler = createScheduler()
  await measure(scheduler, 'page', 500)
  const failing = scheduler.run({ keyId: 1n, operation: 'page' }, async () => {
    await tick()
    throw new Error('failed')
  })
  const next = scheduler.run({ keyId: 1n, operation: 'page' }, async () => 'next')
  await expect(failing).rejects.toThrow('failed')
  expect(await next).toBe('next')
})

test('error: a key with too many waiting requests gets 429 with Retry-After, while another key is served', async () => {
  const scheduler = createScheduler({ longestWaitMs: 60_000 })
  await measure(scheduler, 'page', 500)
  const { promise, resolve } = Promise.withResolvers<string>()
  const endless = () => promise
  const all = numbered('a', 1_001).map(() => scheduler.run({ keyId: 1n, operation: 'page' }, endless))
  await expect(scheduler.run({ keyId: 1n, operation: 'page' }, endless)).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    retryAfterSeconds: 500,
  })
  expect(await scheduler.run({ keyId: 2n, operation: 'page' }, async () => 'other')).toBe('other')
  resolve('done')
  expect(await Promise.all(all)).toEqual(all.map(() => 'done'))
})

test('error: a request that waits too long gets 429 behind its own key, and 503 behind other keys', async () => {
  const scheduler = createScheduler({ longestWaitMs: 50 })
  await measure(scheduler, 'dear', 500)
  const tasks = createTasks(scheduler)
  const running = numbered('a', 4).map((name, i) => tasks.run(BigInt(i), 'dear', name))
  const rejections = await Promise.allSettled([tasks.run(1n, 'dear', 'own'), tasks.run(9n, 'dear', 'other')])
  expect(rejections).toMatchObject([
    { reason: { code: 'TOO_MANY_REQUESTS', message: expect.stringContaining('of the same key') } },
    { reason: { code: 'UNAVAILABLE', message: expect.stringContaining('of other keys') } },
  ])
  for (const name of numbered('a', 4)) await tasks.end(name)
  expect(await Promise.all(running)).toEqual(numbered('a', 4))
  expect(tasks.started).toEqual(numbered('a', 4))
})

test('error: a waiting task whose client has gone is not started, and the next one is', async () => {
  const scheduler = createScheduler()
  await measure(scheduler, 'page', 500)
  const tasks = createTasks(scheduler)
  const first = tasks.run(1n, 'page', 'first')
  let isGone = false
  const started: string[] = []
  const gone = scheduler.run({ keyId: 1n, operation: 'page', isGone: () => isGone }, async () => started.push('gone'))
  const next = scheduler.run({ keyId: 1n, operation: 'page', isGone: () => false }, async () => started.push('next'))
  isGone = true
  const outcome = expect(gone).rejects.toMatchObject({ code: 'CLIENT_GONE' })
  await tasks.end('first')
  await outcome
  expect(await next).toBe(1)
  expect([started, await first]).toEqual([['next'], 'first'])
})

test('error: no task is started for a client that has gone, even if it need not wait', async () => {
  const scheduler = createScheduler()
  const task = async () => 'started'
  const gone = scheduler.run({ keyId: 1n, operation: 'page', isGone: () => true }, task)
  await expect(gone).rejects.toMatchObject({ code: 'CLIENT_GONE' })
  expect(await scheduler.run({ keyId: 1n, operation: 'page', isGone: () => false }, task)).toBe('started')
})
