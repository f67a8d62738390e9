import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { nameOfBlock } from '../../blocks/createBlockTimes.ts'
import { collectionMembers, writeTransferLines } from './transferLines.ts'
import { collectionBytes, transferBytes } from './transferRow.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((some) => Buffer.from(some).toString('hex'))
/** Numbers with many zeros at the end or within. PostgreSQL omits groups of four zeros. */
const number = fc.oneof(
  fc.constantFrom('0', '1', '9', '10', '10000', '1'.padEnd(78, '0'), '100000000000000000001'),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String),
)
const longest = 2n ** 63n - 1n
const transfer = fc.record({
  position: fc.oneof(fc.constantFrom(0n, 2n ** 20n - 1n, 2n ** 20n, longest), fc.bigInt({ min: 0n, max: longest })),
  item: fc.oneof(fc.nat(3), fc.constant(2 ** 31 - 1)),
  time: fc.oneof(
    fc.constantFrom(0n, 59n, 86_399n, 86_400n, 951_782_400n, 253_402_300_799n, 253_402_300_800n, longest),
    fc.bigInt({ min: 0n, max: 253_402_300_799n }),
  ),
  transactionIndex: fc.option(fc.oneof(fc.nat(), fc.constant(2 ** 31 - 1))),
  id: number,
  amount: fc.oneof(number, fc.constant('9'.repeat(90))),
  from: bytes(20),
  to: bytes(20),
  operator: fc.option(bytes(20)),
  transactionHash: bytes(32),
  blockHash: bytes(32),
  collection: fc.record({
    address: bytes(20),
    verified: fc.boolean(),
    possibleSpam: fc.boolean(),
  }),
})
type Given = typeof transfer extends fc.Arbitrary<infer T> ? T : never

/** Returns the bytes of transfers. `reported`: with their collections. A time of −1 is unknown. */
async function read(transfers: readonly Given[], reported: boolean): Promise<Buffer> {
  const list = (of: (one: Given) => unknown) => transfers.map(of)
  const [row] = await database.db.rows<[Buffer]>(
    `SELECT string_agg(${transferBytes(reported ? 'c.contract_bytes' : undefined)}, '' ORDER BY t.place)
     FROM (
       SELECT u.*, nullif(u.time, -1) AS block_time, u.id::numeric(78, 0) AS token_id, decode(u.from_hex, 'hex') AS from_address, decode(u.to_hex, 'hex') AS to_address,
         decode(u.operator_hex, 'hex') AS operator, decode(u.transaction_hex, 'hex') AS transaction_hash, decode(u.block_hex, 'hex') AS block_hash,
         7::int2 AS partition, 9::int8 AS collection_id
       FROM unnest($1::int8[], $2::int4[], $3::int8[], $4::int4[], $5::numeric[], $6::numeric[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[],
           $12::text[], $13::bool[], $14::bool[])
         WITH ORDINALITY AS u (position, item, time, transaction_index, id, amount, from_hex, to_hex, operator_hex, transaction_hex, block_hex,
           address_hex, verified, possible_spam, place)
     ) t CROSS JOIN LATERAL (
       SELECT ${collectionBytes} AS contract_bytes FROM (
         SELECT decode(t.address_hex, 'hex') AS address, NULL::bool AS verified_override, t.verified,
           t.possible_spam AS spam_override, NOT t.possible_spam AS possible_spam
       ) c
     ) c`,
    [
      ...[list((t) => t.position), list((t) => t.item), list((t) => t.time), list((t) => t.transactionIndex)],
      ...[list((t) => t.id), list((t) => t.amount), list((t) => t.from), list((t) => t.to), list((t) => t.operator)],
      ...[list((t) => t.transactionHash), list((t) => t.blockHash), list((t) => t.collection.address)],
      ...[list((t) => t.collection.verified), list((t) => t.collection.possibleSpam)],
    ],
  )
  return row![0]
}

const latest = 253_402_300_799n

function expected(t: Given, { address, verified, possibleSpam }: Given['collection'], hex: boolean) {
  return {
    token_id: hex ? `0x${BigInt(t.id).toString(16)}` : t.id,
    ...{ token_address: `0x${address}`, verified, possible_spam: possibleSpam },
    ...{ contract_type: t.operator === null ? 'ERC721' : 'ERC1155' },
    ...{ from_address: `0x${t.from}`, to_address: `0x${t.to}`, amount: t.amount },
    ...{ block_number: String(t.position >> 20n), block_hash: `0x${t.blockHash}` },
    block_timestamp: new Date(Number(t.time < latest ? t.time : latest) * 1_000).toISOString(),
    ...{ transaction_hash: `0x${t.transactionHash}`, transaction_index: t.transactionIndex },
    log_index: Number(t.position % 2n ** 20n),
    ...{ operator: t.operator === null ? null : `0x${t.operator}`, value: null },
  }
}

