import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { restoreBackup } from '../../src/db/backup/restoreBackup.ts'
import { writeBackup } from '../../src/db/backup/writeBackup.ts'
import { openSnapshots } from '../../src/db/cluster/openSnapshots.ts'
import { storeTransfers } from '../../src/nft/store/storeTransfers.ts'
import { zeroAddress } from '../../src/nft/transfers/transfer.ts'
import { historyGroup, transferGroup } from '../../src/nft/transfers/transferGroup.ts'
import { countWalletFaults } from '../../src/nft/verify/countWalletFaults.ts'
import { updateWallets } from '../../src/nft/wallets/updateWallets.ts'
import { nextUpdates } from '../../src/nft/wallets/walletUpdates.ts'
import { moveCursor } from '../../src/sync/chainStore.ts'
import { noopLog } from '../../src/util/log.ts'
import { createTestDatabase } from '../database.ts'
import { seedLease } from '../seedLease.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { collectionOn, hashOf, transferAt, walletOn } from './nodes.ts'
import { testOnTwoNodes } from './onTwoNodes.ts'
import { openChain } from './openChain.ts'

const chainId = 31_337n

testOnTwoNodes(
  'behavior: a backup shows one moment on all nodes while a chain is followed (skipped without a cluster of two workers)',
  async () => {
    const { db, nodes, worker } = await openChain(chainId)
    const collections = [
      await collectionOn(db, { nodes, node: 0, chainId }),
      await collectionOn(db, { nodes, node: 1, chainId }),
    ]
    const apply = (number: bigint) =>
      db.transaction(async (tx) => {
        const block = { number, hash: hashOf(number) }
        await moveCursor(tx, { chainId, worker, block, head: number, finalized: 0n })
        const moved = [transferAt(number, String(number), zeroAddress, '11'.repeat(20))]
        const groups = collections.map((key) => transferGroup(key, moved))
        await storeTransfers(tx, groups, { chainId, number })
      })
    await apply(1_001n)
    let next = 1_002n
    const path = join(await temporaryFolder(), 'backup')
    const { signal } = new AbortController()
    await writeBackup({ db, path, version: '1', signal, onTable: () => apply(next++) })
    const restored = await createTestDatabase({ migrated: false })
    onTestFinished(restored.drop)
    await restoreBackup({ db: restored.db, path, log: noopLog, signal })
    const newest = (table: string, block: string) => `(SELECT array_agg(DISTINCT ${block}) FROM ${table})`
    const [row] = await restored.db.rows(
      `SELECT ${newest('chain', 'block_number')}, ${newest('transfer', 'position >> 20')}, ${newest('wallet_due', 'to_position >> 20')}`,
    )
    expect(row).toEqual([['1001'], ['1001'], ['1001']])
  },
)

testOnTwoNodes(
  'behavior: verify compares wallets of one node with tokens of another at one moment (skipped without a cluster of two workers)',
  async () => {
    const { db, nodes, worker } = await openChain(chainId)
    const key = await collectionOn(db, { nodes, node: 0, chainId })
    await seedLease(db, 'partition', key.partition, worker)
    const holder = walletOn(nodes, { node: 1, chainId })
    const move = async (block: bigint, token: string) => {
      const group = historyGroup(key, [transferAt(block, token, zeroAddress, holder)])
      await db.transaction((tx) => storeTransfers(tx, [group]))
      const updates = await nextUpdates(db, {
        atHead: false,
        partitions: [BigInt(key.partition)],
        except: [],
        most: 1_000,
      })
      expect(await updateWallets(db, updates, worker)).toBe(1)
    }
    await move(1n, '7')
    const faults = await db.transaction(async (tx) => {
      await tx.script('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ')
      await openSnapshots(db, (statement) => tx.fresh.rows(statement))
      // The check first reads the stored state of the collection, then queries the chain's nodes for minutes.
      await tx.rows('SELECT 1 FROM collection WHERE partition = $1', [key.partition])
      await move(2n, '8')
      return countWalletFaults(tx.fresh, { ...key, chainId })
    })
    expect(faults).toEqual({ tokens: 0n, collections: 0n, transfers: 0n })
  },
)
