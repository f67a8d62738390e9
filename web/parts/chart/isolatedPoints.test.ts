import { expect, test } from 'vitest'
import { isolatedPoints } from './isolatedPoints.ts'

test('default: finds the values without a neighbour, which a line chart does not show', () => {
  expect(isolatedPoints([null, 5, null, 1, 2, null, 3])).toEqual([1, 6])
  expect(isolatedPoints([7])).toEqual([0])
  expect(isolatedPoints([4, undefined, null, 0, null])).toEqual([0, 3])
  expect(isolatedPoints([null, 1, 2, 3])).toEqual([])
  expect(isolatedPoints([])).toEqual([])
})
