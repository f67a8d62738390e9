import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { fillWallets } from '../../../../test/fillWallets.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { partitionOf } from '../../../sync/partition.ts'
import type { Address } from '../../../util/hex.ts'
import { hexToBuffer } from '../../../util/hex.ts'
import { deleteCollection } from '../../store/requeueCollections.ts'
import type { TransferSource } from '../../transferQuery.ts'
import { positionOf } from '../../transfers/position.ts'
import { tokenHash } from '../../transfers/tokenHash.ts'
import { countTransfers } from '../transfers/countTransfers.ts'
import { createTransferQuery } from '../transfers/createTransferQuery.ts'
import { createWholeQuery } from './createWholeQuery.ts'

const chainId = 1n
const wallet: Address = `0x${'77'.repeat(20)}`
const [unindexed, known]: [Address, Address] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`]
const [holder, giver] = [hexToBuffer(wallet), Buffer.alloc(20, 0x88)]

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  // Topics find nothing of the first contract. The other contract is in the wallet's own rows.
  const { partition, id } = await seedCollection(db, {
    address: unindexed,
    tokens: [1n, 2n],
    columns: { unindexed: true },
  })
  await db.run('UPDATE token SET owner = $1, last_position = $2::int8 + token_id::int8', [holder, positionOf(50, 0)])
  await db.run(
    `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, block_hash, block_time)
     SELECT $1, $2, $3::int8 + i, 0, i, $4, $5, 1, '\\x01', '\\x02', 1700000000 FROM generate_series(1, 2) i`,
    [partition, id, positionOf(50, 0), giver, holder],
  )
  await fillWallets(db)
  const own = partitionOf(chainId, wallet)
  const [row] = await db.rows<[bigint]>(
    `INSERT INTO wallet (partition, chain_id, address, requested_by, status, live_since) VALUES ($1, $2, $3, 0, 'live', now()) RETURNING id`,
    [own, chainId, holder],
  )
  await db.run(
    `INSERT INTO wallet_move (partition, wallet_id, position, item, contract, token_hash, token_id, from_address, to_address, amount, transaction_hash, block_hash, block_time)
     VALUES ($1, $2, $3, 0, $4, $5::uuid, 9, $6, $7, 1, '\\x01', '\\x02', 1600000000)`,
    [own, row![0], positionOf(40, 0), hexToBuffer(known), tokenHash(known, '9'), giver, holder],
  )
  await db.run(
    `INSERT INTO wallet_holding (partition, wallet_id, contract, token_hash, token_id, erc1155, amount, last_position, first_position, received_position, received_time)
     VALUES ($1, $2, $3, $4::uuid, 9, false, 1, $5, $5, $5, 1600000000)`,
    [own, row![0], hexToBuffer(known), tokenHash(known, '9'), positionOf(40, 0)],
  )
})
afterAll(() => database.drop())

const stateOf = async () =>
  (await createWholeQuery({ db: database.db, blockHashes: undefined as never, openChains: undefined as never }).state(
    chainId,
    wallet,
  ))!

test('behavior: tokens that topic filters cannot find also show when they were received', async () => {
  const query = createWholeQuery({ db: database.db, blockHashes: undefined as never, openChains: undefined as never })
  const filter = { chainId, wallet, of: await stateOf(), contracts: null, excludeSpam: false, asOf: null }
  const { held } = await query.tokens(filter, null, { limit: 10, order: 'acquired', acquired: true, metadata: null })
  expect(held.flatMap(({ acquired }) => acquired)).toEqual([
    { block: 50n, time: '2023-11-14T22:13:20.000Z' },
    { block: 50n, time: '2023-11-14T22:13:20.000Z' },
    { block: 40n, time: '2020-09-13T12:26:40.000Z' },
  ])
})

test('behavior: the transfer total includes transfers that topic filters cannot find', async () => {
  const source: TransferSource = { of: 'wholeWallet', chainId, wallet, whole: await stateOf(), contracts: null }
  const count = (of: TransferSource, from: bigint | null = null) => countTransfers(database.db, of, { from, to: null })
  expect(await count(source)).toBe(3)
  expect(await count(source, 41n)).toBe(2)
  expect(await count({ ...source, contracts: [known] })).toBe(1)
  expect(await count({ ...source, contracts: [unindexed] })).toBe(2)
})

test('behavior: transfers end at the block at whose end pages show the wallet', async () => {
  const whole = { ...(await stateOf()), shownAt: 45n }
  const source: TransferSource = { of: 'wholeWallet', chainId, wallet, whole, contracts: null }
  const query = createTransferQuery({ db: database.db, openChains: undefined as never })
  const count = (to: bigint | null) => query.count(source, { from: null, to })
  expect([await count(null), await count(60n), await count(39n)]).toEqual([1, 1, 0])
  for (const order of ['ASC', 'DESC'] as const) {
    const page = await query.page({
      source,
      range: { from: null, to: null },
      order,
      after: null,
      limit: 10,
      hex: false,
    })
    expect([page.count, page.last]).toEqual([1, null])
  }
})

test('behavior: a wallet is not synced, and shows none of its tokens, while such a collection has pending history', async () => {
  const { db } = database
  await db.run(`UPDATE chain SET block_number = 60, block_hash = '\\x3c', head_number = 60 WHERE id = $1`, [chainId])
  const query = createWholeQuery({ db, blockHashes: undefined as never, openChains: undefined as never })
  const shown = async () => {
    const filter = { chainId, wallet, of: await stateOf(), contracts: null, excludeSpam: false, asOf: null }
    const page = await query.tokens(filter, null, { limit: 10, order: 'contract', acquired: false, metadata: null })
    return [page.state!.synced, page.state!.toBlock, page.held.flatMap(({ hashes }) => hashes).length]
  }
  expect(await shown()).toEqual([true, 60n, 3])
  await db.run(
    `INSERT INTO wallet_due (partition, collection_id, chain_id, at_head, from_position, to_position, transfers)
     SELECT partition, id, chain_id, false, 0, 1, 1 FROM collection WHERE unindexed`,
  )
  expect(await shown()).toEqual([false, 60n, 1])
  await db.run('DELETE FROM wallet_due')
  for (const status of ['queued', 'syncing']) {
    await db.run('UPDATE collection SET status = $1 WHERE unindexed', [status])
    expect(await shown()).toEqual([false, 60n, 1])
  }
  await db.run(`UPDATE collection SET status = 'live' WHERE unindexed`)
  expect(await shown()).toEqual([true, 60n, 3])
  await deleteCollection(db, { chainId, address: unindexed, requeue: true, held: false })
  expect(await shown()).toEqual([false, 60n, 1])
})
