import type { Sql } from '../../db/database.ts'
import { bufferToHex, type Hex } from '../../util/hex.ts'
import { blockOfPosition } from '../transfers/position.ts'

/** Progress of the wallet tables on a chain. */
export type WalletCoverage = {
  /** Number of covered collections: live ones, and those whose history is being read. */
  collections: number
  /** All transfers of these collections up to this block are in the tables; null: no such block. */
  toBlock: bigint | null
  /** Number of these collections with omissions: see `describeSkipped`. */
  incomplete: number
  /** The followed block of the live ones among them; null: none is live. */
  block: { number: bigint; hash: Hex } | null
}

type Covered = [
  live: bigint,
  cursor: bigint | null,
  hash: Buffer | null,
  syncing: bigint,
  syncedTo: bigint | null,
  incomplete: bigint,
  isOne: boolean | null,
  finalized: bigint | null,
]
const noRow: Covered = [0n, null, null, 0n, null, 0n, true, null]

/**
 * Progress of the wallet tables on a chain. Rows that are read later have at least that, so it is read first. Takes 4 ms per 10,000 collections of
 * the chain, so it is cached briefly (api/pages/recent.ts).
 */
export async function readWalletCoverage(sql: Sql, chainId: bigint): Promise<WalletCoverage> {
  const [[live, cursor, hash, syncing, syncedTo, incomplete, isOne, finalized] = noRow] = await sql.rows<Covered>(
    selectCovered,
    [chainId],
  )
  // During the commits of a reorg, some nodes of a cluster have blocks of the fork that others have undone.
  const isForked = isOne === false && (await sql.rows(selectForked, [chainId, cursor, hash])).length > 0
  // Afterwards: what was stored by then is in the queue, or already in the tables.
  const [[firstPending] = [null]] = await sql.rows<[bigint | null]>(selectFirstPending, [chainId])
  const followed = isForked ? finalized : cursor
  const bounds = [
    live > 0n ? (followed ?? -1n) : null,
    syncedTo,
    firstPending === null ? null : blockOfPosition(firstPending) - 1n,
  ]
  const collections = Number(live + syncing)
  const lowest = bounds.reduce((least, bound) => (least === null || (bound !== null && bound < least) ? bound : least))
  const toBlock = collections === 0 || lowest === null || lowest < 0n ? null : lowest
  const block = cursor === null || hash === null ? null : { number: cursor, hash: bufferToHex(hash) }
  return { collections, toBlock, incomplete: Number(incomplete), block }
}

// The cursor on each collection's node, as the coordinator's may be ahead of a node's commit. One statement, as collections go live meanwhile. Before
// its first block, a collection has no transfers.
const selectCovered = `
SELECT count(*) FILTER (WHERE c.status = 'live'), min(coalesce(h.block_number, -1)) FILTER (WHERE c.status = 'live'),
  (array_agg(h.block_hash ORDER BY h.block_number) FILTER (WHERE c.status = 'live'))[1],
  count(*) FILTER (WHERE c.status <> 'live'), min(coalesce(c.to_block, c.from_block - 1)) FILTER (WHERE c.status <> 'live'),
  count(*) FILTER (WHERE c.wide_logs > 0 OR c.surplus_transfers > 0),
  min(h.block_hash::text) FILTER (WHERE c.status = 'live') = max(h.block_hash::text) FILTER (WHERE c.status = 'live'),
  min(h.finalized_number) FILTER (WHERE c.status = 'live')
FROM collection c LEFT JOIN chain h ON h.id = c.chain_id
WHERE c.chain_id = $1 AND c.standard IS NOT NULL
  AND (c.status = 'live' OR (c.status IN ('queued', 'syncing', 'failed') AND c.from_block IS NOT NULL))`

/** A collection whose node does not have the block on its chain. */
const selectForked = `
SELECT 1 FROM collection c WHERE c.chain_id = $1 AND c.status = 'live'
  AND NOT EXISTS (SELECT 1 FROM block b WHERE b.chain_id = c.chain_id AND b.number = $2 AND b.hash = $3) LIMIT 1`

const selectFirstPending = 'SELECT min(from_position) FROM wallet_due WHERE chain_id = $1'
