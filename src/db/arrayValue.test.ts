import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { arrayValue, binaryList } from './arrayValue.ts'

const text = fc.oneof(
  fc.constantFrom('', 'NULL', '{', '}', ',', '"', '\\', ' ', 'a"b', 'a\\b', '{"a","b"}', '\n', 'é', '🂡'),
  fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0')),
)

test('behavior: the database reads back any list as it was written', async () => {
  const { db, drop } = await createTestDatabase()
  const kinds: Record<string, fc.Arbitrary<unknown>> = {
    text,
    bytea: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    bigint: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
    int: fc.integer(),
    // A negative zero is written as 0, by the driver too.
    float8: fc.double().map((value) => value + 0),
    boolean: fc.boolean(),
    timestamptz: fc.date({ min: new Date('0001-01-01'), max: new Date('20000-01-01'), noInvalidDate: true }),
  }
  for (const [type, item] of Object.entries(kinds))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(item, { freq: 20 })), async (list) => {
        const read = async (values: unknown) => {
          const statement = `SELECT v FROM unnest($1::${type}[]) WITH ORDINALITY AS u (v, n) ORDER BY n`
          return (await db.rows(statement, [values])).map(([value]) => value)
        }
        expect(await read(list)).toEqual(list)
        if (type === 'text' || type === 'bytea') expect(await read(binaryList(type, list as string[]))).toEqual(list)
      }),
      { numRuns: 60 },
    )
  await drop()
})

test('default: lists of one type are serialized here, and all others by the driver', () => {
  expect(arrayValue([1n, 2n])).toBe('{1,2}')
  expect(arrayValue([null, 2])).toBe('{NULL,2}')
  expect(arrayValue(['a', 'NULL'])).toBe('{"a","NULL"}')
  expect(arrayValue(['NULL', null])).toBe('{"NULL",NULL}')
  expect(arrayValue([new Date(0)])).toBe('{"1970-01-01T00:00:00.000Z"}')
  expect(arrayValue([null, Buffer.alloc(1)])).toBeInstanceOf(Buffer)
  for (const list of [[], ['"'], [null], [1, 2n], [Number.NaN, new Date()], [new Date(Number.NaN)], [{}]])
    expect(arrayValue(list)).toBe(list)
})
