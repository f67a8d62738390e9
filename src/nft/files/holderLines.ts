import type { Transaction } from '../../db/database.ts'
import { readHolders } from '../asOf/readHolders.ts'
import type { Standard } from '../transfers/decodeTransfers.ts'

/**
 * The holders at the end of a block as lines of a CSV file, in batches, in the order of token ids, then owners. The block is covered and `tx`
 * one snapshot of the database.
 */
export async function* holderLines(
  tx: Transaction,
  { partition, id, standard }: { partition: number; id: bigint; standard: Standard | null },
  options: { block: bigint; signal: AbortSignal; onRows?: (rows: number) => void },
): AsyncGenerator<string> {
  if (standard === null) return
  for await (const rows of readHolders(tx, { partition, id, standard }, options.block)) {
    options.signal.throwIfAborted()
    yield rows.map(([tokenId, owner, amount]) => `${tokenId},0x${owner.toString('hex')},${amount}\n`).join('')
    options.onRows?.(rows.length)
  }
}
