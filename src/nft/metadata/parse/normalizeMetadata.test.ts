import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { NormalizedMetadata } from './normalizedMetadata.ts'
import { normalizeMetadata } from './normalizeMetadata.ts'

const nothing: NormalizedMetadata = {
  name: null,
  description: null,
  image: null,
  external_link: null,
  external_url: null,
  animation_url: null,
  attributes: [],
}

test('default: normalizes the de-facto standard field by field', () => {
  expect(
    normalizeMetadata({
      name: 'Cat #7',
      description: '<b>bold</b>',
      image: 'ipfs://Qm/7.png',
      external_url: 'https://cats.example/7',
      animation_url: 'https://cats.example/7.mp4',
      background_color: 'ffffff',
      attributes: [
        { trait_type: 'Fur', value: 'Red' },
        { trait_type: 'Level', value: 5, max_value: 10, display_type: 'number', order: 2 },
        { trait_type: 'Born', value: 1_618_974_479, display_type: 'date' },
      ],
    }),
  ).toEqual({
    name: 'Cat #7',
    description: '<b>bold</b>',
    image: 'ipfs://Qm/7.png',
    external_link: 'https://cats.example/7',
    external_url: 'https://cats.example/7',
    animation_url: 'https://cats.example/7.mp4',
    attributes: [
      { trait_type: 'Fur', value: 'Red', display_type: null, max_value: null, trait_count: null, order: null },
      { trait_type: 'Level', value: 5, display_type: 'number', max_value: 10, trait_count: null, order: 2 },
      {
        trait_type: 'Born',
        value: 1_618_974_479,
        display_type: 'date',
        max_value: null,
        trait_count: null,
        order: null,
      },
    ],
  })
})

test.each([undefined, null, 0, 'text', true, [], [{ name: 'a' }], {}, { name: null, attributes: null }])(
  'behavior: %j normalizes to empty fields',
  (value) => expect(normalizeMetadata(value)).toEqual(nothing),
)

test('behavior: {id} in addresses is replaced by the token id if it is known', () => {
  const metadata = { image: 'https://host/{id}.png', animation_url: 'ipfs://Qm/{id}', name: '{id}' }
  const id = '00000000000000000000000000000000000000000000000000000000000000ff'
  expect(normalizeMetadata(metadata, 255n)).toMatchObject({
    image: `https://host/${id}.png`,
    animation_url: `ipfs://Qm/${id}`,
    name: '{id}',
  })
  expect(normalizeMetadata(metadata).image).toBe('https://host/{id}.png')
  expect(normalizeMetadata({ image: 'https://host/{ID}.png' }, 255n).image).toBe(`https://host/${id}.png`)
})

test('behavior: an address that exceeds its length limit with {id} filled in is skipped', () => {
  expect(normalizeMetadata({ image: '{id}'.repeat(128) }, 1n).image).toHaveLength(8192)
  expect(normalizeMetadata({ image: '{id}'.repeat(129) }, 1n).image).toBeNull()
})

test('behavior: inherited properties are ignored', () => {
  const metadata = Object.create({ name: 'a', image: 'b', attributes: ['c'], properties: { d: 'e' } })
  expect(normalizeMetadata(metadata)).toEqual(nothing)
})

test('behavior: external_link and external_url fill each other, but each keeps its own value', () => {
  expect(normalizeMetadata({ external_link: 'a' })).toMatchObject({ external_link: 'a', external_url: 'a' })
  expect(normalizeMetadata({ externalUrl: 'b' })).toMatchObject({ external_link: 'b', external_url: 'b' })
  expect(normalizeMetadata({ external_link: 'a', external_url: 'b' })).toMatchObject({
    external_link: 'a',
    external_url: 'b',
  })
})

test('behavior: metadata fields are found in any letter case', () => {
  const parts = {
    name: 'Cat',
    description: 'A cat',
    image: 'https://h/1.png',
    animation_url: 'https://h/1.mp4',
    external_url: 'https://h/',
  }
  const expected = { ...nothing, ...parts, external_link: parts.external_url }
  const spell = (change: (key: string) => string) =>
    Object.fromEntries(Object.entries(parts).map(([key, value]) => [change(key), value]))
  expect(normalizeMetadata(spell((key) => key.toUpperCase()))).toEqual(expected)
  expect(normalizeMetadata(spell((key) => key[0]!.toUpperCase() + key.slice(1)))).toEqual(expected)
  expect(normalizeMetadata({ Properties: spell((key) => key.replaceAll('_', ' ')) })).toMatchObject(expected)
  expect(normalizeMetadata({ image: '', Image: 'https://h/2.png', imageURL: 'x' }).image).toBe('https://h/2.png')
})