const noTimes = new Map<never, never>()

test('behavior: transfer records have the values of PostgreSQL, for one or many collections and any numbers', async () => {
  const shape = { hex: fc.boolean(), reported: fc.boolean(), limit: fc.integer({ min: 1, max: 12 }) }
  await fc.assert(
    fc.asyncProperty(
      fc.array(transfer, { minLength: 1, maxLength: 12 }),
      fc.record(shape),
      async (transfers, { hex, reported, limit }) => {
        let taken = 0
        const take = (size: number) => {
          taken = size
          return Buffer.alloc(size)
        }
        const one = transfers[0]!.collection
        const text = collectionMembers(`0x${one.address}`, one)
        const of = reported ? 'row' : { text, partition: 7, id: 9n }
        const page = writeTransferLines(await read(transfers, reported), { limit, hex, of, take, times: noTimes })
        expect(page.end).toBeLessThanOrEqual(taken)
        const shown = transfers.slice(0, limit)
        expect(`[${page.bytes.toString('latin1', 0, page.end)}]`).toBe(
          JSON.stringify(shown.map((t) => expected(t, reported ? t.collection : one, hex))),
        )
        const end = shown.at(-1)!
        const last = transfers.length > limit ? [String(end.position), end.item] : null
        expect([page.count, page.last, page.untimed]).toEqual([shown.length, last, []])
      },
    ),
    { numRuns: 100 },
  )
})

test('behavior: a missing block time in a row is taken from the times found meanwhile', async () => {
  const transfers = [1n, 2n].map((block) => ({
    ...plain!,
    position: block << 20n,
    time: -1n,
    blockHash: hashOf(block),
  }))
  const of = { text: Buffer.from('"a":1'), partition: 7, id: 9n }
  const times = new Map([[nameOfBlock(2n, `0x${hashOf(2n)}`), 1_700_000_000n]])
  const page = writeTransferLines(await read(transfers, false), { limit: 5, hex: false, of, take: Buffer.alloc, times })
  expect(page.untimed.map(({ number }) => number)).toEqual([1n])
  const [, timed] = JSON.parse(`[${page.bytes.toString('latin1', 0, page.end)}]`) as { block_timestamp: string }[]
  expect(timed!.block_timestamp).toBe('2023-11-14T22:13:20.000Z')
})

const hashOf = (block: bigint) => block.toString(16).padStart(64, '0')

const [plain] = fc.sample(transfer, { numRuns: 1, seed: 1 })

test('behavior: each block without a time is listed once, except blocks of transfers beyond the limit', async () => {
  const at = (block: bigint, item: number, more: Partial<Given> = {}): Given => ({
    ...plain!,
    ...{ position: block << 20n, item, time: -1n, blockHash: block.toString(16).padStart(64, '0'), ...more },
  })
  const transfers = [at(5n, 0), at(5n, 1), at(6n, 0, { time: 60n }), at(7n, 0), at(8n, 0)]
  const options = { limit: 4, hex: false, take: Buffer.alloc, times: noTimes }
  const page = writeTransferLines(await read(transfers, true), { ...options, of: 'row' })
  const block = (number: bigint) => ({
    ...{ partition: 7, collectionId: 9n, number, hash: `0x${number.toString(16).padStart(64, '0')}` },
  })
  expect([page.count, page.last, page.untimed]).toEqual([4, [String(7n << 20n), 0], [block(5n), block(7n)]])
  const of = { text: Buffer.from('"a":1'), partition: 7, id: 9n }
  expect(writeTransferLines(await read(transfers, false), { ...options, of }).untimed).toEqual([5n, 7n].map(block))
})

test('default: writes no records for no transfers', () => {
  const page = writeTransferLines(Buffer.alloc(0), {
    limit: 10,
    hex: false,
    of: 'row',
    take: Buffer.alloc,
    times: noTimes,
  })
  expect(page).toMatchObject({ end: 0, count: 0, last: null, untimed: [] })
})
