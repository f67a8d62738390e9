import type { Sql } from '../../db/database.ts'
import { bufferToHex } from '../../util/hex.ts'
import { blockOfPosition } from '../transfers/position.ts'

type Followed = [generation: bigint, number: bigint | null, hash: Buffer | null]

/**
 * The last applied block, and the block up to which the wallet tables have all transfers of collections that are live, or were and catch up; null:
 * none. undefined: the chain is not followed, or a reorg is committed on only some nodes of a cluster.
 */
export async function readWalletHead(sql: Sql, chainId: bigint) {
  const [chain] = await sql.rows<Followed>('SELECT generation, block_number, block_hash FROM chain WHERE id = $1', [
    chainId,
  ])
  if (!chain) return undefined
  const [generation, number, hash] = chain
  if (number === null || hash === null) return undefined
  const [[isOne, followed, catchingUp] = [null, null, null]] = await sql.rows<
    [boolean | null, bigint | null, bigint | null]
  >(selectCollections, [chainId])
  if (isOne === false) return undefined
  // Afterwards: what was stored by then is in the queue, or already in the tables.
  const [[firstPending] = [null]] = await sql.rows<[bigint | null]>(selectFirstPending, [chainId])
  const bounds = [number, followed, catchingUp, firstPending === null ? null : blockOfPosition(firstPending) - 1n]
  const toBlock = bounds.flatMap((bound) => bound ?? []).reduce((a, b) => (a < b ? a : b))
  return { generation, block: { number, hash: bufferToHex(hash) }, toBlock: toBlock < 0n ? null : toBlock }
}

const catchesUp = `(c.stored_of_next IS NOT NULL OR (c.status = 'syncing' AND c.live_since IS NOT NULL))`

/** The cursor on each collection's node, as the coordinator may be ahead. */
const selectCollections = `
SELECT min(h.block_hash::text) FILTER (WHERE c.status = 'live') = max(h.block_hash::text) FILTER (WHERE c.status = 'live'),
  min(h.block_number) FILTER (WHERE c.status = 'live'), min(coalesce(c.to_block, c.from_block - 1)) FILTER (WHERE ${catchesUp})
FROM collection c JOIN chain h ON h.id = c.chain_id
WHERE c.chain_id = $1 AND (c.status = 'live' OR ${catchesUp})`

const selectFirstPending = 'SELECT min(from_position) FROM wallet_due WHERE chain_id = $1 AND at_head'
