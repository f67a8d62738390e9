import { type Database, joinByKeys } from '../../db/database.ts'
import { onlyPartition, type Within, within } from '../../db/staging/stagingTables.ts'
import { changeQueue, processLocked } from './lockCollections.ts'
import type { PendingUpdate } from './walletUpdates.ts'
import { updateKey, writeMoved } from './writeMoved.ts'

/**
 * Writes the transfers of queue rows to `wallet_transfer`, and leaves their tokens to `buildWallets`, which reads each token once. For collections
 * without holdings so far. `connections`: connections that insert in parallel. Returns the number of written rows. Skips collections that another
 * transaction works on, that were removed, or whose partition worker `worker` does not hold.
 */
export async function writeTransfers(
  db: Database,
  updates: readonly PendingUpdate[],
  worker: number,
  connections = 1,
): Promise<number> {
  const of = within(onlyPartition(updates))
  const written = await writeMoved(of, (insert) =>
    processLocked(db, updates, worker, async (tx, own) => {
      const [first, ...others] = sharesOf(own, connections).map((share) => updateKey.lists(share))
      // The transaction that locks the collections commits last. If it fails, the commits of the others stay.
      const ended = await Promise.allSettled([
        tx.fresh.run(insert, first!),
        ...others.map((lists) => db.transaction((tx) => tx.fresh.run(insert, lists), joinByKeys)),
      ])
      for (const result of ended) if (result.status === 'rejected') throw result.reason
    }),
  )
  return written.length === 0 ? 0 : changeQueue(db, noteWritten(of), updateKey.lists(written))
}

/** At most `most` shares of rows, with similar numbers of transfers. */
function sharesOf(rows: readonly PendingUpdate[], most: number): PendingUpdate[][] {
  const shares = Array.from({ length: Math.min(most, rows.length) }, () => ({
    transfers: 0,
    rows: [] as PendingUpdate[],
  }))
  for (const row of rows) {
    const least = shares.reduce((a, b) => (b.transfers < a.transfers ? b : a))
    least.transfers += row.transfers
    least.rows.push(row)
  }
  return shares.map((share) => share.rows)
}

const noteWritten = (of: Within) => `
UPDATE wallet_due d SET transfers_written = true FROM ${updateKey.unnest(1, 'k')}
WHERE d.partition = k.partition AND d.collection_id = k.collection_id AND d.id = k.id${of('d')}`
