import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { queries, type Seeded, seed } from '../../../../test/metadataPages.ts'
import { createRandom, freshSeed } from '../../../../test/random.ts'
import { type Attribute, type Documents, matches, read } from '../../../../test/traitMetadata.ts'
import type { Sql } from '../../../db/database.ts'
import { traitFilter } from '../../traits.ts'
import { tokenHash } from '../../transfers/tokenHash.ts'
import { hashBefore, walkTraits } from './walkTraits.ts'

let database: TestDatabase
let collection: Seeded
const documents: Documents = new Map()
const random = createRandom(freshSeed())

beforeAll(async () => {
  database = await createTestDatabase()
  const ids = Array.from({ length: 1_500 }, (_, i) => BigInt(i))
  collection = await seed(database, ids)
  const attributes = (i: bigint): Attribute[] => [
    { trait_type: 'Parity', value: i % 2n === 0n ? 'even' : 'odd' },
    { trait_type: 'Half', value: i % 2n === 0n ? 'first' : 'second' },
    { trait_type: 'Any', value: random.int(3) },
    ...(i % 300n === 0n ? [{ trait_type: 'Rare', value: String(i) }] : []),
  ]
  await read(database, collection, documents, new Map(ids.map((id) => [id, attributes(id)])))
})
afterAll(() => database?.drop())

const lowest = '0'.repeat(32)
const highest = 'f'.repeat(32)

/** Returns all results of a filter, and the number of steps. A step costs at most `most`. */
async function walk(filter: readonly Attribute[], { limit, most }: { limit: number; most: number }) {
  const [query] = queries(database)
  const state = (await query.state(1n, collection.address))!
  const requested = traitFilter(
    filter.map(({ trait_type = '', value }) => ({ type: trait_type, value: String(value) })),
  )
  const found: string[] = []
  for (let to = highest, steps = 1; ; steps++) {
    const step = await walkTraits(database.db, { state, filter: requested, bounds: { from: lowest, to }, limit, most })
    found.push(...step.hashes)
    const last = step.hashes.length === limit ? step.hashes.at(-1)! : step.to
    if (last === null) return { found, steps }
    to = hashBefore(last)
  }
}

function naive(filter: readonly Attribute[]): string[] {
  const ids = [...documents].filter(([, attributes]) => matches(attributes, filter)).map(([id]) => id)
  return ids.map((id) => tokenHash(collection.address, String(id))).sort((a, b) => (a < b ? 1 : -1))
}

const filters: [name: string, filter: [type: string, value: string][]][] = [
  ['a common value', [['Parity', 'even']]],
  ['a rare value', [['Rare', '300']]],
  [
    'two common ones that never meet',
    [
      ['Parity', 'even'],
      ['Half', 'second'],
    ],
  ],
  [
    'two common ones that meet often',
    [
      ['Parity', 'even'],
      ['Any', '1'],
    ],
  ],
  [
    'a rare and a common one',
    [
      ['Rare', '300'],
      ['Half', 'first'],
    ],
  ],
  [
    'a rare and a common one that do not meet',
    [
      ['Rare', '300'],
      ['Half', 'second'],
    ],
  ],
  [
    'all values of some types',
    [
      ['Any', '0'],
      ['Any', '1'],
      ['Any', '2'],
      ['Parity', 'even'],
      ['Parity', 'odd'],
      ['Half', 'none'],
      ['Half', 'first'],
    ],
  ],
  [
    'a value that is not there',
    [
      ['Parity', 'even'],
      ['Half', 'third'],
    ],
  ],
]

test.each(filters)(
  'behavior: filtering by %s finds the same tokens, however few rows a step may read',
  async (_, given) => {
    const filter = given.map(([trait_type, value]) => ({ trait_type, value }))
    const expected = naive(filter)
    for (const most of [1, 300, 25_000])
      for (const limit of [1, 101, 2_000]) {
        if (limit === 1 && expected.length > 100) continue
        const { found, steps } = await walk(filter, { limit, most })
        expect(found, `SEED=${random.seed} most=${most} limit=${limit}`).toEqual(expected)
        if (most === 25_000)
          expect(steps).toBe(
            limit === 1 && expected.length > 0 ? expected.length + 1 : 1 + Math.floor(expected.length / limit),
          )
      }
  },
)

test('behavior: finds a token that moves to a previously unused trait of the filter group while paging starts', async () => {
  const ids = Array.from({ length: 40 }, (_, i) => BigInt(i))
  const moving = await seed(database, ids)
  const hats = (value: string, which: readonly bigint[]) =>
    read(database, moving, new Map(), new Map(which.map((id) => [id, [{ trait_type: 'Hat', value }]])))
  await hats('Red', ids)
  const [query] = queries(database)
  const state = (await query.state(1n, moving.address))!
  let moved: Promise<void> | undefined
  const rows: Sql['rows'] = async (text, values) => {
    const found = await database.db.rows<never>(text, values)
    // The first statement has read the counts; now the token moves.
    moved ??= hats('Blue', [7n])
    await moved
    return found
  }
  const filter = traitFilter(['Red', 'Blue', 'Green'].map((value) => ({ type: 'Hat', value })))
  const bounds = { from: lowest, to: highest }
  const found = await walkTraits({ ...database.db, rows }, { state, filter, bounds, limit: 100 })
  expect(found.hashes.toSorted()).toEqual(ids.map((id) => tokenHash(moving.address, String(id))).toSorted())
})
