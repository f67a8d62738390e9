import { afterAll, beforeAll, expect, test } from 'vitest'
import { alice, bob, createWalletQueue, transfer, type WalletQueue } from '../../../test/walletQueue.ts'
import { expectWalletTruth } from '../../../test/walletTruth.ts'
import type { Database, Sql } from '../../db/database.ts'
import { removeRows } from '../store/removals.ts'
import { deleteCollection } from '../store/requeueCollections.ts'
import { revertTransfers } from '../store/revertTransfers.ts'
import { storeTransfers } from '../store/storeTransfers.ts'
import { zeroAddress } from '../transfers/transfer.ts'
import { type CollectionKey, transferGroup } from '../transfers/transferGroup.ts'
import { updateWallets } from './updateWallets.ts'

let queue: WalletQueue

beforeAll(async () => {
  queue = await createWalletQueue()
})
afterAll(() => queue.drop())

/** Each test and each run of a test has a separate chain. */
let chainId = 700n

/** A database whose transactions call `then` before the changing statement with this number. */
function pausedBefore(number: number, then: () => Promise<unknown>): Database {
  const { db } = queue
  let statements = 0
  return {
    ...db,
    transaction: (work, settings) =>
      db.transaction(async (tx) => {
        const run: Sql['run'] = async (text, values) => {
          if (++statements === number) await then()
          return tx.fresh.run(text, values)
        }
        return work({ ...tx, fresh: { ...tx.fresh, run } })
      }, settings),
  }
}

test('behavior: a block that replaces an undone one may move tokens of another collection', async () => {
  const { db } = queue
  chainId++
  const [one, other] = [await queue.create(chainId, 'ERC721'), await queue.create(chainId, 'ERC721')]
  const store = (key: CollectionKey) =>
    db.transaction((tx) =>
      storeTransfers(tx, [transferGroup(key, [transfer(1_001, '1', zeroAddress, alice)])], { chainId, number: 1_001n }),
    )
  await store(one)
  await queue.updatePendingWallets()
  await db.transaction((tx) => revertTransfers(tx, chainId, 1_000n))
  await store(other)
  // The later row is processed first, as another process may do.
  await queue.updatePendingWallets((place) => place === 1)
  await queue.updatePendingWallets()
  await expectWalletTruth(db)
})

test.each([1, 2, 3, 4])(
  'behavior: a merge that commits before statement %i of a wallet update is processed by its own queue row',
  async (statement) => {
    const { db } = queue
    chainId++
    const key = await queue.create(chainId, 'ERC721')
    const store = (number: number, from: string, to: string) =>
      db.transaction((tx) => storeTransfers(tx, [transferGroup(key, [transfer(number, '1', from, to)])]))
    await store(5, zeroAddress, alice)
    const paused = pausedBefore(statement, () => store(6, alice, bob))
    expect(await updateWallets(paused, await queue.pendingUpdates(false), queue.worker)).toBe(1)
    expect(await queue.pendingUpdates(false)).toMatchObject([{ collectionId: key.id, transfers: 1 }])
    await queue.updatePendingWallets()
    await expectWalletTruth(db)
  },
)

test('behavior: an update skips a collection that another transaction processes or whose lease the worker lacks', async () => {
  const { db } = queue
  chainId++
  const key = await queue.create(chainId, 'ERC721')
  await db.transaction((tx) => storeTransfers(tx, [transferGroup(key, [transfer(5, '1', zeroAddress, alice)])]))
  expect(await queue.updatePendingWallets(undefined, queue.worker + 1)).toBe(0)
  const paused = pausedBefore(1, async () => void expect(await queue.updatePendingWallets()).toBe(0))
  expect(await updateWallets(paused, await queue.pendingUpdates(false), queue.worker)).toBe(1)
  await expectWalletTruth(db)
})

test('behavior: removing a collection clears its wallet data, processed or pending, and keeps that of others', async () => {
  const { db } = queue
  chainId++
  const [deleted, kept] = [await queue.create(chainId, 'ERC721'), await queue.create(chainId, 'ERC721')]
  for (const key of [deleted, kept]) {
    await db.transaction((tx) => storeTransfers(tx, [transferGroup(key, [transfer(5, '1', zeroAddress, alice)])]))
    const undoable = { chainId, number: 1_001n }
    const at = transfer(1_001, '2', zeroAddress, bob)
    await db.transaction((tx) => storeTransfers(tx, [transferGroup(key, [at])], undoable))
    await queue.updatePendingWallets()
  }
  // The transfer to bob is undone, and alice's transfer is stored, but wallets do not have it yet.
  await db.transaction((tx) => revertTransfers(tx, chainId, 1_000n))
  await db.transaction((tx) => storeTransfers(tx, [transferGroup(deleted, [transfer(6, '1', alice, bob)])]))
  const removed = await deleteCollection(db, { chainId, address: deleted.address, requeue: false, held: true })
  await removeRows(db, removed!)
  await queue.updatePendingWallets()
  await expectWalletTruth(db)
  for (const table of ['wallet_token', 'wallet_collection', 'wallet_transfer'])
    expect(await db.rows(`SELECT collection_id FROM ${table} WHERE chain_id = $1`, [chainId])).toEqual([[kept.id]])
  expect(await db.rows('SELECT 1 FROM owner_count WHERE collection_id = $1', [deleted.id])).toEqual([])
})

test('behavior: a collection removed between two statements of an update leaves no wallet data', async () => {
  const { db } = queue
  chainId++
  const key = await queue.create(chainId, 'ERC721')
  const undoable = { chainId, number: 1_001n }
  const minted = transferGroup(key, [transfer(1_001, '1', zeroAddress, alice)])
  await db.transaction((tx) => storeTransfers(tx, [minted], undoable))
  await queue.updatePendingWallets()
  await db.transaction((tx) => revertTransfers(tx, chainId, 1_000n))
  const removal = { chainId, address: key.address, requeue: false, held: true }
  const paused = pausedBefore(1, () => deleteCollection(db, removal))
  expect(await updateWallets(paused, await queue.pendingUpdates(true), queue.worker)).toBe(0)
  await removeRows(db, key)
  await expectWalletTruth(db)
})
