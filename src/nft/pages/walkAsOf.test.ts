import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import type { Sql } from '../../db/database.ts'
import type { Address, Hex } from '../../util/hex.ts'
import type { AsOf } from '../asOfQuery.ts'
import type { Standard } from '../transfers/decodeTransfers.ts'
import { tokenHash } from '../transfers/tokenHash.ts'
import { type AsOfRequest, walkAsOf } from './walkAsOf.ts'

let database: TestDatabase
let statements = 0
let counted: Sql

beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  counted = {
    rows: (...given) => {
      statements++
      return db.rows(...given)
    },
    run: db.run,
  }
})
afterAll(() => database.drop())

const asOf: AsOf = {
  block: 500n,
  hash: `0x${'0'.repeat(64)}`,
  skipped: { oversizedLogs: 0n, overLimitTransfers: 0n },
}
const whole = { from: '0'.repeat(32), to: null }

let seeds = 0
/** Makes a collection. The columns are SQL over the id `n`: the blocks of the mint and of the last move, and the last recipient. */
async function seed(
  columns: { minted: string; moved: string; last: string },
  { standard = 'ERC721' as Standard, count = 25_000 } = {},
) {
  const { db } = database
  const address: Address = `0x${(++seeds).toString(16).padStart(40, '0')}`
  const { partition, id } = await seedCollection(db, { address, columns: { standard } })
  const { minted, moved, last } = columns
  const holder = `'\\x${'11'.repeat(20)}'::bytea`
  const zero = `'\\x${'00'.repeat(20)}'::bytea`
  await db.run(
    `INSERT INTO token (partition, collection_id, token_hash, token_id, owner, minter, last_position, first_position, amount, holders, transfers)
     SELECT $1, $2, md5($3 || n)::uuid, n, nullif(${last}, ${zero}), ${holder}, (${moved}) * 1048576::bigint + n,
       (${minted}) * 1048576::bigint + n, (${last} <> ${zero})::int, (${last} <> ${zero})::int, 2 FROM generate_series(1, ${count}) n`,
    [partition, id, address],
  )
  await db.run(
    `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, block_hash)
     SELECT $1::int2, $2::int8, (${minted}) * 1048576::bigint + n, 0, n, ${zero}, ${holder}, 1, '\\x00'::bytea, '\\x00'::bytea FROM generate_series(1, ${count}) n
     UNION ALL
     SELECT $1::int2, $2::int8, (${moved}) * 1048576::bigint + n, 0, n, ${holder}, ${last}, 1, '\\x00'::bytea, '\\x00'::bytea FROM generate_series(1, ${count}) n`,
    [partition, id],
  )
  const state: AsOfRequest['state'] = { partition, id, standard, mixed: false }
  return { address, state }
}

const holder = `'\\x${'22'.repeat(20)}'::bytea`
const burnUnless = (kept: string) => `CASE WHEN ${kept} THEN ${holder} ELSE '\\x${'00'.repeat(20)}'::bytea END`

/** Returns the hashes of the tokens 1 to `count` in page order. */
const hashesOf = (address: Address, count: number) =>
  Array.from({ length: count }, (_, i) => tokenHash(address, String(i + 1)))
    .sort()
    .reverse()

async function walkAll(state: AsOfRequest['state'], limit: number): Promise<string[]> {
  const hashes: string[] = []
  for (let to: string | null = null; ; ) {
    const walk = await walkAsOf(counted, { state, asOf, bounds: { ...whole, to }, limit })
    if (walk === 'moved') throw new Error('moved')
    expect(walk.lines.length).toBeLessThanOrEqual(limit)
    hashes.push(...walk.lines.map(({ hash }) => hash))
    if (walk.to === null) return hashes
    to = walk.to
  }
}

test('behavior: finds the few of 25,000 tokens minted up to a block by their transfers', async () => {
  const { address, state } = await seed({
    minted: 'CASE WHEN n <= 40 THEN 100 ELSE 600 END',
    moved: '700',
    last: holder,
  })
  expect(await walkAll(state, 100)).toEqual(hashesOf(address, 40))
  expect(await walkAll(state, 7)).toEqual(hashesOf(address, 40))
})

test('behavior: finds the few of 25,000 tokens not burned up to a block in a few steps', async () => {
  const { address, state } = await seed({ minted: '100', moved: '400', last: burnUnless('n <= 30') })
  statements = 0
  expect(await walkAll(state, 100)).toEqual(hashesOf(address, 30))
  expect(statements).toBeLessThan(8)
  expect(await walkAll(state, 29)).toEqual(hashesOf(address, 30))
})

test('behavior: a page that would sum too many transfers ends early, and paging continues', async () => {
  const { address, state } = await seed(
    { minted: '100', moved: '600', last: holder },
    { standard: 'ERC1155', count: 20 },
  )
  await database.db.run('UPDATE token SET transfers = 90000 WHERE partition = $1 AND collection_id = $2', [
    state.partition,
    state.id,
  ])
  const first = await walkAsOf(counted, { state, asOf, bounds: whole, limit: 10 })
  expect(first).toMatchObject({ lines: { length: 3 }, to: hashesOf(address, 20)[2] })
  expect(await walkAll(state, 10)).toEqual(hashesOf(address, 20))
})

test('behavior: shows nothing where the block was replaced or is no longer covered, or the collection was removed', async () => {
  const { state } = await seed({ minted: '100', moved: '600', last: holder }, { count: 20 })
  const { db } = database
  const walk = (hash: Hex = asOf.hash) => walkAsOf(counted, { state, asOf: { ...asOf, hash }, bounds: whole, limit: 1 })
  expect(await walk()).toMatchObject({ lines: { length: 1 } })
  await db.run(
    `INSERT INTO block (chain_id, number, hash, parent_hash, timestamp) VALUES (1, 500, decode(repeat('ab', 32), 'hex'), '\\x00', 0)`,
  )
  expect(await walk()).toBe('moved')
  expect(await walk(`0x${'ab'.repeat(32)}`)).toMatchObject({ lines: { length: 1 } })
  await db.run('UPDATE chain SET block_number = 499')
  expect(await walk(`0x${'ab'.repeat(32)}`)).toBe('moved')
  await db.run('UPDATE chain SET block_number = 1000')
  await db.run('DELETE FROM collection WHERE id = $1', [state.id])
  expect(await walk(`0x${'ab'.repeat(32)}`)).toBe('moved')
})
