import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countDownTo, cut, hashTexts, intersect, readHashes, unite } from './hashList.ts'

/** A few hashes, many with equal beginnings, so that lists overlap. */
const hash = fc
  .tuple(
    fc.constantFrom('00', 'aa', 'ff'),
    fc.constantFrom('0'.repeat(11), 'f'.repeat(11)),
    fc.integer({ min: 0, max: 3 }),
  )
  .map(([head, middle, tail]) => `${head}${middle}${tail}`.padEnd(31, '0') + String(tail))
const hashes = fc.uniqueArray(hash, { maxLength: 20 }).map((list) => list.sort().reverse())
const listOf = (texts: readonly string[]) => readHashes(texts.join('') || null)

test('behavior: unites, intersects and cuts hash lists in descending order', () => {
  fc.assert(
    fc.property(hashes, hashes, (a, b) => {
      const [one, other] = [listOf(a), listOf(b)]
      expect(hashTexts(one)).toEqual(a)
      expect(hashTexts(unite(one, other))).toEqual([...new Set([...a, ...b])].sort().reverse())
      expect(hashTexts(intersect(one, other))).toEqual(a.filter((text) => b.includes(text)))
      for (const [j, text] of b.entries()) {
        const count = countDownTo(one, other, j)
        expect(hashTexts(cut(one, count))).toEqual(a.filter((each) => each >= text))
      }
    }),
  )
})
