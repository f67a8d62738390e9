import type { EvmChain } from '../../chain/evm/chains.ts'
import type { Sql } from '../../db/database.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { type BlockHandler, unionOf } from '../../sync/blockHandler.ts'
import { latestTime, transferTopics } from '../transfers/decodeTransfers.ts'
import { type BlockCount, countByContract } from './countBlock.ts'
import { forgetPast } from './forgetPast.ts'
import { hourOf, storeCounts } from './storeCounts.ts'
import { keepCounts, undoCounts, undoneTo } from './undoCounts.ts'

export type FollowDiscoveryOptions = {
  chain: EvmChain
  db: Sql
  /** A contract with transfers in one block only is forgotten after so many days. */
  keepDays: number
  metrics: Metrics
}

/** Most logs with NFTs in the blocks of one transaction: each may be of another contract, of which a second stores some 20,000. */
const mostLogs = 20_000

/** The handler of `createFollower` that counts transfers of contracts that nobody requested. The logs that it needs, collections need too. */
export function followDiscovery({ chain, db, keepDays, metrics }: FollowDiscoveryOptions): BlockHandler {
  const isOn = chain.discover === true
  /** What the step in progress stores. */
  let blocks: BlockCount[] = []
  /** The last hour up to which everything that is past was forgotten; that of the step in progress. */
  let forgotten = Number.NEGATIVE_INFINITY
  let forgetting = forgotten

  return {
    topics: isOn ? transferTopics : [],
    watched: () => unionOf([]),
    followed: () => ({ collections: 0, streams: 0, discovers: isOn }),

    fitting(all) {
      let sum = 0
      for (const [i, { logs }] of all.entries()) {
        for (const { topics } of logs) if (topics.length === 4) sum++
        if (sum > mostLogs && i > 0) return i
      }
      return all.length
    },

    async prepare() {
      blocks = []
      forgetting = forgotten
    },

    async apply(_, { header, logs, undoable }) {
      if (!isOn) return
      const time = Math.min(Number(header.timestamp), latestTime)
      blocks.push({ number: header.number, time, undoable, contracts: countByContract(logs) })
    },

    undoTo: (fork, { number }) => undoneTo(db, chain.id, fork, number),

    // Counts of a chain that discovers nothing now are undone, too, so that they are right when it discovers again.
    revert: (tx, fork) => undoCounts(tx, chain.id, fork),

    async finalize(tx, number) {
      const last = blocks.at(-1)
      if (!last) return
      const found = await storeCounts(tx, chain.id, blocks)
      if (found > 0) metrics.rows.inc({ chain: chain.name, table: 'discovered_contract' }, found)
      await keepCounts(tx, chain.id, number)
      const hour = hourOf(last.time)
      if (hour !== forgotten && (await forgetPast(tx, { chainId: chain.id, time: last.time, keepDays })))
        forgetting = hour
    },

    async release() {},

    committed() {
      blocks = []
      forgotten = forgetting
    },

    join: async () => false,
  }
}
