import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { createScriptedChain } from '../../../test/scriptedChain.ts'
import { createWantedChains } from '../store/dueChains.ts'
import { movesOf } from './movesOf.ts'
import { storeMoves } from './storeMoves.ts'
import { forgetMoveBlocks } from './undoMoves.ts'
import { endFullAtHead, hasUnsettledFull, resumeFull, walletHistory } from './walletStore.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

/** A full wallet with transfers in blocks 11 and 12, on a chain that is final up to block 2. It is covered up to block `toBlock`. Returns its id. */
async function seedFull(chainId: bigint, toBlock = 11): Promise<bigint> {
  const { db } = database
  await db.run(
    `INSERT INTO chain (id, genesis_hash, block_number, block_hash, head_number, finalized_number) VALUES ($1, '\\x00', 12, '\\x0c', 12, 2)`,
    [chainId],
  )
  const [row] = await db.rows<[bigint]>(
    `INSERT INTO wallet (partition, chain_id, address, requested_by, status, live_since, from_block, to_block, coverage, full_above)
     VALUES (1, $1, '\\x77', 0, 'full', now(), 0, $2, int8multirange(int8range(0, $2, '[]')), 60) RETURNING id`,
    [chainId, toBlock],
  )
  for (const block of [11, 12])
    await db.run(
      'INSERT INTO wallet_move_block (chain_id, partition, wallet_id, block_number) VALUES ($1, 1, $2, $3)',
      [chainId, row![0], block],
    )
  return row![0]
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

test('behavior: a full wallet whose lowered limit lies in final blocks is read again from there after a reorg', async () => {
  const { db } = database
  await seedFull(4n, 1)
  await db.transaction((tx) => resumeFull(tx, 4n, 10n))
  const rows = await db.rows('SELECT status, to_block, coverage::text FROM wallet WHERE chain_id = 4')
  expect(rows).toEqual([['syncing', 1n, '{[0,2)}']])
})

test('behavior: a wallet with more stored transfers than a lowered limit is covered up to the last block that fits', async () => {
  const { db } = database
  const wallet = { partition: 1, id: await seedFull(5n) }
  await db.run(`UPDATE wallet SET status = 'live' WHERE id = $1`, [wallet.id])
  const chain = createScriptedChain(`0x${'aa'.repeat(20)}`, 0)
  for (let token = 0; token < 12; token++) chain.add([{ token, from: 0, to: 1 }])
  const moves = movesOf(chain.logs(), new Map([['1'.padStart(40, '0'), wallet]]))
  await db.transaction(async (tx) => endFullAtHead(tx, (await storeMoves(tx, moves)).wallets, 7))
  const rows = await db.rows('SELECT status, to_block, coverage::text, transfers FROM wallet WHERE chain_id = 5')
  expect(rows).toEqual([['full', 7n, '{[0,8)}', 7n]])
})
