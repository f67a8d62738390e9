import { expect, test } from 'vitest'
import { createShares, type Shares } from './createShares.ts'

const holder = (name: string, ofFree = 1) => ({ name, ofFree })

/** Number of slots that a holder gets before a rejection. */
function takeAll(shares: Shares, name: string): number {
  let taken = 0
  while (shares.take([holder(name)])) taken++
  return taken
}

test('default: the first holder gets half of the slots, and each further one half of the remaining ones', () => {
  const shares = createShares(16)
  expect(['a', 'b', 'c', 'd'].map((name) => takeAll(shares, name))).toEqual([8, 4, 2, 1])
  expect(shares.free).toBe(1)
})

test('behavior: released slots go to holders that have fewer', () => {
  const shares = createShares(8)
  expect([takeAll(shares, 'a'), takeAll(shares, 'b')]).toEqual([4, 2])
  shares.give([holder('a')])
  expect([shares.take([holder('a')]), shares.take([holder('b')])]).toEqual([false, true])
  for (let i = 0; i < 3; i++) shares.give([holder('a')])
  for (let i = 0; i < 3; i++) shares.give([holder('b')])
  expect([shares.free, takeAll(shares, 'a')]).toEqual([8, 4])
})

test('behavior: a host is bounded across all its collections, and keeps capacity for one more', () => {
  const shares = createShares(16)
  const host = holder('host', 2)
  let first = 0
  while (shares.take([holder('first'), host])) first++
  const second = [holder('second'), host]
  expect([first, shares.take(second), shares.take(second), shares.take(second)]).toEqual([8, true, true, true])
  let others = 0
  for (let i = 0; i < 16; i++) if (shares.take([holder(`collection ${i}`), host])) others++
  expect([others, shares.free]).toEqual([0, 5])
  expect(takeAll(shares, 'elsewhere')).toBe(3)
})

test('behavior: a single slot is granted too', () => {
  expect(takeAll(createShares(1), 'a')).toBe(1)
})
