import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { arrayText } from './database.ts'

const text = fc.oneof(
  fc.constantFrom('', 'NULL', '{', '}', ',', '"', '\\', ' ', 'a"b', 'a\\b', '{"a","b"}', '\n', 'é', '🂡'),
  fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0')),
)

test('behavior: the database reads back any list as it was written', async () => {
  const { db, drop } = await createTestDatabase()
  const kinds = {
    text: fc.oneof(text, fc.constant(null)),
    bytea: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    bigint: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
    int: fc.integer(),
    // A negative zero is written as 0, by the driver too.
    float8: fc.double().map((value) => value + 0),
    boolean: fc.boolean(),
  }
  for (const [type, item] of Object.entries(kinds))
    await fc.assert(
      fc.asyncProperty(fc.array<unknown>(item), async (list) => {
        const rows = await db.rows(`SELECT v FROM unnest($1::${type}[]) WITH ORDINALITY AS u (v, n) ORDER BY n`, [list])
        expect(rows.map(([value]) => value)).toEqual(list)
      }),
      { numRuns: 60 },
    )
  await drop()
})

test('default: lists of one type are serialized here, and all others by the driver', () => {
  expect(arrayText([1n, 2n])).toBe('{1,2}')
  expect(arrayText(['a', 'NULL'])).toBe('{"a","NULL"}')
  for (const list of [[], ['"'], [null], [1, null], [1, 2n], [Buffer.alloc(1)], [new Date()]])
    expect(arrayText(list)).toBe(list)
})
