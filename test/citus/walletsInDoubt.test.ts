import { expect, inject, onTestFinished, vi } from 'vitest'
import { storeTransfers } from '../../src/nft/store/storeTransfers.ts'
import { zeroAddress } from '../../src/nft/transfers/transfer.ts'
import { historyGroup } from '../../src/nft/transfers/transferGroup.ts'
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

testOnTwoNodes.each([
  ['the same rows', 0],
  ['a later row', 1],
] as const)(
  'behavior: a wallet update in doubt on a node is neither lost nor counted twice by one that processes %s (skipped without a cluster of two workers)',
  async (_, from) => {
    const database = await createTestDatabase()
    onTestFinished(database.drop)
    const { db } = database
    const nodes = await workersOfPartitions(database.connection, inject('postgres').workers)
    const worker = await seedWorker(db)
    const key = await collectionOn(db, { nodes, node: 0, chainId })
    await seedLease(db, 'partition', key.partition, worker)
    // The rows of the wallet are on the other node.
    const holder = walletOn(nodes, { node: 1, chainId })
    const pendingUpdates = () =>
      nextUpdates(db, { atHead: false, partitions: [BigInt(key.partition)], except: [], most: Number.MAX_SAFE_INTEGER })
    const store = (block: bigint, token: string) =>
      db.transaction((tx) => storeTransfers(tx, [historyGroup(key, [transferAt(block, token, zeroAddress, holder)])]))

    await store(1n, '7')
    const [first] = await pendingUpdates()
    expect(await updateWallets(db, [first!], worker)).toBe(1)

    // As if the coordinator had lost the node at commit: the node's part is prepared, the rest is committed, and the queue is as before.
    const [, otherWorker] = await connectWorkers(database.connection.database!)
    const commit = await leaveInDoubt(db, otherWorker!, { tables, partition: partitionOf(chainId, `0x${holder}`) })
    await db.run(
      `INSERT INTO wallet_due (partition, collection_id, chain_id, at_head, from_position, to_position, transfers)
       SELECT partition, collection_id, $3, false, position, position, 1 FROM transfer WHERE partition = $1 AND collection_id = $2`,
      [key.partition, key.id, chainId],
    )
    await store(2n, '8')

    const ended = vi.fn()
    const next = updateWallets(db, (await pendingUpdates()).slice(from), worker).finally(ended)
    const waits = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await vi.waitUntil(async () => (await otherWorker!.query(waits)).rows.length > 0, patience)
    expect(ended).not.toHaveBeenCalled()
    await commit()
    expect(await next).toBe(2 - from)
    expect(await updateWallets(db, await pendingUpdates(), worker)).toBe(from)
    await expectWalletTruth(db)
  },
)
