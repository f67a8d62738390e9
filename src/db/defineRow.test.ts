import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { column, defineRow, type RowOf } from './defineRow.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const sample = defineRow({
  yes: column.bool('true'),
  small: column.int2('1::int2'),
  whole: column.int4('2'),
  big: column.int8('9007199254740993'),
  huge: column.numeric('1e30::numeric'),
  part: column.float8('0.5::float8'),
  word: column.text<'some' | 'none'>(`'some'`),
  words: column.textArray(`ARRAY['a, b', 'c']`),
  ids: column.int8Array('ARRAY[1, 9007199254740993]::int8[]'),
  id: column.uuid(`'00000000-0000-0000-0000-000000000001'::uuid`),
  bytes: column.bytea(`'\\x01ff'::bytea`),
  at: column.timestamptz(`'2026-01-01T00:00:00Z'::timestamptz`),
  made: column.jsonb<{ of: number[] }>(`'{"of": [1]}'::jsonb`),
})

const values = {
  yes: true,
  small: 1,
  whole: 2,
  big: 9_007_199_254_740_993n,
  huge: 10n ** 30n,
  part: 0.5,
  word: 'some',
  words: ['a, b', 'c'],
  ids: [1n, 9_007_199_254_740_993n],
  id: '00000000-0000-0000-0000-000000000001',
  bytes: Buffer.from([1, 255]),
  at: new Date('2026-01-01T00:00:00Z'),
  made: { of: [1] },
}

test('default: each column type decodes the driver value to the declared type', async () => {
  const rows = await database.db.rows(`SELECT ${sample.columns}`)
  expect(rows.map(sample.decode)).toEqual([values])
  expectTypeOf<RowOf<typeof sample>['word']>().toEqualTypeOf<'some' | 'none'>()
  expectTypeOf<RowOf<typeof sample>['ids']>().toEqualTypeOf<bigint[]>()
})

test('behavior: a row read as one text has the same values', async () => {
  const [row] = await database.db.rows<[string]>(`SELECT ${sample.json}`)
  expect(sample.parse(row![0])).toEqual(values)
})

test('behavior: a NULL column decodes to null, without calling its conversion', async () => {
  const perhaps = defineRow({
    ids: column.int8Array('v.ids').orNull(),
    at: column.timestamptz('v.at').map(Number).orNull(),
  })
  const rows = await database.db.rows(
    `SELECT ${perhaps.columns} FROM (VALUES (ARRAY[1::int8], '2026-01-01T00:00:00Z'::timestamptz), (NULL, NULL)) AS v (ids, at)`,
  )
  expect(rows.map(perhaps.decode)).toEqual([
    { ids: [1n], at: Date.UTC(2026) },
    { ids: null, at: null },
  ])
  const texts = await database.db.rows<[string]>(
    `SELECT ${perhaps.json} FROM (SELECT NULL::int8[], NULL::timestamptz) AS v (ids, at)`,
  )
  expect(texts.map(([text]) => perhaps.parse(text))).toEqual([{ ids: null, at: null }])
  expectTypeOf<RowOf<typeof perhaps>>().toEqualTypeOf<{ ids: bigint[] | null; at: number | null }>()
})
