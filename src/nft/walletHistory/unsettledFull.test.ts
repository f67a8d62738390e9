import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { createWantedChains } from '../store/dueChains.ts'
import { forgetMoveBlocks } from './undoMoves.ts'
import { hasUnsettledFull, resumeFull, walletHistory } from './walletStore.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

/** A full wallet with transfers in blocks 11 and 12, on a chain that is final up to block 2. */
async function seedFull(chainId: bigint): Promise<void> {
  const { db } = database
  await db.run(
    `INSERT INTO chain (id, genesis_hash, block_number, block_hash, head_number, finalized_number) VALUES ($1, '\\x00', 12, '\\x0c', 12, 2)`,
    [chainId],
  )
  const [row] = await db.rows<[bigint]>(
    `INSERT INTO wallet (partition, chain_id, address, requested_by, status, live_since, from_block, to_block, coverage, full_above)
     VALUES (1, $1, '\\x77', 0, 'full', now(), 0, 11, '{[0,12)}', 60) RETURNING id`,
    [chainId],
  )
  for (const block of [11, 12])
    await db.run(
      'INSERT INTO wallet_move_block (chain_id, partition, wallet_id, block_number) VALUES ($1, 1, $2, $3)',
      [chainId, row![0], block],
    )
}

test('behavior: a chain is followed until the blocks of its full wallets are final, as a reorg may remove them', async () => {
  const { db } = database
  await seedFull(1n)
  const wanted = createWantedChains(db, walletHistory, (chain) => hasUnsettledFull(db, chain))
  expect(await wanted([1n, 2n], 'all')).toEqual([1n])
  await db.transaction((tx) => forgetMoveBlocks(tx, 1n, 11n))
  expect(await wanted([1n, 2n], 'all')).toEqual([1n])
  await db.transaction((tx) => forgetMoveBlocks(tx, 1n, 12n))
  expect(await wanted([1n, 2n], 'all')).toEqual([])
})

test('behavior: a full wallet reads blocks again that are not final when its chain is no longer followed', async () => {
  const { db } = database
  await seedFull(3n)
  await db.transaction((tx) => resumeFull(tx, 3n, 2n))
  const rows = await db.rows('SELECT status, to_block FROM wallet WHERE chain_id = 3')
  expect(rows).toEqual([['syncing', 2n]])
})
