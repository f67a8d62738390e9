import type { Sql, Transaction } from '../../db/database.ts'
import { smaller } from '../../util/extremes.ts'
import { bufferToHex } from '../../util/hex.ts'
import { forgetKnown } from '../store/knownContracts.ts'

/** Most counts that one transaction undoes or finalizes; a single block may have more. */
export const mostUndone = 10_000

/** The block above `fork` down to which one transaction undoes: see `BlockHandler.undoTo`. */
export async function undoneTo(sql: Sql, chainId: bigint, fork: bigint, cursor: bigint): Promise<bigint> {
  const [row] = await sql.rows<[bigint]>(
    `SELECT block_number FROM discovered_block WHERE chain_id = $1 AND block_number > $2 AND block_number <= $3
     ORDER BY block_number DESC OFFSET ${mostUndone} LIMIT 1`,
    [chainId, fork, cursor],
  )
  return row ? smaller(row[0], cursor - 1n) : fork
}

/**
 * Subtracts the transfers of blocks above `fork` from the counts. Deletes contracts with transfers only in these
 * blocks.
 */
export async function undoCounts(tx: Transaction, chainId: bigint, fork: bigint): Promise<void> {
  const undone = [chainId, fork]
  const [some] = await tx.rows(
    'SELECT 1 FROM discovered_block WHERE chain_id = $1 AND block_number > $2 LIMIT 1',
    undone,
  )
  if (!some) return
  await tx.run(uncountContracts, undone)
  await tx.run(uncountHours, undone)
  const deleted = await tx.rows<[Buffer]>(deleteUndone, undone)
  await forgetKnown(
    tx,
    chainId,
    deleted.map(([address]) => bufferToHex(address)),
  )
  await tx.run('DELETE FROM discovered_block WHERE chain_id = $1 AND block_number > $2', undone)
}

const uncountContracts = `
UPDATE discovered_contract d SET blocks = d.blocks - u.blocks, transfers = d.transfers - u.transfers, mints = d.mints - u.mints
FROM (
  SELECT partition, address, count(*) AS blocks, sum(transfers) AS transfers, sum(mints) AS mints FROM discovered_block
  WHERE chain_id = $1 AND block_number > $2 GROUP BY partition, address
) u WHERE d.partition = u.partition AND d.chain_id = $1 AND d.address = u.address`

const uncountHours = `
UPDATE discovered_hour h SET transfers = h.transfers - u.transfers, mints = h.mints - u.mints
FROM (
  SELECT partition, address, hour, sum(transfers) AS transfers, sum(mints) AS mints FROM discovered_block
  WHERE chain_id = $1 AND block_number > $2 GROUP BY partition, address, hour
) u WHERE h.partition = u.partition AND h.chain_id = $1 AND h.address = u.address AND h.hour = u.hour`

const deleteUndone = `
DELETE FROM discovered_contract d USING (
  SELECT DISTINCT partition, address FROM discovered_block WHERE chain_id = $1 AND block_number > $2
) u WHERE d.partition = u.partition AND d.chain_id = $1 AND d.address = u.address AND d.blocks <= 0 RETURNING d.address`

/** Finalizes counts of blocks up to `number`. If there are too many, later blocks are left to the next steps. */
export async function keepCounts(tx: Transaction, chainId: bigint, number: bigint): Promise<void> {
  const [row] = await tx.rows<[bigint]>(
    `SELECT block_number FROM discovered_block WHERE chain_id = $1 AND block_number <= $2
     ORDER BY block_number OFFSET ${mostUndone} LIMIT 1`,
    [chainId, number],
  )
  await tx.run('DELETE FROM discovered_block WHERE chain_id = $1 AND block_number <= $2', [chainId, row?.[0] ?? number])
}
