import { expect, test } from 'vitest'
import { createRequestLimit } from './requestLimit.ts'

test('default: the limit grows by one with each round of successes, up to its bound', () => {
  const limit = createRequestLimit({ start: 2, max: 3 })
  limit.raise()
  expect(limit.most()).toBe(2)
  for (let i = 0; i < 2; i++) limit.raise()
  expect(limit.most()).toBe(3)
  for (let i = 0; i < 9; i++) limit.raise()
  expect(limit.most()).toBe(3)
})

test('behavior: many rejections at one moment halve the limit once, and it is never below one', () => {
  const limit = createRequestLimit({ start: 8, max: 8 })
  const before = [limit.begin(), limit.begin()]
  for (const number of before) limit.halve(number)
  expect(limit.most()).toBe(4)
  for (let i = 0; i < 9; i++) limit.halve(limit.begin())
  expect(limit.most()).toBe(1)
})

test('behavior: after a restart the limit grows with each success up to the threshold', () => {
  const limit = createRequestLimit({ start: 8, max: 8, threshold: 8 })
  limit.restart(3)
  const seen = [1, 2, 3, 4].map(() => {
    limit.raise()
    return limit.most()
  })
  expect(seen).toEqual([2, 3, 3, 3])
})
