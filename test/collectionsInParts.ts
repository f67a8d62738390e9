import { afterAll, beforeAll, beforeEach } from 'vitest'
import { knownChains } from '../src/chain/evm/chains.ts'
import type { ContractReader } from '../src/chain/evm/contracts/contract.ts'
import type { Database } from '../src/db/database.ts'
import { createMetrics } from '../src/metrics/metrics.ts'
import { followCollections } from '../src/nft/index/followCollections.ts'
import { insertChain } from '../src/sync/chainStore.ts'
import { createFollower, type Follower } from '../src/sync/follow.ts'
import { partitionOf } from '../src/sync/partition.ts'
import { type Address, hexToBuffer } from '../src/util/hex.ts'
import { noopLog } from '../src/util/log.ts'
import { createTestDatabase } from './database.ts'
import type { ScriptedChain } from './scriptedChain.ts'
import { createScriptedChain } from './scriptedChain.ts'
import { seedLease, seedPartitionLeases } from './seedLease.ts'

export const address = '0x00000000000000000000000000000000000000aa'
export const neighbour = '0x00000000000000000000000000000000000000bb'
export const never = new AbortController().signal
const evm = { ...knownChains[0]!, name: 'eth', configured: false }

/** A database whose only chain is a scripted chain. Collections are followed with few transfers in a part. */
export type CollectionsInParts = {
  db: Database
  worker: number
  wipe(): Promise<void>
  /** Adds a collection whose history is read up to the first block. */
  addCollection(contract: Address, standard?: string): Promise<void>
  /** `most`: maximum transfers of a part. */
  follow(chain: ScriptedChain, most: number): Promise<Follower>
  /** Steps until the follower is idle and all collections are live. */
  settle(follower: Follower): Promise<void>
  drop(): Promise<void>
}

/** One instance for all tests of a file: opened before the first test, wiped before each one. */
export function useCollectionsInParts(): CollectionsInParts {
  const shared = {} as CollectionsInParts
  beforeAll(async () => {
    Object.assign(shared, await createCollectionsInParts())
  })
  afterAll(() => shared.drop())
  beforeEach(() => shared.wipe())
  return shared
}

async function createCollectionsInParts(): Promise<CollectionsInParts> {
  const database = await createTestDatabase()
  const { db } = database
  const [row] = await db.rows<[number]>(`INSERT INTO worker (host, pid) VALUES ('test', 1) RETURNING id`)
  const worker = row![0]
  await seedLease(db, 'chain', 1, worker)
  await seedPartitionLeases(db, worker)
  return {
    db,
    worker,
    drop: () => database.drop(),

    async wipe() {
      await db.transaction((tx) =>
        tx.script(
          `TRUNCATE chain, collection_removal, block, collection, token, balance, transfer, transfer_range, token_undo, metadata_undo,
             metadata_due, wallet_due, wallet_transfer, wallet_token, wallet_collection, owner_count`,
        ),
      )
    },

    async addCollection(contract, standard = 'ERC721') {
      await db.run(
        `INSERT INTO collection (partition, chain_id, address, status, standard, from_block, to_block, coverage)
         VALUES ($2, 1, $1, 'syncing', $3, 0, 0, '{[0,0]}')`,
        [hexToBuffer(contract), partitionOf(1n, contract), standard],
      )
    },

    async follow(chain, most) {
      await insertChain(db, 1n, (await chain.source.identity()).genesisHash, 0n, 0n)
      const common = { chain: evm, source: chain.source, db, metrics: createMetrics(), log: noopLog }
      const bounds = { metadataCoolOffMs: 0, maxTokens: 1_000, mostTransfers: most }
      const handler = await followCollections({ ...common, contracts: {} as ContractReader, ...bounds })
      return createFollower({ ...common, handler, worker: () => worker })
    },

    async settle(follower) {
      for (let steps = 0; steps < 1_000; steps++) {
        if ((await follower.step(never)) !== 'idle') continue
        if ((await db.rows(`SELECT 1 FROM collection WHERE status <> 'live'`)).length === 0) return
      }
      throw new Error('the follower does not come to rest')
    },
  }
}

/** A chain with logs of several contracts. */
export function createChainOfTwo(finality: number): ScriptedChain {
  const chain = createScriptedChain(address, finality)
  const logs = chain.source.logs
  chain.source.logs = async (range, signal) => {
    const answer = await logs(range, signal)
    return { ...answer, logs: answer.logs.filter((entry) => entry.address === range.address) }
  }
  return chain
}
