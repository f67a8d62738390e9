import { expect, test } from 'vitest'
import { isLate } from './isLate.ts'

/** Timestamps of blocks with an interval of `seconds`; below one, several blocks share a timestamp. */
const every = (seconds: number, blocks: number) =>
  Array.from({ length: blocks }, (_, i) => BigInt(1_700_000_000 + Math.floor(i * seconds)))

test.each([
  ['one block in a second', 1_000, every(12, 1), false],
  ['one block in more', 1_001, every(12, 1), true],
  ['blocks that were undone, in more than a second', 1_001, [], true],
  ['sixteen blocks that the chain made in three minutes, in sixteen seconds', 16_000, every(12, 16), false],
  ['the same in more than a second each', 16_001, every(12, 16), true],
  ['sixteen blocks of four a second, faster than these came', 3_000, every(0.25, 16), false],
  ['the same more slowly than these came', 5_000, every(0.25, 16), true],
  ['blocks of one moment, in less than a second each', 15_000, every(0, 16), false],
  ['two blocks of one second, in more', 2_001, every(0.5, 2), true],
])('behavior: %s', (_, writeMs, timestamps, expected) => {
  expect(isLate(writeMs, timestamps)).toBe(expected)
})
