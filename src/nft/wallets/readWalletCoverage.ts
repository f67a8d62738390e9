import type { Sql } from '../../db/database.ts'
import { blockOfPosition } from '../transfers/position.ts'

/** What the tables of wallets hold of a chain. */
export type WalletCoverage = {
  /** Collections of which they hold what is indexed: those that are live, and those whose history is being read. */
  collections: number
  /** All transfers of these collections up to this block are in the tables; null: there is no such block. */
  toBlock: bigint | null
}

/**
 * How far the tables of wallets have followed a chain. Rows that are read afterwards have at least that, so it is read before them. It
 * takes 1 ms for each 10,000 collections of the chain: keep it for a moment (api/pages/recent.ts).
 */
export async function readWalletCoverage(sql: Sql, chainId: bigint): Promise<WalletCoverage> {
  const [[live, syncing, cursor, syncedTo, due] = [0n, 0n, null, null, null]] = await sql.rows<
    [live: bigint, syncing: bigint, cursor: bigint | null, syncedTo: bigint | null, due: bigint | null]
  >(selectCoverage, [chainId])
  const bounds = [live > 0n ? (cursor ?? -1n) : null, syncedTo, due === null ? null : blockOfPosition(due) - 1n]
  const collections = Number(live + syncing)
  const lowest = bounds.reduce((least, bound) => (least === null || (bound !== null && bound < least) ? bound : least))
  return { collections, toBlock: collections === 0 || lowest === null || lowest < 0n ? null : lowest }
}

// One statement, so that all of it is of one moment: what is stored and not in the tables yet is in the queue. Before the first block of
// a collection it has moved nothing.
const selectCoverage = `
SELECT
  (SELECT count(*) FROM collection WHERE chain_id = $1 AND status = 'live'),
  syncing.collections,
  (SELECT block_number FROM chain WHERE id = $1),
  syncing.to_block,
  (SELECT min(from_position) FROM wallet_due WHERE chain_id = $1)
FROM (
  SELECT count(*) AS collections, min(coalesce(to_block, from_block - 1)) AS to_block
  FROM collection
  WHERE chain_id = $1 AND status IN ('queued', 'syncing', 'failed') AND standard IS NOT NULL AND from_block IS NOT NULL
) syncing`
