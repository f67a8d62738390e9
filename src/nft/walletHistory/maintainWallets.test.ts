import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { insertChain } from '../../sync/chainStore.ts'
import { readOnFull } from './maintainWallets.ts'
import { endFull } from './walletStore.ts'

const chainId = 1n
const finalized = 20n

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('behavior: a wallet that had too many transfers resumes from its last final block when it may have more', async () => {
  const { db } = database
  await insertChain(db, chainId, `0x${'11'.repeat(32)}`, 30n, finalized)
  /** Wallets with too many transfers, by their last covered block. */
  for (const toBlock of [null, 16, 25]) {
    const [row] = await db.rows<[bigint]>(
      `INSERT INTO wallet (partition, chain_id, address, requested_by, status, transfers, from_block, to_block, coverage)
       VALUES (1, $1, $2, 0, 'syncing', 6, 0, $3, CASE WHEN $3::int8 IS NULL THEN '{}' ELSE int8multirange(int8range(0, $3::int8, '[]')) END) RETURNING id`,
      [chainId, Buffer.alloc(20, toBlock ?? 1), toBlock],
    )
    await endFull(db, [{ partition: 1, id: row![0] }], 5)
  }
  const read = () => db.rows('SELECT status, to_block, coverage::text FROM wallet ORDER BY id')
  const full = [
    ['full', null, '{}'],
    ['full', 16n, '{[0,17)}'],
    ['full', 25n, '{[0,26)}'],
  ]
  const held = () => new Set([chainId])
  await readOnFull(db, { held }, 5)
  expect(await read()).toEqual(full)
  await readOnFull(db, { held: () => new Set<bigint>() }, 6)
  expect(await read()).toEqual(full)
  await readOnFull(db, { held }, 6)
  expect(await read()).toEqual([
    ['syncing', null, '{}'],
    ['syncing', 16n, '{[0,17)}'],
    ['syncing', 20n, '{[0,21)}'],
  ])
})
