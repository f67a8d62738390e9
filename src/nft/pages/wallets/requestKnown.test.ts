import { afterAll, beforeAll, expect, test } from 'vitest'
import { countStatements } from '../../../../test/countStatements.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { type Address, hexToBuffer } from '../../../util/hex.ts'
import { insertKnown } from '../../store/knownContracts.ts'
import { tokenHash } from '../../transfers/tokenHash.ts'
import { requestKnown, type ShownContract } from './requestKnown.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

const contractAt = (first: number, count: number): ShownContract[] =>
  Array.from({ length: count }, (_, i) => {
    const address: Address = `0x${(first + i).toString(16).padStart(40, '0')}`
    const tokens = ['1', '2'].map((tokenId) => ({ hash: tokenHash(address, tokenId), tokenId }))
    return { address, standard: 'ERC721', tokens }
  })

test('behavior: all contracts of a page cost as many statements as one, and each token is queued once', async () => {
  const { db } = database
  const counts: number[] = []
  for (const [first, count] of [
    [1, 1],
    [100, 40],
  ] as const) {
    const { counted, statements } = countStatements(db)
    await requestKnown(counted, 1n, contractAt(first, count))
    counts.push(statements())
    await requestKnown(db, 1n, contractAt(first, count))
  }
  expect(counts[1]).toBe(counts[0])
  expect(await db.rows('SELECT count(*), count(DISTINCT token_hash) FROM metadata_due')).toEqual([[82n, 82n]])
  expect(await db.rows('SELECT count(*) FROM collection WHERE metadata_due_at IS NOT NULL')).toEqual([[41n]])
})

test('behavior: tokens whose metadata was tried are not queued again, even by another process', async () => {
  const { db } = database
  const [contract] = contractAt(5_000, 1) as [ShownContract]
  await requestKnown(db, 1n, [contract])
  const [row] = await db.rows<[number, bigint]>('SELECT partition, id FROM collection WHERE address = $1', [
    Buffer.from(contract.address.slice(2), 'hex'),
  ])
  await db.run('DELETE FROM metadata_due WHERE partition = $1 AND collection_id = $2', row)
  await db.run(
    `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, record, tried_at) VALUES ($1, $2, $3, 'ok', 0, '', now())`,
    [...row!, contract.tokens[0]!.hash],
  )
  await requestKnown(db, 1n, [contract])
  expect(
    await db.rows('SELECT token_id::text FROM metadata_due WHERE partition = $1 AND collection_id = $2', row),
  ).toEqual([['2']])
})

test('behavior: tokens of a removed contract are queued again, because their metadata was deleted with it', async () => {
  const { db } = database
  const contracts = contractAt(6_000, 1)
  await requestKnown(db, 1n, contracts)
  const { address } = contracts[0]!
  await db.run('DELETE FROM metadata_due')
  await db.run('DELETE FROM collection WHERE address = $1', [hexToBuffer(address)])
  await insertKnown(db, 1n, contracts, { discovered: false })
  await requestKnown(db, 1n, contracts)
  expect(await db.rows('SELECT token_id::text FROM metadata_due ORDER BY token_id')).toEqual([['1'], ['2']])
})

test('behavior: after a reset of the chain, a contract is known again once a page shows it', async () => {
  const { db } = database
  const contracts = contractAt(6_500, 1)
  await requestKnown(db, 1n, contracts)
  await db.run('DELETE FROM collection')
  await requestKnown(db, 1n, contracts)
  expect(await db.rows('SELECT status, retry_at IS NOT NULL FROM collection')).toEqual([['known', true]])
})

test('behavior: names are requested again where a reorganisation removed them from the same row', async () => {
  const { db } = database
  const contracts = contractAt(7_000, 1)
  await requestKnown(db, 1n, contracts)
  const address = hexToBuffer(contracts[0]!.address)
  await db.run('UPDATE collection SET checked_at = NULL, retry_at = NULL WHERE address = $1', [address])
  await requestKnown(db, 1n, contracts)
  const rows = await db.rows('SELECT retry_at IS NOT NULL FROM collection WHERE address = $1', [address])
  expect(rows).toEqual([[true]])
})
