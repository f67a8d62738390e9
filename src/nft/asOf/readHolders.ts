import type { Transaction } from '../../db/database.ts'
import type { Standards } from '../transfers/decodeTransfers.ts'
import { lastPositionOf } from '../transfers/position.ts'
import { holdersAt } from './stateAt.ts'

/** A token id in decimal digits, an address that held it, and how many pieces in decimal digits; 1 for ERC-721. */
export type HolderRow = [tokenId: string, owner: Buffer, amount: string]

/** Rows that are read at once: parsing them holds up requests for some 2 ms. */
const rowsAtOnce = 500

/**
 * Everybody who held a token of a collection at the end of a block, in lists, in the order of token ids, then owners. PostgreSQL keeps what
 * is not read yet, so the transaction may begin and end with the reading, and this process holds one list. The block must be covered, which
 * `readBlockAt` shows in the same transaction.
 */
export async function* readHolders(
  tx: Transaction,
  { partition, id, standards }: { partition: number; id: bigint; standards: Standards },
  block: bigint,
): AsyncGenerator<HolderRow[]> {
  await tx.script('SET LOCAL cursor_tuple_fraction = 1')
  await tx.fresh.run(`DECLARE holders_at NO SCROLL CURSOR FOR ${holdersAt[standards]}`, [
    partition,
    id,
    lastPositionOf(block),
  ])
  for (;;) {
    const rows = await tx.fresh.rows<HolderRow>(`FETCH ${rowsAtOnce} FROM holders_at`)
    if (rows.length > 0) yield rows
    if (rows.length < rowsAtOnce) break
  }
  await tx.script('CLOSE holders_at')
}
