import { getPriority } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { afterEach, expect, test, vi } from 'vitest'
import type { ThreadDeed } from '../../../test/threadProgram.ts'
import { createThreadPool, type ThreadPool, type ThreadPoolOptions } from './threadPool.ts'

type Pool = ThreadPool<ThreadDeed, { bytes: Uint8Array | undefined }>

const program = new URL('../../../test/threadProgram.ts', import.meta.url)
const started = new Set<Worker>()
let open: Pool[] = []

const noteWorker = (worker: Worker) => {
  started.add(worker)
  worker.once('exit', () => started.delete(worker))
}
process.on('worker', noteWorker)

afterEach(async () => {
  await Promise.all(open.map((pool) => pool.close()))
  open = []
  await vi.waitUntil(() => started.size === 0)
})

function openPool(options: Partial<ThreadPoolOptions> = {}): Pool {
  const pool: Pool = createThreadPool({ program, threads: 2, heapMegabytes: 64, timeoutMs: 60_000, ...options })
  open.push(pool)
  return pool
}

test('default: a few threads run all jobs, and memory is transferred', async () => {
  const pool = openPool()
  const jobs = Array.from({ length: 20 }, (_, i) => Uint8Array.of(i))
  const answers = await Promise.all(
    jobs.map((bytes) => pool.run({ deed: 'answer', bytes }, { transfer: [bytes.buffer] })),
  )
  expect(answers.map(({ bytes }) => [...bytes!])).toEqual(jobs.map((_, i) => [i]))
  expect(jobs.every(({ byteLength }) => byteLength === 0)).toBe(true)
  expect(started.size).toBeLessThanOrEqual(2)
})

test.skipIf(process.platform !== 'linux')('behavior: threads have a lower priority than the main thread', async () => {
  const before = getPriority()
  const { bytes } = await openPool().run({ deed: 'priority' })
  expect([...bytes!]).toEqual([Math.min(19, before + 5)])
  expect(getPriority()).toBe(before)
})

test('behavior: an idle thread ends, and the next job starts a new one', async () => {
  const pool = openPool({ idleMs: 1 })
  await pool.run({ deed: 'answer' })
  await vi.waitUntil(() => started.size === 0)
  expect(await pool.run({ deed: 'answer' })).toEqual({ bytes: undefined })
})

test('behavior: a thread that was warmed up runs the next job, and ends if there is none', async () => {
  const pool = openPool()
  pool.warmUp()
  pool.warmUp()
  await vi.waitUntil(() => started.size === 1)
  await pool.run({ deed: 'answer' })
  expect(started.size).toBe(1)
  const idle = openPool({ idleMs: 1 })
  const ended = new Promise((resolve) => process.once('worker', (worker) => worker.once('exit', resolve)))
  idle.warmUp()
  await ended
})

test.each([
  ['exit', 'exit'],
  ['fill', 'memory'],
  ['hang', 'timeout'],
  ['throw', 'failed'],
] as const)('error: the fault %s in a thread fails only its own job, as %s', async (deed, reason) => {
  const pool = openPool({ threads: 1, timeoutMs: deed === 'hang' ? 300 : 60_000 })
  const failed = expect(pool.run({ deed })).rejects.toMatchObject({ code: 'THREAD_FAILED', reason, retryable: true })
  expect(await pool.run({ deed: 'answer' })).toEqual({ bytes: undefined })
  await failed
})

test('error: a program that cannot be loaded fails every job', async () => {
  const pool = openPool({ program: new URL('./absent.ts', import.meta.url) })
  const jobs = await Promise.allSettled([1, 2, 3, 4].map(() => pool.run({ deed: 'answer' })))
  expect(jobs.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
})

test('behavior: aborting the signal ends the wait for a thread, and the thread continues', async () => {
  const pool = openPool({ threads: 1 })
  const stop = new AbortController()
  const both = [
    pool.run({ deed: 'answer' }, { signal: stop.signal }),
    pool.run({ deed: 'answer' }, { signal: stop.signal }),
  ]
  stop.abort(new Error('enough'))
  for (const job of both) await expect(job).rejects.toThrow('enough')
  expect(await pool.run({ deed: 'answer' })).toEqual({ bytes: undefined })
})

test('behavior: closing a pool while its threads load or work leaves no threads', async () => {
  const [loading, working] = [openPool(), openPool()]
  await working.run({ deed: 'answer' })
  const jobs = [loading.run({ deed: 'answer' }), loading.run({ deed: 'answer' }), working.run({ deed: 'hang' })]
  const outcomes = Promise.allSettled(jobs)
  await Promise.all([loading.close(), working.close()])
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(started.size).toBe(0)
  await expect(loading.run({ deed: 'answer' })).rejects.toMatchObject({ code: 'THREAD_FAILED' })
})
