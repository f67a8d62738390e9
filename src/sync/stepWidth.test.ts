import { expect, test } from 'vitest'
import { createStepWidth } from './stepWidth.ts'

/** Widths of steps whose transactions take `fixed` milliseconds, and `each` per block. */
function widthsWith(fixed: number, each: number, steps = 12): number[] {
  const width = createStepWidth(64)
  return Array.from({ length: steps }, () => {
    const blocks = Number(width.current())
    width.read(blocks, blocks)
    width.written(blocks, fixed + each * blocks)
    return blocks
  })
}

test('default: short transactions have the most blocks', () => {
  expect(new Set(widthsWith(100, 1))).toEqual(new Set([64]))
})

test('behavior: long transactions get fewer blocks, until each takes a second', () => {
  expect(widthsWith(0, 100).slice(0, 5)).toEqual([64, 32, 16, 8, 16])
  expect(widthsWith(0, 3_000).at(-1)).toBe(1)
})

test('behavior: where a transaction of any size takes long, blocks remain many', () => {
  expect(Math.min(...widthsWith(1_200, 0))).toBeGreaterThanOrEqual(32)
  expect(widthsWith(2_000, 300)).toEqual([64, 32, 16, 8, 4, 2, 4, 2, 4, 2, 4, 2])
})

test('behavior: failed steps are halved, and steps that do not fit have the blocks that do', () => {
  const width = createStepWidth(64)
  for (let i = 0; i < 8; i++) width.failed()
  expect(width.current()).toBe(1n)
  width.read(1, 1)
  expect(width.current()).toBe(2n)
  width.read(5, 64)
  expect(width.current()).toBe(5n)
})
