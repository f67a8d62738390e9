import { expect, test } from 'vitest'
import { keepByCost, leastCostMs } from './keepByCost.ts'

/** Counts calls of a work that takes `ms` on a clock that moves only with it. */
function createClock() {
  let ms = 0
  let calls = 0
  const takes = (cost: number) => async () => {
    ms += cost
    return ++calls
  }
  const pass = (more: number) => {
    ms += more
  }
  return { now: () => ms, pass, takes }
}

test('default: a costly result is kept for twenty times its cost', async () => {
  const { now, pass, takes } = createClock()
  const kept = keepByCost({ most: 10, now })
  expect(await kept('a', takes(1_000))).toBe(1)
  pass(19_999)
  expect(await kept('a', takes(1_000))).toBe(1)
  expect(await kept('b', takes(1_000))).toBe(2)
  pass(1)
  expect(await kept('a', takes(1_000))).toBe(3)
})

test('behavior: a cheap result is not kept', async () => {
  const { now, takes } = createClock()
  const kept = keepByCost({ most: 10, now })
  expect(await kept('a', takes(leastCostMs - 1))).toBe(1)
  expect(await kept('a', takes(leastCostMs))).toBe(2)
  expect(await kept('a', takes(leastCostMs))).toBe(2)
})

test('behavior: concurrent calls share one work', async () => {
  const { now, takes } = createClock()
  const kept = keepByCost({ most: 10, now })
  expect(await Promise.all([kept('a', takes(1)), kept('a', takes(1))])).toEqual([1, 1])
})

test('error: an error is not kept', async () => {
  const { now, pass, takes } = createClock()
  const kept = keepByCost({ most: 10, now })
  const failing = kept('a', async () => {
    pass(1_000)
    throw new RangeError('no answer')
  })
  await expect(failing).rejects.toThrow('no answer')
  expect(await kept('a', takes(1_000))).toBe(1)
})
