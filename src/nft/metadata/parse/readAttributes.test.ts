import { expect, test } from 'vitest'
import { readAttributes } from './readAttributes.ts'
import type { JsonObject } from './readKey.ts'

/** Pairs of trait and value of metadata. */
function traits(metadata: JsonObject): [string | null, unknown][] {
  return readAttributes(metadata).map(({ trait_type, value }) => [trait_type, value])
}

test.each([
  [{ attributes: [{ traitType: 'A', val: 1 }] }, [['A', 1]]],
  [{ attributes: '["Gold", "Rare"]' }, traits({ attributes: ['Gold', 'Rare'] })],
  [{ attributes: '{"name": "Bob", "type": "Cat"}' }, traits({ attributes: { name: 'Bob', type: 'Cat' } })],
  [
    { attributes: '{"Background": "Red", "value": "high", "type": "Cat"}' },
    traits({ attributes: { Background: 'Red', value: 'high', type: 'Cat' } }),
  ],
  [
    { attributes: [{ trait_type: 'A', value: [], values: ['x', 'y'] }] },
    traits({ attributes: [{ trait_type: 'A', value: ['x', 'y'] }] }),
  ],
  [
    {
      attributes: [
        { property: 'A', value: 'x' },
        { title: 'B', value: 'y' },
        { trait_category: 'C', value: 'z' },
      ],
    },
    [
      ['A', 'x'],
      ['B', 'y'],
      ['C', 'z'],
    ],
  ],
  [
    {
      attributes: [
        { trait: 'A', value: 'x' },
        { key: 'B', value: 'y' },
        { name: 'C', value: 'z' },
        { type: 'D', value: 'w' },
      ],
    },
    [
      ['A', 'x'],
      ['B', 'y'],
      ['C', 'z'],
      ['D', 'w'],
    ],
  ],
  [{ attributes: [{ type: 'string', name: 'A', value: 'x' }] }, [['A', 'x']]],
  [{ attributes: [{ value: 'DSLR' }] }, [[null, 'DSLR']]],
  [
    { attributes: [{ trait_type: 'A' }, { trait_type: 'B', value: null }] },
    [
      ['A', null],
      ['B', null],
    ],
  ],
  [
    { attributes: ['x', 7, true, null] },
    [
      [null, 'x'],
      [null, 7],
      [null, true],
    ],
  ],
  [
    {
      attributes: [
        ['Background', 'Red'],
        ['Eyes', 2],
      ],
    },
    [
      ['Background', 'Red'],
      ['Eyes', 2],
    ],
  ],
  [
    { attributes: [{ Background: 'Red' }, { Eyes: 'Blue', Hat: 'None' }] },
    [
      ['Background', 'Red'],
      ['Eyes', 'Blue'],
      ['Hat', 'None'],
    ],
  ],
  [
    { attributes: { Background: 'Red', Level: 3, Rare: false, Hat: null } },
    [
      ['Background', 'Red'],
      ['Level', 3],
      ['Rare', false],
      ['Hat', null],
    ],
  ],
  [
    { attributes: { value: 'High', color: 'Red' } },
    [
      ['value', 'High'],
      ['color', 'Red'],
    ],
  ],
  [{ attributes: { trait_type: 'A', value: 'x' } }, [['A', 'x']]],
  [
    { attributes: { 0: { trait_type: 'A', value: 'x' }, 1: { trait_type: 'B', value: 'y' } } },
    [
      ['A', 'x'],
      ['B', 'y'],
    ],
  ],
  [
    { attributes: { Stats: { Power: 5, Deep: { x: 1 } }, Tags: ['p', 'q'] } },
    [
      ['Stats / Power', 5],
      ['Stats / Deep / x', 1],
      ['Tags', 'p'],
      ['Tags', 'q'],
    ],
  ],
  [
    {
      attributes: [
        { trait_type: 'Stats', value: { Power: 5 } },
        { trait_type: 'Tags', value: ['p', null, 'q'] },
      ],
    },
    [
      ['Stats / Power', 5],
      ['Tags', 'p'],
      ['Tags', null],
      ['Tags', 'q'],
    ],
  ],
  [{ attributes: { traits: [{ trait_type: 'A', value: 1 }] } }, [['A', 1]]],
  [{ attributes: '[{"trait_type":"A","value":"x"}]' }, [['A', 'x']]],
  [{ attributes: 'rare' }, [[null, 'rare']]],
  [{ attributes: 'none', properties: { A: 'x' } }, [['A', 'x']]],
  [{ attributes: '', traits: 'y', properties: [] }, [[null, '']]],
  [
    { properties: { traits: 'text', A: 'x' } },
    [
      ['traits', 'text'],
      ['A', 'x'],
    ],
  ],
  [{ properties: { attributes: 'text', traits: [{ trait_type: 'A', value: 'x' }] } }, [['A', 'x']]],
  [{ attributes: [], traits: [{ trait_type: 'A', value: 'x' }] }, [['A', 'x']]],
  [{ traits: { A: 'x' } }, [['A', 'x']]],
  [{ attributes: [{ trait_type: 'A', value: 'x' }], traits: [{ trait_type: 'B', value: 'y' }] }, [['A', 'x']]],
  [
    {
      properties: {
        simple: 'ex',
        rich: { name: 'Rich', value: '123', display_value: '123 x' },
        list: { name: 'List', value: [1, 2] },
      },
    },
    [
      ['simple', 'ex'],
      ['Rich', '123'],
      ['List', 1],
      ['List', 2],
    ],
  ],
  [
    { properties: { color: { type: 'string', description: 'Red' }, name: { type: 'string', description: 'N' } } },
    [['color', 'Red']],
  ],
  [{ properties: { attributes: [{ trait_type: 'A', value: 'x' }], files: [{ uri: 'a' }] } }, [['A', 'x']]],
  [{ properties: [{ trait_type: 'A', value: 'x' }] }, [['A', 'x']]],
  [{ attributes: [{ trait_type: 7, value: 'x' }] }, [['7', 'x']]],
  [
    {
      attributes: [
        { trait_type: 'A', value: Number.POSITIVE_INFINITY },
        { trait_type: 'B', value: -0 },
      ],
    },
    [
      ['A', null],
      ['B', 0],
    ],
  ],
  [{ attributes: [{ trait_type: 'A', value: '1e400' }] }, [['A', '1e400']]],
  [{ attributes: [{ trait_type: 'A\0', value: 'x\0\ud800' }] }, [['A', 'x\ufffd']]],
  [
    JSON.parse('{"attributes":{"__proto__":"x","constructor":{"prototype":1}}}'),
    [
      ['__proto__', 'x'],
      ['constructor / prototype', 1],
    ],
  ],
])('behavior: reads the traits of %j', (metadata, expected) => {
  expect(traits(metadata)).toEqual(expected)
  expect('x' in {}).toBe(false)
})

