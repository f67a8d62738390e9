import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import type { Address } from '../../util/hex.ts'
import { revertTransfers } from '../store/revertTransfers.ts'
import { storeTransfers } from '../store/storeTransfers.ts'
import { positionOf } from '../transfers/position.ts'
import { tokenHash } from '../transfers/tokenHash.ts'
import { zeroAddress } from '../transfers/transfer.ts'
import { type CollectionKey, transferGroup } from '../transfers/transferGroup.ts'
import { readWalletCoverage } from './readWalletCoverage.ts'
import { readWalletHead } from './readWalletHead.ts'
import { nextUpdates } from './walletUpdates.ts'

let database: TestDatabase
let addresses = 0

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const [alice, bob] = ['11'.repeat(20), '22'.repeat(20)] as [string, string]
const chain = { block: 500n, head: 500n }

async function seed(chainId: bigint, columns: Record<string, unknown> = {}): Promise<CollectionKey> {
  const address: Address = `0x${String(++addresses).padStart(40, '0')}`
  const key = await seedCollection(database.db, { address, chainId, columns, chain })
  return { ...key, chainId, address, standard: 'ERC721', idInData: false }
}

/** Stores a transfer of token 7 of the collection for each of `to`, all in one block. */
function store(collection: CollectionKey, block: number, from: string, to: readonly string[], chainId?: bigint) {
  const transfers = to.map((holder, index) => ({
    position: positionOf(block, index),
    item: 0,
    tokenId: '7',
    from: index === 0 ? from : to[index - 1]!,
    to: holder,
    amount: '1',
    ...{
      operator: null,
      transactionHash: 'ab'.repeat(32),
      transactionIndex: 0,
      blockHash: 'cd'.repeat(32),
      blockTime: null,
    },
  }))
  const undo = chainId === undefined ? undefined : { chainId, number: BigInt(block) }
  return database.db.transaction((tx) => storeTransfers(tx, [transferGroup(collection, transfers)], undo))
}

test('default: storing transfers queues them for wallets, and undoing them queues what wallets lose and get back', async () => {
  const { db } = database
  const collection = await seed(601n)
  await store(collection, 20, zeroAddress, [alice])
  await store(collection, 21, alice, [bob, zeroAddress], 601n)
  await db.transaction((tx) => revertTransfers(tx, 601n, 20n))
  const rows = await db.rows(
    `SELECT at_head, from_position, to_position, transfers, undone_wallets, undone_tokens::text[], undone_positions::text[], undone_items
     FROM wallet_due WHERE chain_id = 601 ORDER BY id`,
  )
  const [first, second, undone] = rows as unknown[][]
  const at = (block: number, index: number) => BigInt(positionOf(block, index))
  expect(first).toEqual([false, at(20, 0), at(20, 0), 1, null, null, null, null])
  expect(second).toEqual([true, at(21, 0), at(21, 1), 2, null, null, null, null])
  expect(undone!.slice(0, 3)).toEqual([true, at(20, 0), at(21, 1)])
  const [wallets, tokens, positions, items] = undone!.slice(4) as [Buffer[], string[], (string | null)[], unknown[]]
  const touched = wallets.map((wallet, i) => [wallet.toString('hex'), positions[i], items[i]])
  const reported = [alice, bob, bob].map((wallet, i) => [wallet, String(at(21, i === 2 ? 1 : 0)), 0])
  expect(touched.sort()).toEqual([...reported, [alice, null, null]].sort())
  const hash = tokenHash(collection.address, '7')
  expect(tokens.map((token) => token.replaceAll('-', ''))).toEqual([hash, hash, hash, hash])
})

test('behavior: while wallets lack what an undone block gives back, their coverage also excludes the block before it', async () => {
  const { db } = database
  const collection = await seed(603n)
  await store(collection, 499, zeroAddress, [alice])
  await store(collection, 501, alice, [zeroAddress], 603n)
  await db.run('DELETE FROM wallet_due WHERE chain_id = 603')
  expect(await readWalletCoverage(db, 603n)).toMatchObject({ toBlock: 500n })
  await db.transaction((tx) => revertTransfers(tx, 603n, 500n))
  expect(await readWalletCoverage(db, 603n)).toMatchObject({ toBlock: 499n })
})

test('behavior: pending transfers limit the block up to which the wallets of a chain are known', async () => {
  const { db } = database
  const coverage = () => readWalletCoverage(db, 602n)
  expect(await coverage()).toMatchObject({ collections: 0, toBlock: null, incomplete: 0 })
  const collection = await seed(602n)
  expect(await coverage()).toMatchObject({ collections: 1, toBlock: 500n, incomplete: 0 })
  await store(collection, 300, zeroAddress, [alice])
  await store(collection, 301, alice, [bob])
  expect(await coverage()).toMatchObject({ collections: 1, toBlock: 299n, incomplete: 0 })
  await db.run('DELETE FROM wallet_due WHERE chain_id = 602 AND from_position < $1', [positionOf(301, 0)])
  expect(await coverage()).toMatchObject({ collections: 1, toBlock: 300n, incomplete: 0 })
  // A collection that is being read has moved nothing before its first block. Queued collections and contracts without NFTs are not returned.
  await seed(602n, { status: 'syncing', from_block: 251n, to_block: null })
  await seed(602n, { status: 'queued', standard: null, from_block: null, to_block: null })
  await seed(602n, { status: 'none', standard: null })
  expect(await coverage()).toMatchObject({ collections: 2, toBlock: 250n, incomplete: 0 })
  await seed(602n, { status: 'failed', from_block: 10n, to_block: 100n })
  expect(await coverage()).toMatchObject({ collections: 3, toBlock: 100n, incomplete: 0 })
})

test('behavior: listeners of wallets wait for transfers of a followed collection, final or not, and for one that catches up', async () => {
  const { db } = database
  const head = async () => (await readWalletHead(db, 605n))?.toBlock
  const followed = await seed(605n, { live_since: new Date() })
  await seed(605n, { status: 'syncing', from_block: 251n, to_block: null })
  const unknown = await seed(605n)
  await store(unknown, 100, zeroAddress, [alice])
  expect(await head()).toBe(500n)
  await store(followed, 400, zeroAddress, [alice])
  expect(await head()).toBe(399n)
  await seed(605n, { status: 'syncing', live_since: new Date(), from_block: 251n, to_block: 350n })
  expect(await head()).toBe(350n)
})

test('behavior: the next batch of the queue has as many transfers as fit, or only the first row', async () => {
  const { db } = database
  const collection = await seed(604n)
  await store(collection, 300, zeroAddress, [alice, bob])
  await store(collection, 301, bob, [alice])
  await store(collection, 302, alice, [bob])
  const partitions = [BigInt(collection.partition)]
  const next = async (most: number, except: bigint[] = []) => {
    const rows = await nextUpdates(db, { atHead: false, partitions, except, most })
    return rows.filter(({ collectionId }) => collectionId === collection.id).map(({ transfers }) => transfers)
  }
  expect(await next(1)).toEqual([2])
  expect(await next(2)).toEqual([2])
  expect(await next(3)).toEqual([2, 1])
  expect(await next(4)).toEqual([2, 1, 1])
  expect(await next(4, [collection.id])).toEqual([])
})
