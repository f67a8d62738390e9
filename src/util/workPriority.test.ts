import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type BackgroundWork, createWorkPriority, type WorkPriority } from './workPriority.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const { signal } = new AbortController()

/** Runs tasks of `ms` one after another until the clock has advanced by `forMs`; returns how many were started. */
async function work(workPriority: WorkPriority, kind: BackgroundWork, ms: number, forMs: number): Promise<number> {
  const end = performance.now() + forMs
  let tasks = 0
  async function go(): Promise<void> {
    while (performance.now() < end) {
      await workPriority.schedule(kind, signal, async () => {
        tasks += 1
        await new Promise<void>((resolve) => setTimeout(resolve, ms))
      })
    }
  }
  const working = go()
  await vi.advanceTimersByTimeAsync(forMs + 10_000)
  await working
  return tasks
}

/** A history task that never ends; calls `onBegin` when it starts. */
function hang(workPriority: WorkPriority, signal: AbortSignal, onBegin: () => void): Promise<void> {
  return workPriority.schedule('history', signal, () => {
    onBegin()
    return new Promise(() => undefined)
  })
}

/** Reports late urgent work every tenth of a second until `stop` is called. */
function keepLate(workPriority: WorkPriority): () => void {
  workPriority.late('webhooks')
  const timer = setInterval(() => workPriority.late('webhooks'), 100)
  return () => clearInterval(timer)
}

test('default: while no urgent work is late, tasks start immediately, concurrently and in full size', async () => {
  const workPriority = createWorkPriority()
  let started = 0
  for (let i = 0; i < 5; i++) void hang(workPriority, signal, () => started++)
  await vi.advanceTimersByTimeAsync(0)
  expect(started).toBe(5)
  expect(workPriority.isYielding()).toBe(false)
  expect(workPriority.size(8_000, 1_000)).toBe(8_000)
})

test('behavior: webhooks pause for very late requests, at most three times as long as they work, but not for late webhooks', async () => {
  const workPriority = createWorkPriority()
  workPriority.late('requests')
  workPriority.late('webhooks')
  expect(workPriority.webhookPauseMs(10)).toBe(0)
  workPriority.requestsVeryLate()
  expect(workPriority.webhookPauseMs(10)).toBe(10)
  for (let i = 0; i < 10; i++) {
    await vi.advanceTimersByTimeAsync(300)
    workPriority.requestsVeryLate()
  }
  expect(workPriority.webhookPauseMs(10)).toBe(30)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(workPriority.webhookPauseMs(10)).toBe(0)
})

test('behavior: while urgent work is late, tasks are fewer and smaller, with pauses between them', async () => {
  const waited: number[] = []
  const workPriority = createWorkPriority({ onWaited: (_, ms) => waited.push(ms) })
  expect(await work(workPriority, 'history', 100, 10_000)).toBe(100)
  const stop = keepLate(workPriority)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(workPriority.isYielding()).toBe(true)
  expect(workPriority.size(8_000, 1_000)).toBe(1_000)
  // Tasks take 100 ms with pauses of 700 ms. The last one starts after the time.
  expect(await work(workPriority, 'history', 100, 10_000)).toBe(14)
  expect(Math.max(...waited)).toBe(700)
  stop()
})

test('behavior: background work under constant urgent load continues, with a separate share for each kind', async () => {
  const workPriority = createWorkPriority()
  keepLate(workPriority)
  await vi.advanceTimersByTimeAsync(60_000)
  // History has many waiting tasks, and one task for ranks comes last.
  const history = Array.from({ length: 100 }, () => work(workPriority, 'history', 100, 600_000))
  const ranks = work(workPriority, 'ranks', 1_000, 600_000)
  expect(await ranks).toBeGreaterThan(90)
  const tasks = (await Promise.all(history)).reduce((sum, some) => sum + some, 0)
  expect(tasks).toBeGreaterThan(600)
  expect(tasks).toBeLessThan(900)
})

test('behavior: a hanging task delays others of its kind for seconds only', async () => {
  const workPriority = createWorkPriority()
  keepLate(workPriority)
  void hang(workPriority, signal, () => undefined)
  await vi.advanceTimersByTimeAsync(1_000)
  let started = false
  void hang(workPriority, signal, () => {
    started = true
  })
  await vi.advanceTimersByTimeAsync(3_500)
  expect(started).toBe(false)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(started).toBe(true)
})

