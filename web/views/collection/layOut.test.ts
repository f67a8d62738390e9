import { expect, test } from 'vitest'
import { partsOf } from './layOut.ts'

test('default: a list that a browser can show is one part, also an empty list', () => {
  expect(partsOf(0, 200)).toEqual([{ firstRow: 0, rows: 0 }])
  expect(partsOf(75_000, 200)).toEqual([{ firstRow: 0, rows: 75_000 }])
})

test('behavior: a longer list is split into parts without a gap', () => {
  expect(partsOf(160_000, 200)).toEqual([
    { firstRow: 0, rows: 75_000 },
    { firstRow: 75_000, rows: 75_000 },
    { firstRow: 150_000, rows: 10_000 },
  ])
})
