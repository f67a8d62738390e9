import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import type { Database } from '../../../db/database.ts'
import type { Address } from '../../../util/hex.ts'
import { tokenHash } from '../../transfers/tokenHash.ts'
import { createShownKnown, type ShownContract } from './createShownKnown.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

const ofWallet = { chainId: 1n, id: 1n }

const contractAt = (first: number, count: number): ShownContract[] =>
  Array.from({ length: count }, (_, i) => {
    const address: Address = `0x${(first + i).toString(16).padStart(40, '0')}`
    const tokens = ['1', '2'].map((tokenId) => ({ hash: tokenHash(address, tokenId), tokenId }))
    return { address, standard: 'ERC721', tokens }
  })

/** The database with a count of the statements that pages wait for. */
function counting(db: Database) {
  let statements = 0
  const counted: Database = {
    ...db,
    rows: (...asked) => {
      statements++
      return db.rows(...asked)
    },
    run: (...asked) => {
      statements++
      return db.run(...asked)
    },
  }
  return { counted, statements: () => statements }
}

test('behavior: the contracts of a page cost as many statements as one, and each token is due once', async () => {
  const { db } = database
  const counts: number[] = []
  for (const [first, count] of [
    [1, 1],
    [100, 40],
  ] as const) {
    const { counted, statements } = counting(db)
    const show = createShownKnown(counted)
    await show(ofWallet, contractAt(first, count))
    counts.push(statements())
    await show(ofWallet, contractAt(first, count))
    expect(statements()).toBe(counts.at(-1))
  }
  expect(counts[1]).toBe(counts[0])
  expect(await db.rows('SELECT count(*), count(DISTINCT token_hash) FROM metadata_due')).toEqual([[82n, 82n]])
  expect(await db.rows('SELECT count(*) FROM collection WHERE metadata_due_at IS NOT NULL')).toEqual([[41n]])
})

test('behavior: tokens whose metadata was tried are not due again, in another process either', async () => {
  const { db } = database
  const [contract] = contractAt(5_000, 1) as [ShownContract]
  await createShownKnown(db)(ofWallet, [contract])
  const [row] = await db.rows<[number, bigint]>('SELECT partition, id FROM collection WHERE address = $1', [
    Buffer.from(contract.address.slice(2), 'hex'),
  ])
  await db.run('DELETE FROM metadata_due WHERE partition = $1 AND collection_id = $2', row)
  await db.run(
    `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, record, tried_at) VALUES ($1, $2, $3, 'ok', 0, '', now())`,
    [...row!, contract.tokens[0]!.hash],
  )
  await createShownKnown(db)(ofWallet, [contract])
  expect(
    await db.rows('SELECT token_id::text FROM metadata_due WHERE partition = $1 AND collection_id = $2', row),
  ).toEqual([['2']])
})

test('behavior: after a reset of the chain a contract is known again once a page of the wallet shows it', async () => {
  const { db } = database
  const [contract] = contractAt(6_000, 1) as [ShownContract]
  const show = createShownKnown(db)
  await show(ofWallet, [contract])
  await db.run('DELETE FROM collection')
  await show({ ...ofWallet, id: 2n }, [contract])
  expect(await db.rows('SELECT status, retry_at IS NOT NULL FROM collection')).toEqual([['known', true]])
})
