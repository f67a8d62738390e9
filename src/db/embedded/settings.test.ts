import { expect, test } from 'vitest'
import { sharedBuffers } from './settings.ts'

const gigabyte = 2 ** 30

test.each([
  [gigabyte / 2, '256MB'],
  [8 * gigabyte, '512MB'],
  [64 * gigabyte, '640MB'],
])('default: with %i bytes of memory, shared_buffers is %s', (memory, expected) => {
  expect(sharedBuffers(memory)).toBe(expected)
  expect(sharedBuffers()).toMatch(/^\d+MB$/)
})
