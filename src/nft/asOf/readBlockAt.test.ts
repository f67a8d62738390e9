import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import type { Address } from '../../util/hex.ts'
import { positionOf } from '../transfers/position.ts'
import { readBlockAt } from './readBlockAt.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await database.db.run(
    `INSERT INTO block (chain_id, number, hash, parent_hash, timestamp)
     SELECT 1, n, decode(lpad(to_hex(n), 64, '0'), 'hex'), '\\x00', 0 FROM generate_series(990, 1010) n`,
  )
})
afterAll(() => database.drop())

let seeds = 0
async function seed(columns: Record<string, unknown>) {
  const address: Address = `0x${(++seeds).toString(16).padStart(40, '0')}`
  const key = await seedCollection(database.db, { address, columns, chain: { block: 1_010n, head: 1_012n } })
  await database.db.run('UPDATE chain SET finalized_number = 1000')
  const at = (number: bigint) => readBlockAt(database.db, key, number)
  return { ...key, at }
}

test('default: a live collection is covered from block 0 to the last followed block', async () => {
  const { at } = await seed({ from_block: 10n, to_block: 500n })
  expect(await at(1_010n)).toEqual({
    ...{ chainId: 1n, standard: 'ERC721', mixed: false, covered: true, fromBlock: 10n, toBlock: 1_010n },
    hash: `0x${(1_010).toString(16).padStart(64, '0')}`,
    skipped: { oversizedLogs: 0n, overLimitTransfers: 0n },
  })
  expect(await at(1_000n)).toMatchObject({ covered: true })
  expect(await at(0n)).toMatchObject({ covered: true, hash: null })
  expect(await at(1_011n)).toMatchObject({ covered: false, toBlock: 1_010n })
})

test('behavior: a syncing collection is covered before its first block and up to the first gap of its history', async () => {
  const { at } = await seed({ status: 'syncing', from_block: 10n, to_block: 50n, coverage: '{[10,51),[80,90)}' })
  expect(await at(50n)).toMatchObject({ covered: true, toBlock: 50n })
  expect(await at(85n)).toMatchObject({ covered: false, toBlock: 50n })
  const started = await seed({ status: 'syncing', from_block: 10n, to_block: null })
  expect(await started.at(9n)).toMatchObject({ covered: true, toBlock: 9n })
  expect(await started.at(10n)).toMatchObject({ covered: false, toBlock: 9n })
  const first = await seed({ status: 'syncing', from_block: 0n, to_block: null })
  expect(await first.at(0n)).toMatchObject({ covered: false, toBlock: null })
  const queued = await seed({ status: 'queued', from_block: null, to_block: null })
  expect(await queued.at(5n)).toMatchObject({ covered: false, fromBlock: null, toBlock: null })
  expect(await readBlockAt(database.db, { partition: 0, id: -1n }, 5n)).toBeUndefined()
})

test('behavior: history that is final on the nodes has no hash of a followed block that is not final here', async () => {
  const { at } = await seed({ status: 'syncing', from_block: 10n, to_block: 1_005n, coverage: '{[10,1006)}' })
  expect(await at(1_005n)).toMatchObject({ covered: true, hash: null })
  expect(await at(1_000n)).toMatchObject({ covered: true, hash: `0x${(1_000).toString(16).padStart(64, '0')}` })
})

test('behavior: a collection that catches up with the head in parts has hashes of followed blocks, which a reorg can remove', async () => {
  const covered = { status: 'syncing', from_block: 10n, to_block: 1_005n, coverage: '{[10,1006)}', stored_of_next: 3n }
  const { at } = await seed(covered)
  expect(await at(1_005n)).toMatchObject({ covered: true, hash: `0x${(1_005).toString(16).padStart(64, '0')}` })
  expect(await at(1_006n)).toMatchObject({ covered: false, toBlock: 1_005n })
})

test('behavior: a contract without NFTs is covered up to the head', async () => {
  const { at } = await seed({ status: 'none', standard: null, from_block: 10n, to_block: 10n })
  expect(await at(1_012n)).toMatchObject({ covered: true, standard: null })
  expect(await at(1_013n)).toMatchObject({ covered: false, toBlock: 1_012n })
})

test('behavior: a block hash comes from the followed blocks or the marks of the chain, never from logs', async () => {
  const { at, partition, id } = await seed({})
  const hash = (digit: string) => Buffer.from(digit.repeat(64), 'hex')
  await database.db.run(
    `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, block_hash)
     VALUES ($1, $2, $4, 0, 1, '\\x00', '\\x01', 1, '\\x00', $3)`,
    [partition, id, hash('a'), positionOf(20, 7)],
  )
  await database.db.run('INSERT INTO chain_mark (chain_id, number, hash) VALUES (1, 30, $1)', [hash('b')])
  expect(await at(20n)).toMatchObject({ hash: null })
  expect(await at(30n)).toMatchObject({ hash: `0x${'b'.repeat(64)}` })
  expect(await at(40n)).toMatchObject({ hash: null })
})

test('behavior: skipped logs and transfers are reported for the blocks up to the requested one', async () => {
  const { at, partition, id } = await seed({ wide_logs: 2n, surplus_transfers: 7n })
  const entries = [
    [positionOf(20, 5), 'wide', 100_001],
    [positionOf(21, 0), 'surplus', 3],
    [positionOf(22, 9), 'surplus', 4],
    [positionOf(23, 0), 'wide', 200_000],
  ]
  for (const [position, reason, transfers] of entries)
    await database.db.run(
      `INSERT INTO left_out (partition, collection_id, chain_id, position, reason, transfers, range_moves, transaction_hash)
       VALUES ($1, $2, 1, $3, $4, $5, 0, '\\x00')`,
      [partition, id, position, reason, transfers],
    )
  expect((await at(19n))?.skipped).toEqual({ oversizedLogs: 0n, overLimitTransfers: 0n })
  expect((await at(21n))?.skipped).toEqual({ oversizedLogs: 1n, overLimitTransfers: 3n })
  expect((await at(22n))?.skipped).toEqual({ oversizedLogs: 1n, overLimitTransfers: 7n })
  expect((await at(1_010n))?.skipped).toEqual({ oversizedLogs: 2n, overLimitTransfers: 7n })
})