test.each([
  [{ name: 7 }, '7'],
  [{ name: true }, 'true'],
  [{ name: '' }, ''],
  [{ name: '', title: 'T' }, 'T'],
  [{ title: 'T' }, 'T'],
  [{ name: ['a'] }, null],
  [{ name: { en: 'a' } }, null],
  [{ properties: { name: { type: 'string', description: 'N' } }, title: 'Asset Metadata' }, 'N'],
  [{ name: 'a\0b\ud800c' }, 'ab\ufffdc'],
  [{ name: '<script>alert(1)</script>' }, '<script>alert(1)</script>'],
  [{ name: `${'x'.repeat(999)}😀` }, 'x'.repeat(999)],
])('behavior: reads the name of %.60j', (metadata, name) => {
  expect(normalizeMetadata(metadata).name).toBe(name)
})

test('behavior: texts and attributes are cut to their limits', () => {
  const long = 'x'.repeat(50_000)
  const normalized = normalizeMetadata({
    name: long,
    description: long,
    attributes: Array.from({ length: 3000 }, () => ({
      trait_type: long,
      value: long,
      display_type: long,
      max_value: long,
    })),
  })
  expect(normalized.name).toHaveLength(1000)
  expect(normalized.description).toHaveLength(20_000)
  expect(normalized.attributes).toHaveLength(1000)
  for (const text of ['trait_type', 'value', 'display_type', 'max_value'] as const) {
    expect(normalized.attributes[999]?.[text]).toHaveLength(2000)
  }
})

/** JSON with the words that the reader looks for, so that every branch is tested. */
const likely = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.constantFrom(
      null,
      true,
      0,
      -0,
      7.5,
      1e300,
      '',
      'x',
      ' ',
      '\0',
      '\ud800',
      '[{"value":1}]',
      '<svg/>',
      'data:,x',
      'https://h/{id}',
      'javascript:x',
    ),
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(
      fc.oneof(
        fc.constantFrom(
          'name',
          'title',
          'description',
          'image',
          'image_data',
          'imageUrl',
          'external_url',
          'external_link',
          'animation_url',
          'attributes',
          'traits',
          'properties',
          'trait_type',
          'value',
          'key',
          'type',
          'display_type',
          'max_value',
          'order',
          '__proto__',
          'constructor',
          'toString',
          '0',
        ),
        fc.string(),
      ),
      tie('value'),
      { maxKeys: 8 },
    ),
  ),
})).value

const textOrNull = (length: number) => (value: unknown) =>
  value === null ||
  (typeof value === 'string' && value.length <= length && value.isWellFormed() && !value.includes('\0'))

test('behavior: any JSON normalizes to one shape, deterministically and idempotently', () => {
  const keys = Object.keys(nothing)
  const attributeKeys = ['trait_type', 'value', 'display_type', 'max_value', 'trait_count', 'order']
  fc.assert(
    fc.property(
      fc.oneof(likely, fc.jsonValue()),
      fc.option(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })),
      (value, tokenId) => {
        const before = structuredClone(value)
        const normalized = normalizeMetadata(value, tokenId)
        expect(value).toEqual(before)
        expect(Object.keys(normalized)).toEqual(keys)
        expect(normalized.name).toSatisfy(textOrNull(1000))
        expect(normalized.description).toSatisfy(textOrNull(20_000))
        for (const key of ['image', 'external_link', 'external_url', 'animation_url'] as const) {
          expect(normalized[key]).toSatisfy(textOrNull(100_000))
        }
        expect(normalized.attributes.length).toBeLessThanOrEqual(1000)
        for (const attribute of normalized.attributes) {
          expect(Object.keys(attribute)).toEqual(attributeKeys)
          expect(attribute.trait_type).toSatisfy(textOrNull(2000))
          expect(attribute.display_type).toSatisfy(textOrNull(2000))
          expect(attribute.trait_count).toBeNull()
          expect([attribute.order === null, Number.isFinite(attribute.order)]).toContain(true)
          const scalar = attribute.value
          expect(['string', 'number', 'boolean'].includes(typeof scalar) || scalar === null).toBe(true)
          if (typeof scalar === 'string') expect(scalar).toSatisfy(textOrNull(2000))
          if (typeof scalar === 'number') expect(Number.isFinite(scalar)).toBe(true)
        }
        expect(normalizeMetadata(before, tokenId)).toEqual(normalized)
        const text = JSON.stringify(normalized)
        expect(JSON.stringify(normalizeMetadata(JSON.parse(text), tokenId))).toBe(text)
      },
    ),
    { numRuns: 3000 },
  )
})
