import type { Standard } from '../src/nft/transfers/decodeTransfers.ts'
import { positionOf } from '../src/nft/transfers/position.ts'
import { type Transfer, zeroAddress } from '../src/nft/transfers/transfer.ts'
import type { CollectionKey } from '../src/nft/transfers/transferGroup.ts'
import { updateWallets } from '../src/nft/wallets/updateWallets.ts'
import { nextUpdates } from '../src/nft/wallets/walletUpdates.ts'
import type { Address } from '../src/util/hex.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { seedCollection } from './seedCollection.ts'
import { seedPartitionLeases, seedWorker } from './seedLease.ts'

/** A database with a worker that holds all partitions, for tests of the queue of the wallets' tables. */
export type WalletQueue = TestDatabase & {
  worker: number
  /** Seeds a collection on a chain. */
  create(chainId: bigint, standard: Standard): Promise<CollectionKey>
  pendingUpdates(atHead: boolean): ReturnType<typeof nextUpdates>
  /** Processes the rows of the queue; with `choose`, only some of them. */
  updatePendingWallets(choose?: (place: number) => boolean, as?: number): Promise<number>
}

export const partitions = Array.from({ length: 256 }, (_, i) => BigInt(i))

export async function createWalletQueue(): Promise<WalletQueue> {
  const database = await createTestDatabase()
  const { db } = database
  const worker = await seedWorker(db)
  await seedPartitionLeases(db, worker)
  let addresses = 0
  const pendingUpdates = (atHead: boolean) => nextUpdates(db, { atHead, partitions, except: [], most: 1e9 })
  return {
    ...database,
    worker,
    pendingUpdates,
    async create(chainId, standard) {
      const address: Address = `0x${String(++addresses).padStart(40, '0')}`
      const key = await seedCollection(db, { address, chainId, columns: { standard } })
      return { ...key, chainId, address, standard, idInData: false }
    },
    async updatePendingWallets(choose = () => true, as = worker) {
      const rows = [...(await pendingUpdates(true)), ...(await pendingUpdates(false))].filter((_, place) =>
        choose(place),
      )
      return updateWallets(db, rows, as)
    },
  }
}

export const holders = [zeroAddress, ...['11', '22', '33', '44'].map((digits) => digits.repeat(20))]
export const [alice, bob] = holders.slice(1) as [string, string]

const hash = 'ab'.repeat(32)
/** The properties that all transfers share. */
export const place = { operator: null, transactionHash: hash, transactionIndex: 0, blockHash: hash, blockTime: null }

export const transfer = (block: number, tokenId: string, from: string, to: string): Transfer => ({
  ...place,
  ...{ position: positionOf(block, 0), item: 0, tokenId, from, to, amount: '1' },
})