test('behavior: some seconds after urgent work was last late, background work gets all of the time again', async () => {
  const workPriority = createWorkPriority()
  const stop = keepLate(workPriority)
  await vi.advanceTimersByTimeAsync(60_000)
  stop()
  await vi.advanceTimersByTimeAsync(9_000)
  expect(workPriority.isYielding()).toBe(false)
  expect(await work(workPriority, 'history', 100, 10_000)).toBe(100)
})

test('behavior: waiting tasks start as soon as nothing is late, however long their pause would be', async () => {
  const workPriority = createWorkPriority()
  const stop = keepLate(workPriority)
  await vi.advanceTimersByTimeAsync(60_000)
  const started: number[] = []
  for (let i = 0; i < 3; i++) void hang(workPriority, signal, () => started.push(i))
  await vi.advanceTimersByTimeAsync(0)
  expect(started).toEqual([0])
  stop()
  await vi.advanceTimersByTimeAsync(7_000)
  expect(started).toEqual([0, 1, 2])
})

test('behavior: simultaneous delays count once, and a single one halves the share of background work', async () => {
  const workPriority = createWorkPriority()
  for (let i = 0; i < 20; i++) workPriority.late('requests')
  expect(workPriority.size(1_000, 1)).toBe(500)
})

test('behavior: waiting tasks start in order of arrival, and their signal ends the wait', async () => {
  const workPriority = createWorkPriority()
  keepLate(workPriority)
  void hang(workPriority, signal, () => undefined)
  await vi.advanceTimersByTimeAsync(1_000)
  const started: string[] = []
  const stop = new AbortController()
  for (const name of ['first', 'stopped', 'last'])
    void hang(workPriority, name === 'stopped' ? stop.signal : signal, () => started.push(name))
  stop.abort()
  await vi.advanceTimersByTimeAsync(0)
  expect(started).toEqual(['stopped'])
  await vi.advanceTimersByTimeAsync(5_000)
  expect(started).toEqual(['stopped', 'first'])
  await vi.advanceTimersByTimeAsync(5_000)
  expect(started).toEqual(['stopped', 'first', 'last'])
})

test('behavior: new readers run before those that have run for seconds, and afterwards all take turns', async () => {
  const workPriority = createWorkPriority()
  keepLate(workPriority)
  await vi.advanceTimersByTimeAsync(2_000)
  const tasks = new Map<bigint, number>()
  /** A reader that runs one task of half a second after another. */
  function read(of: bigint): void {
    const go = async (): Promise<void> => {
      await workPriority.schedule(
        'history',
        signal,
        async () => {
          tasks.set(of, (tasks.get(of) ?? 0) + 1)
          await new Promise<void>((resolve) => setTimeout(resolve, 500))
        },
        of,
      )
      return go()
    }
    for (let i = 0; i < 3; i++) void go()
  }
  for (const id of [1n, 2n, 3n, 4n]) read(id)
  await vi.advanceTimersByTimeAsync(200_000)
  const large = [...tasks.values()]
  expect(Math.max(...large) - Math.min(...large)).toBeLessThanOrEqual(1)
  read(5n)
  // There is a half-second task every four seconds. The first eleven are of the new reader, except one that had started.
  await vi.advanceTimersByTimeAsync(40_000)
  expect(tasks.get(5n)).toBeGreaterThanOrEqual(9)
  const before = new Map(tasks)
  await vi.advanceTimersByTimeAsync(200_000)
  const more = [...tasks].map(([id, count]) => count - before.get(id)!)
  expect(Math.max(...more) - Math.min(...more)).toBeLessThanOrEqual(3)
  expect(Math.min(...more)).toBeGreaterThan(5)
})

test('behavior: a reader that waits long for each of its tasks does not count as new', async () => {
  const workPriority = createWorkPriority()
  keepLate(workPriority)
  await vi.advanceTimersByTimeAsync(2_000)
  const tasks = new Map<bigint, number>()
  async function read(of: bigint): Promise<void> {
    const task = async () => {
      tasks.set(of, (tasks.get(of) ?? 0) + 1)
      await new Promise<void>((resolve) => setTimeout(resolve, 1_000))
    }
    for (;;) await workPriority.schedule('history', signal, task, of)
  }
  // There is a task every six seconds, so each of fifteen readers waits for a minute and a half.
  for (let id = 1n; id <= 15n; id++) void read(id)
  await vi.advanceTimersByTimeAsync(1_000_000)
  void read(16n)
  await vi.advanceTimersByTimeAsync(42_000)
  expect(tasks.get(16n)).toBeGreaterThanOrEqual(5)
})
