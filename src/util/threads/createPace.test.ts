import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createPace } from './createPace.ts'

function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('behavior: other work of the process runs between tasks', async () => {
  const pace = createPace({ breathMs: 2 })
  let slices = 0
  let over = false
  const others = (async () => {
    while (!over) {
      await setImmediate()
      slices += 1
    }
  })()
  // Without a macrotask between them, forty tasks in a chain of promises would be one round of the event loop.
  for (let i = 0; i < 40; i++) {
    await pace()
    work(1)
  }
  over = true
  await others
  expect(slices).toBeGreaterThanOrEqual(10)
})

test('behavior: callers that wait concurrently do not all continue immediately', async () => {
  const pace = createPace({ breathMs: 2 })
  let most = 0
  let tasks = 0
  let over = false
  const others = (async () => {
    while (!over) {
      await setImmediate()
      most = Math.max(most, tasks)
      tasks = 0
    }
  })()
  const worker = async () => {
    for (let i = 0; i < 3; i++) {
      await pace()
      work(3)
      tasks += 1
    }
  }
  await Promise.all(Array.from({ length: 30 }, worker))
  over = true
  await others
  // Each task takes longer than the pause interval. After it, one more may start, but never the thirty that wait.
  expect(most).toBeLessThanOrEqual(2)
})

test('behavior: while requests use all the time of the process, background work is limited to its rate', async () => {
  const pace = createPace({ isBusy: () => true, busyRate: () => 250 })
  const started = performance.now()
  for (let i = 0; i < 21; i++) await pace()
  // Five tasks run in 20 ms, so the twenty-first comes after at least four pauses.
  expect(performance.now() - started).toBeGreaterThanOrEqual(75)
})
