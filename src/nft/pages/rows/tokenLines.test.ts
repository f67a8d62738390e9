import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { highestHash, lowestHash } from '../../transfers/tokenHash.ts'
import { tokenBytes, writeLines } from './tokenLines.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((some) => Buffer.from(some).toString('hex'))
/** Numbers with many zeros at the end or within. PostgreSQL omits groups of four zeros. */
const number = fc.oneof(
  fc.constantFrom('0', '1', '9999', '10000', '1'.padEnd(78, '0'), '100000000000000000001', '123400005678'),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String),
  fc.nat({ max: 77 }).map((zeros) => `7${'0'.repeat(zeros)}`),
)
const position = fc.oneof(
  fc.constantFrom(0n, 1n, 2n ** 20n - 1n, 2n ** 20n, 2n ** 32n, 2n ** 53n + 1n, 2n ** 63n - 1n),
  fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
)
const token = fc.record({
  hash: fc.oneof(fc.constantFrom(lowestHash, highestHash), bytes(16)),
  id: number,
  amount: fc.oneof(number, fc.constant('9'.repeat(90))),
  owner: fc.option(fc.oneof(fc.constant('0'.repeat(40)), bytes(20))),
  minter: fc.option(bytes(20)),
  last: position,
  first: position,
  erc1155: fc.boolean(),
})

const select = `
SELECT string_agg(${tokenBytes}, '' ORDER BY place) FROM unnest($1::uuid[], $2::numeric[], $3::numeric[], $4::text[], $5::text[], $6::int8[], $7::int8[], $8::bool[])
  WITH ORDINALITY AS u (token_hash, token_id, amount, owner_hex, minter_hex, last_position, first_position, erc1155, place)
  CROSS JOIN LATERAL (
    SELECT u.token_hash, u.token_id, u.amount, decode(nullif(u.owner_hex, ''), 'hex') AS owner, decode(nullif(u.minter_hex, ''), 'hex') AS minter,
      u.last_position, u.first_position, u.erc1155, NULL::int8 AS minted_position
  ) t`

test('behavior: token lines have the values of PostgreSQL, for any numbers and for unknown owners or minters', async () => {
  const read = async (tokens: readonly (typeof token extends fc.Arbitrary<infer T> ? T : never)[]) => {
    const list = (of: (one: (typeof tokens)[number]) => unknown) => tokens.map(of)
    const values = [list((t) => t.hash), list((t) => t.id), list((t) => t.amount)]
    const hexes = [list((t) => t.owner ?? ''), list((t) => t.minter ?? '')]
    const positions = [list((t) => t.last), list((t) => t.first), list((t) => t.erc1155)]
    const [row] = await database.db.rows<[Buffer]>(select, [...values, ...hexes, ...positions])
    return row![0]
  }
  await fc.assert(
    fc.asyncProperty(fc.array(token, { minLength: 1, maxLength: 20 }), async (tokens) => {
      let taken = 0
      const lines = writeLines(await read(tokens), (size) => {
        taken = size
        return Buffer.alloc(size)
      })
      expect(lines.ends.at(-1)).toBeLessThanOrEqual(taken)
      const address = (hex: string | null) => (hex === null ? null : `0x${hex}`)
      const block = (at: bigint) => String(at >> 20n)
      const written = lines.starts.map((start, i) => `{${lines.bytes.toString('latin1', start, lines.ends[i]! - 1)}}`)
      expect(written).toEqual(
        tokens.map((one) =>
          JSON.stringify({
            token_id: one.id,
            token_hash: one.hash,
            owner_of: address(one.owner),
            minter_address: address(one.minter),
            block_number: block(one.last),
            block_number_minted: block(one.first),
            amount: one.amount,
            contract_type: one.erc1155 ? 'ERC1155' : 'ERC721',
          }),
        ),
      )
    }),
    { numRuns: 100 },
  )
})

test('default: writes no lines for no tokens', () => {
  expect(writeLines(Buffer.alloc(0), Buffer.alloc)).toMatchObject({ starts: [], ends: [] })
})
