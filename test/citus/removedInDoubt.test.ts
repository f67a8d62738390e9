import { expect, inject, onTestFinished, vi } from 'vitest'
import { removeRows } from '../../src/nft/store/removals.ts'
import { deleteCollection } from '../../src/nft/store/requeueCollections.ts'
import { storeTransfers } from '../../src/nft/store/storeTransfers.ts'
import { zeroAddress } from '../../src/nft/transfers/transfer.ts'
import { type CollectionKey, historyGroup } from '../../src/nft/transfers/transferGroup.ts'
import { updateWallets } from '../../src/nft/wallets/updateWallets.ts'
import { nextUpdates } from '../../src/nft/wallets/walletUpdates.ts'
import { partitionOf } from '../../src/sync/partition.ts'
import { createTestDatabase } from '../database.ts'
import { patience } from '../patience.ts'
import { seedLease, seedWorker } from '../seedLease.ts'
import { expectWalletTruth } from '../walletTruth.ts'
import { connectWorkers, leaveInDoubt } from './inDoubt.ts'
import { collectionOn, transferAt, walletOn, workersOfPartitions } from './nodes.ts'
import { testOnTwoNodes } from './onTwoNodes.ts'

const chainId = 31_337n
const tables = ['wallet_token', 'wallet_collection', 'wallet_transfer'] as const

testOnTwoNodes(
  'behavior: a wallet update in doubt on a node is removed with its collection and does not return after reindexing (skipped without a cluster of two workers)',
  async () => {
    const database = await createTestDatabase()
    onTestFinished(database.drop)
    const { db } = database
    const nodes = await workersOfPartitions(database.connection, inject('postgres').workers)
    const worker = await seedWorker(db)
    const old = await collectionOn(db, { nodes, node: 0, chainId })
    const { partition, address } = old
    await seedLease(db, 'partition', partition, worker)
    // The rows of the wallet are on the other node.
    const holder = walletOn(nodes, { node: 1, chainId })
    async function index(key: CollectionKey): Promise<void> {
      const transfers = [transferAt(1n, '7', zeroAddress, holder)]
      await db.transaction((tx) => storeTransfers(tx, [historyGroup(key, transfers)]))
      const updates = await nextUpdates(db, { atHead: false, partitions: [BigInt(partition)], except: [], most: 1_000 })
      expect(await updateWallets(db, updates, worker)).toBe(1)
    }
    await index(old)
    const [, otherWorker] = await connectWorkers(database.connection.database!)
    const commit = await leaveInDoubt(db, otherWorker!, { tables, partition: partitionOf(chainId, `0x${holder}`) })

    const taken = await deleteCollection(db, { chainId, address, requeue: true, held: true })
    let requested = 0
    const rows: typeof db.rows = (text, values) => {
      if (text.includes('pg_prepared_xacts')) requested++
      return db.rows(text, values)
    }
    const ended = vi.fn()
    const removing = removeRows({ ...db, rows }, taken!).finally(ended)
    await vi.waitUntil(() => requested > 1 || ended.mock.calls.length > 0, patience)
    expect(ended).not.toHaveBeenCalled()
    await commit()
    expect(await removing).toEqual({ tokens: 1, transfers: 1 })
    for (const table of tables)
      expect(await db.rows(`SELECT 1 FROM ${table} WHERE chain_id = $1`, [chainId])).toEqual([])

    await db.run(`UPDATE collection SET standard = 'ERC721' WHERE partition = $1 AND chain_id = $2`, [
      partition,
      chainId,
    ])
    const [[id] = [0n]] = await db.rows<[bigint]>('SELECT id FROM collection WHERE partition = $1', [partition])
    expect(id).not.toBe(old.id)
    await index({ ...old, id })
    await expectWalletTruth(db)
  },
)