test.each<[JsonObject]>([
  [{ type: 'Background', name: 'Red' }],
  [{ type: 'Background', name: 'Red', description: 'A red one', rarity: 3 }],
  [{ category: 'Background', name: 'Red' }],
  [{ trait_type: 'Background', name: 'Red' }],
  [{ TraitType: 'Background', Value: 'Red' }],
  [{ 'Trait Type': 'Background', VALUE: 'Red' }],
  [{ 'trait-type': 'Background', value: 'Red' }],
  [{ trait_name: 'Background', value: 'Red' }],
  [{ traitName: 'Background', traitValue: 'Red' }],
  [{ attribute: 'Background', value: 'Red' }],
  [{ attribute_name: 'Background', attribute_value: 'Red' }],
  [{ label: 'Background', value: 'Red' }],
  [{ Name: 'Background', Value: 'Red', Rarity: '3%' }],
  [{ trait_type: 'Background', display_value: 'Red' }],
  [{ trait_type: 'Background', value: null, display_value: 'Red' }],
  [{ trait_type: '', label: 'Background', value: 'Red' }],
  [{ trait_type: 'Background', values: ['Red'] }],
])('behavior: %j is read as one trait with its value', (trait) => {
  expect(traits({ attributes: [trait] })).toEqual([['Background', 'Red']])
  expect(traits({ Attributes: [trait] })).toEqual([['Background', 'Red']])
})

test('behavior: an object of trait names and values may have names that are spelled like trait fields', () => {
  expect(traits({ attributes: { Name: 'Bob', Type: 'Mage', Level: 3 } })).toEqual([
    ['Name', 'Bob'],
    ['Type', 'Mage'],
    ['Level', 3],
  ])
  expect(traits({ attributes: { name: 'Bob', value: 5, color: 'red' } })).toEqual([
    ['name', 'Bob'],
    ['value', 5],
    ['color', 'red'],
  ])
  expect(traits({ properties: { hero: { type: 'Mage', name: 'Bob' }, Image: 'x', Files: [] } })).toEqual([
    ['hero / type', 'Mage'],
    ['hero / name', 'Bob'],
  ])
})

test('behavior: reads a trait with other spellings of its fields', () => {
  expect(
    readAttributes({
      attributes: [{ traitType: 'A', value: 1, displayType: 'boost_number', maxValue: '9', order: '3' }],
    }),
  ).toEqual([{ trait_type: 'A', value: 1, display_type: 'boost_number', max_value: '9', trait_count: null, order: 3 }])
})

test('behavior: a trait with thousands of values is bounded too', () => {
  expect(traits({ attributes: [{ trait_type: 'A', value: Array.from({ length: 3000 }, (_, i) => i) }] })).toHaveLength(
    1000,
  )
})

test('behavior: deeply nested traits are read without an error', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
    ['{"trait_type":"a","value":', '}'],
  ] as const) {
    const deep = JSON.parse(`${open.repeat(10_000)}1${close.repeat(10_000)}`)
    expect(traits({ attributes: deep })).toEqual([])
  }
})
