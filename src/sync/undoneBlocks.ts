import type { Sql } from '../db/database.ts'
import { bufferToHex } from '../util/hex.ts'
import type { BlockName } from './blockHandler.ts'

/** Longest branch: deeper reorgs stop the chain instead. */
const mostBlocks = 10_000

/**
 * The blocks that reorgs undid since a client saw `block`, latest first, and the common block below them. Empty: the chain has `block`, or it is
 * unknown.
 */
export async function readUndone(
  sql: Sql,
  chainId: bigint,
  block: BlockName,
): Promise<{ undone: BlockName[]; fork: BlockName }> {
  const rows = await sql.rows<[bigint, Buffer, Buffer]>(selectUndone, [chainId, block.number, mostBlocks])
  const parents = new Map(rows.map(([, hash, parent]) => [bufferToHex(hash), bufferToHex(parent)]))
  const undone: BlockName[] = []
  let fork = block
  for (let parent = parents.get(fork.hash); parent !== undefined; parent = parents.get(fork.hash)) {
    undone.push(fork)
    fork = { number: fork.number - 1n, hash: parent }
  }
  return { undone, fork }
}

/** Undone blocks that the chain has not restored. */
const selectUndone = `
SELECT u.number, u.hash, u.parent_hash FROM block_undone u
WHERE u.chain_id = $1 AND u.number <= $2
  AND NOT EXISTS (SELECT 1 FROM block b WHERE b.chain_id = u.chain_id AND b.number = u.number AND b.hash = u.hash)
ORDER BY u.number DESC LIMIT $3`
