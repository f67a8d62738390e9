import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { binaryList } from './arrayValue.ts'
import { defineLists, list } from './defineLists.ts'
import { column, defineRow } from './defineRow.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const sample = {
  yes: true,
  small: 1,
  whole: -2,
  big: 9_007_199_254_740_993n,
  exact: 2n ** 200n,
  part: 0.5,
  word: 'a, "b" {c}\\',
  id: '00000000-0000-0000-0000-000000000001',
  bytes: Buffer.from([1, 255]),
  at: new Date('2026-01-01T00:00:00Z'),
}
type Sample = { [Name in keyof typeof sample]: (typeof sample)[Name] | null }

const given = defineLists<Sample>({
  yes: list.bool((s) => s.yes),
  small: list.int2((s) => s.small),
  whole: list.int4((s) => s.whole),
  big: list.int8((s) => s.big),
  exact: list.numeric((s) => s.exact),
  part: list.float8((s) => s.part),
  near: list.float4((s) => s.part),
  word: list.text((s) => s.word),
  id: list.uuid((s) => s.id),
  bytes: list.bytea((s) => s.bytes),
  at: list.timestamptz((s) => s.at),
  place: list.int4((_, place) => place),
})

const answered = defineRow({
  yes: column.bool('r.yes').orNull(),
  small: column.int2('r.small').orNull(),
  whole: column.int4('r.whole').orNull(),
  big: column.int8('r.big').orNull(),
  exact: column.numeric('r.exact').orNull(),
  part: column.float8('r.part').orNull(),
  word: column.text('r.word').orNull(),
  id: column.uuid('r.id').orNull(),
  bytes: column.bytea('r.bytes').orNull(),
  at: column.timestamptz('r.at').orNull(),
})

test('default: a statement returns the rows that were passed as lists, in their order', async () => {
  const none: Sample = { ...sample }
  for (const name of Object.keys(none) as (keyof Sample)[]) none[name] = null
  const rows = await database.db.rows(`SELECT ${answered.columns} FROM ${given.unnest(2, 'r')} WHERE place >= $1`, [
    1,
    ...given.lists([sample, none, sample]),
  ])
  expect(rows.map(answered.decode)).toEqual([none, sample])
})

test('behavior: columns, types and lists have the same order', () => {
  const pair = defineLists<{ id: bigint; name: string }>({
    collection_id: list.int8(({ id }) => id),
    name: list.text(({ name }) => name),
  })
  expect(pair.columns).toBe('collection_id, name')
  expect(pair.unnest()).toBe('unnest($1::int8[], $2::text[]) AS v (collection_id, name)')
  expect(pair.unnest(4, 'asked')).toBe('unnest($4::int8[], $5::text[]) AS asked (collection_id, name)')
  expect(pair.lists([])).toEqual([[], binaryList('text', [])])
  expect(
    pair.lists([
      { id: 1n, name: 'one' },
      { id: 2n, name: 'two' },
    ]),
  ).toEqual([[1n, 2n], binaryList('text', ['one', 'two'])])
})
