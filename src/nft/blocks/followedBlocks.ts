import type { Sql } from '../../db/database.ts'
import { bufferToHex, type Hex, hexToBuffer } from '../../util/hex.ts'

// Applied blocks that can be undone, or could recently. Stored data is of these, so they precede a query to a node,
// which may not have the latest of them yet.

/** Times of the blocks that are followed. */
export async function followedTimes(
  sql: Sql,
  chainId: bigint,
  numbers: readonly bigint[],
): Promise<{ number: bigint; hash: Hex; timestamp: bigint }[]> {
  const rows = await sql.rows<[bigint, Buffer, bigint]>(
    'SELECT number, hash, timestamp FROM block WHERE chain_id = $1 AND number = ANY($2::int8[])',
    [chainId, numbers],
  )
  return rows.map(([number, hash, timestamp]) => ({ number, hash: bufferToHex(hash), timestamp }))
}

/** The first block at or after a time in seconds since 1970, if it and its parent are followed. */
export async function firstFollowedFrom(sql: Sql, chainId: bigint, seconds: bigint): Promise<bigint | undefined> {
  const [row] = await sql.rows<[bigint]>(
    `SELECT b.number FROM block b JOIN block p ON p.chain_id = b.chain_id AND p.number = b.number - 1
     WHERE b.chain_id = $1 AND b.timestamp >= $2 AND p.timestamp < $2 ORDER BY b.number LIMIT 1`,
    [chainId, seconds],
  )
  return row?.[0]
}

/**
 * The number of the followed block with a hash: the lowest one, as numbers without a block have the hash of the block
 * below.
 */
export async function followedByHash(sql: Sql, chainId: bigint, hash: Hex): Promise<bigint | undefined> {
  const [row] = await sql.rows<[bigint]>(
    'SELECT number FROM block WHERE chain_id = $1 AND hash = $2 ORDER BY number LIMIT 1',
    [chainId, hexToBuffer(hash)],
  )
  return row?.[0]
}
