import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashRange } from './cutPage.ts'

test('default: computes the bounds of three hash ranges', () => {
  expect([0, 1, 2].map((range) => hashRange(3, range))).toEqual([
    { from: null, to: '55555555555555555555555555555556' },
    { from: '55555555555555555555555555555556', to: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab' },
    { from: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab', to: null },
  ])
})

test('default: a single range has no bounds', () => {
  expect(hashRange(1, 0)).toEqual({ from: null, to: null })
})

test('behavior: each hash lies in exactly one range, and the ranges are contiguous', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }), (parts, number) => {
      const hash = number.toString(16).padStart(32, '0')
      const all = Array.from({ length: parts }, (_, range) => hashRange(parts, range))
      const holding = all.filter(({ from, to }) => (from === null || hash >= from) && (to === null || hash < to))
      expect(holding).toHaveLength(1)
      for (let i = 1; i < parts; i++) expect(all[i]!.from).toBe(all[i - 1]!.to)
      expect(all.every(({ from, to }) => [from, to].every((bound) => bound === null || bound.length === 32))).toBe(true)
    }),
    { numRuns: 50 },
  )
})
