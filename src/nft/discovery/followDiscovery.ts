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
  /** A contract with transfers in only one block is deleted after this many days. */
  keepDays: number
  metrics: Metrics
}

/**
 * Most NFT logs of the blocks of one transaction. Each may be of another contract, of which about 20,000 are stored per
 * second.
 */
const mostLogs = 20_000

/** Block handler that counts transfers of unrequested contracts. It needs the same logs as collections. */
export function followDiscovery({ chain, db, keepDays, metrics }: FollowDiscoveryOptions): BlockHandler {
  const isOn = chain.discover === true
  /** Data of the current step. */
  let blocks: BlockCount[] = []
  /** The last hour for which all past data was deleted; and that of the current step. */
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

    // Counts are undone even if discovery is now disabled, so that they are right when it is enabled again.
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
