import { expect, test } from 'vitest'
import { createRowMemory } from './rowMemory.ts'

test('behavior: a buffer returned through any part of it is reused, and only once', () => {
  const memory = createRowMemory()
  const first = memory.take(66_000)
  expect(first).toHaveLength(66_000)
  memory.giveBack(first.subarray(30, 40))
  memory.giveBack(first)
  const second = memory.take(70_000)
  expect(second.buffer).toBe(first.buffer)
  expect(memory.take(70_000).buffer).not.toBe(first.buffer)
})

test('behavior: buffers in use are never handed out again, and foreign buffers are never taken', () => {
  const memory = createRowMemory()
  const foreign = Buffer.alloc(8_192)
  memory.giveBack(foreign)
  const taken = Array.from({ length: 50 }, () => memory.take(8_192))
  expect(new Set([foreign, ...taken].map(({ buffer }) => buffer)).size).toBe(51)
})

test.each([0, 1, 4_095, 1_048_577, 5_000_000])(
  'behavior: the buffer of a row of %i bytes is not kept for reuse',
  (size) => {
    const memory = createRowMemory()
    const row = memory.take(size)
    expect(row).toHaveLength(size)
    memory.giveBack(row)
    const next = memory.take(Math.max(size, 5_000))
    expect(next.buffer === row.buffer).toBe(false)
  },
)
