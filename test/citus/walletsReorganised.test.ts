import { expect } from 'vitest'
import { createNftQuery } from '../../src/nft/pages/createNftQuery.ts'
import { createWalletQuery } from '../../src/nft/pages/wallets/createWalletQuery.ts'
import { revertTransfers } from '../../src/nft/store/revertTransfers.ts'
import { storeTransfers } from '../../src/nft/store/storeTransfers.ts'
import { zeroAddress } from '../../src/nft/transfers/transfer.ts'
import { transferGroup } from '../../src/nft/transfers/transferGroup.ts'
import { updateWallets } from '../../src/nft/wallets/updateWallets.ts'
import { nextUpdates } from '../../src/nft/wallets/walletUpdates.ts'
import { deleteBlocksAbove, insertBlocks, moveCursor } from '../../src/sync/chainStore.ts'
import type { Hex } from '../../src/util/hex.ts'
import { patience } from '../patience.ts'
import { seedLease } from '../seedLease.ts'
import { holdCommit } from './inDoubt.ts'
import { collectionOn, transferAt, walletOn } from './nodes.ts'
import { testOnTwoNodes } from './onTwoNodes.ts'
import { openChain } from './openChain.ts'

const chainId = 31_337n
/** The finalized block of a seeded chain. */
const finalized = 1_000n

type Block = { number: bigint; fork: 'a' | 'b' }

const hashOf = ({ number, fork }: Block): Hex => `0x${(fork + number.toString(16)).padStart(64, '0')}`

testOnTwoNodes.each([
  ['lower', 1_004n],
  ['as high', 1_003n],
])(
  'behavior: wallets claim no block above the final one while nodes are on different forks, the new one %s (skipped without a cluster of two workers)',
  async (_, undone) => {
    const { db, workers, nodes, worker } = await openChain(chainId)
    const collections = [
      await collectionOn(db, { nodes, node: 0, chainId }),
      await collectionOn(db, { nodes, node: 1, chainId }),
    ]
    for (const { partition } of collections) await seedLease(db, 'partition', partition, worker)
    const wallet = walletOn(nodes, { node: 1, chainId })
    const settle = async () => {
      const partitions = collections.map(({ partition }) => BigInt(partition))
      const updates = await nextUpdates(db, { atHead: true, partitions, except: [], most: 1_000 })
      if (updates.length > 0) await updateWallets(db, updates, worker)
    }
    /** Applies a block that moves a token of each collection to `to`. */
    const apply = (block: Block, to: string, fork: bigint | undefined = undefined) =>
      db.transaction(async (tx) => {
        const { number } = block
        const hash = hashOf(block)
        await moveCursor(tx, { chainId, worker, block: { number, hash }, head: number, finalized })
        if (fork !== undefined) {
          await revertTransfers(tx, chainId, fork)
          await deleteBlocksAbove(tx, chainId, fork)
        }
        const moved = { ...transferAt(number, String(number), zeroAddress, to), blockHash: hash.slice(2) }
        const groups = collections.map((key) => transferGroup(key, [moved]))
        await storeTransfers(tx, groups, { chainId, number })
        await insertBlocks(tx, chainId, [{ number, hash, parentHash: hash, timestamp: number } as never])
      })
    for (let number = 1_001n; number <= undone; number++) await apply({ number, fork: 'a' }, wallet)
    await settle()
    const wallets = createWalletQuery({ db })
    expect(await wallets.state(chainId)).toMatchObject({ toBlock: undone, synced: true })

    const held = await holdCommit(workers)
    const next: Block = { number: 1_003n, fork: 'b' }
    const applied = apply(next, '22'.repeat(20), 1_002n)
    await held.arrive()
    const query = createNftQuery({ db })
    const readSyncPosition = async () => (await query.state(chainId, collections[1]!.address))!.syncPosition
    await expect.poll(readSyncPosition, patience).toContain(hashOf(next).slice(2))
    await settle()
    expect(await wallets.state(chainId)).toMatchObject({ toBlock: finalized, synced: false })
    held.end()
    await applied
    await settle()
    expect(await wallets.state(chainId)).toMatchObject({ toBlock: 1_003n, synced: true })
  },
)
