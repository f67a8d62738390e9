import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { type CopyRows, copyBinary, createCopyWriter } from './copyBinary.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const nullable = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null })
const row = fc.record({
  flag: fc.boolean(),
  small: fc.integer({ min: -32_768, max: 32_767 }),
  count: nullable(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  place: nullable(fc.oneof(fc.maxSafeInteger(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }))),
  hash: fc.uint8Array({ minLength: 16, maxLength: 16 }),
  bytes: nullable(fc.uint8Array({ maxLength: 40 })),
  amount: fc.oneof(
    fc.bigInt({ min: -20_000n, max: 20_000n }),
    fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n }),
    fc.nat(77).map((zeros) => 10n ** BigInt(zeros)),
  ),
})

type Row = typeof row extends fc.Arbitrary<infer R> ? R : never

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

function rowsOf(rows: readonly Row[]): CopyRows {
  const writer = createCopyWriter(100)
  for (const { flag, small, count, place, hash, bytes, amount } of rows) {
    writer.row(7)
    writer.bool(flag)
    writer.int2(small)
    writer.int4(count)
    writer.int8(place)
    writer.hex(hexOf(hash))
    writer.hex(bytes && hexOf(bytes))
    writer.numeric(`${amount}`)
  }
  return writer.finish()
}

async function stored(parts: readonly Uint8Array[]): Promise<unknown[][]> {
  return database.db.transaction(async (tx) => {
    await tx.script(`CREATE TEMP TABLE copied (place serial, flag boolean, small smallint, count integer, long bigint, hash uuid, bytes bytea, amount numeric(78, 0))
      ON COMMIT DROP`)
    await tx.copy(
      'COPY copied (flag, small, count, long, hash, bytes, amount) FROM STDIN (FORMAT binary)',
      copyBinary(parts),
    )
    return tx.fresh.rows(
      `SELECT flag, small, count, long, replace(hash::text, '-', ''), encode(bytes, 'hex'), amount::text FROM copied ORDER BY place`,
    )
  })
}

const expected = ({ flag, small, count, place, hash, bytes, amount }: Row) => [
  ...[flag, small, count, place === null ? null : BigInt(place)],
  ...[hexOf(hash), bytes && hexOf(bytes), `${amount}`],
]

test('behavior: binary copy stores rows with any values unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 30 }), async (rows) => {
      const { bytes, ends } = rowsOf(rows)
      expect(await stored([bytes])).toEqual(rows.map(expected))
      expect([...ends].at(-1) ?? 0).toBe(bytes.length)
    }),
    { numRuns: 40 },
  )
})

test('behavior: any number of rows can be sent in parts that end at row boundaries', async () => {
  const rows = fc.sample(row, { numRuns: 5_000, seed: 1 })
  const { bytes, ends } = rowsOf(rows)
  const cuts = [0, ends[0]!, ends[2_499]!, bytes.length]
  const parts = cuts.slice(1).map((end, i) => bytes.subarray(cuts[i], end))
  expect(await stored(parts)).toEqual(rows.map(expected))
})

test('error: rejects text that is not whole bytes in hex', () => {
  for (const digits of ['0g', 'abc', '0x00']) expect(() => createCopyWriter().hex(digits)).toThrow(/hex digits/)
})
