import type { Transaction } from '../../db/database.ts'
import { readHoldersAt } from '../asOf/readHoldersAt.ts'
import type { Standards } from '../transfers/decodeTransfers.ts'

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
