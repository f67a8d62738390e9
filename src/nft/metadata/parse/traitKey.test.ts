import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalizeMetadata } from './normalizeMetadata.ts'
import { traitKey } from './storedTraits.ts'

/** The distinct keys of the counted traits. */
const keysOf = (attributes: unknown) => {
  const keys = normalizeMetadata({ attributes }).attributes.map(traitKey)
  return [...new Set(keys)].filter((key) => key !== null)
}

test('default: each trait gets a key, in order', () => {
  expect(keysOf([{ trait_type: 'Fur', value: 'Red' }, 'DSLR', { trait_type: 'Level', value: 5 }])).toEqual([
    '["Fur","Red"]',
    '[null,"DSLR"]',
    '["Level","5"]',
  ])
})

test('behavior: a trait counts once per token, regardless of the type of its value', () => {
  expect(
    keysOf([
      { trait_type: 'A', value: 5 },
      { trait_type: 'A', value: '5' },
      { trait_type: 'A', value: 5, order: 1 },
    ]),
  ).toEqual(['["A","5"]'])
  expect(
    keysOf([
      { trait_type: 'A', value: true },
      { trait_type: 'A', value: 'true' },
    ]),
  ).toEqual(['["A","true"]'])
})

test('behavior: a trait without a value is not counted', () => {
  expect(keysOf([{ trait_type: 'A', value: null }])).toEqual([])
})

test('behavior: long traits have short, distinct keys', () => {
  const [a, b] = keysOf([
    { trait_type: 'A', value: 'é'.repeat(2000) },
    { trait_type: 'A', value: `${'é'.repeat(1999)}e` },
  ])
  expect(a).toMatch(/^sha256:[\da-f]{64}$/)
  expect(b).toMatch(/^sha256:[\da-f]{64}$/)
  expect(a).not.toBe(b)
})

test('behavior: two keys are equal exactly if names and value texts are, and no key exceeds 200 bytes', () => {
  const attribute = fc.record({
    trait_type: fc.option(fc.string({ unit: 'binary', maxLength: 80 })),
    value: fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer()),
  })
  fc.assert(
    fc.property(attribute, attribute, (a, b) => {
      const [keyA, keyB] = [traitKey(a), traitKey(b)]
      const same = a.trait_type === b.trait_type && String(a.value) === String(b.value)
      expect(keyA === keyB).toBe(same)
      expect(Buffer.byteLength(keyA!)).toBeLessThanOrEqual(200)
    }),
  )
})
