import type { Transaction } from '../../db/database.ts'
import type { Standards } from '../transfers/decodeTransfers.ts'
import { lastPositionOf } from '../transfers/position.ts'
import { holdersAt } from './stateAt.ts'

/** Token id in decimal, a holder, and the amount in decimal; 1 for ERC-721. */
export type HolderRow = [tokenId: string, owner: Buffer, amount: string]

/** Rows per read: parsing them delays requests by about 2 ms. */
const rowsAtOnce = 500

/**
 * All holders of a collection at the end of a block, in batches, by token id, then owner. A cursor holds unread rows in
 * PostgreSQL, so the transaction spans the reading, and this process holds one batch. The block must be covered
 * according to `readBlockAt` in the same transaction.
 */
export async function* readHoldersAt(
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

/**
 * The holders at the end of a covered block as CSV lines, in batches, by token id, then owner. `tx` must be one
 * snapshot of the database.
 */
export async function* holderLines(
  tx: Transaction,
  { partition, id, standards }: { partition: number; id: bigint; standards: Standards | null },
  options: { block: bigint; signal: AbortSignal; onRows?: (rows: number) => void },
): AsyncGenerator<string> {
  if (standards === null) return
  for await (const rows of readHoldersAt(tx, { partition, id, standards }, options.block)) {
    options.signal.throwIfAborted()
    yield rows.map(([tokenId, owner, amount]) => `${tokenId},0x${owner.toString('hex')},${amount}\n`).join('')
    options.onRows?.(rows.length)
  }
}
