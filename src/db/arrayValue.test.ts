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
  const kinds = {
    text: fc.oneof(text, fc.constant(null)),
    bytea: fc.oneof(
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      fc.constant(null),
    ),
    bigint: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
    int: fc.integer(),
    // A negative zero is written as 0, by the driver too.
    float8: fc.double().map((value) => value + 0),
    boolean: fc.boolean(),
  }
  for (const [type, item] of Object.entries(kinds))
    await fc.assert(
      fc.asyncProperty(fc.array<unknown>(item), async (list) => {
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
  expect(arrayValue(['a', 'NULL'])).toBe('{"a","NULL"}')
  expect(arrayValue([null, Buffer.alloc(1)])).toBeInstanceOf(Buffer)
  for (const list of [[], ['"'], [null], [1, null], [1, 2n], [null, 'a'], [new Date()]])
    expect(arrayValue(list)).toBe(list)
})
