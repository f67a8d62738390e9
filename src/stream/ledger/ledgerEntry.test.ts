import fc from 'fast-check'
import { expect, test } from 'vitest'
import { slicesBySize } from './ledgerEntry.ts'

test('behavior: slices are contiguous, exceed the limit only with a single item, and are as large as possible', () => {
  const property = fc.property(fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 40 }), (sizes) => {
    const slices = [...slicesBySize(sizes, 10)].map(([from, to]) => sizes.slice(from, to))
    expect(slices.flat()).toEqual(sizes)
    const sum = (list: readonly number[] = []) => list.reduce((a, b) => a + b, 0)
    for (const [i, slice] of slices.entries()) {
      if (slice.length > 1) expect(sum(slice)).toBeLessThanOrEqual(10)
      const next = slices[i + 1]
      if (next) expect(sum(slice) + next[0]!).toBeGreaterThan(10)
    }
  })
  fc.assert(property)
})
