import { type Database, joinByKeys } from '../../db/database.ts'
import { onlyPartition, type Within, within } from '../../db/stages/stages.ts'
import { changeQueue, processLocked } from './lockCollections.ts'
import type { DueRow } from './walletDue.ts'
import { dueKey, writeMoved } from './writeMoved.ts'

/**
 * Writes the transfers of rows of the queue to `wallet_transfer`, and leaves their tokens to `buildWallets`, which reads each token once however often
 * it was moved. For collections of which wallets hold nothing yet. `lanes`: connections that insert at once. Returns how many rows were written; none of
 * a collection that another transaction works on, that was removed, or whose partition worker `worker` does not hold.
 */
export async function writeTransfers(db: Database, due: readonly DueRow[], worker: number, lanes = 1): Promise<number> {
  const of = within(onlyPartition(due))
  const written = await writeMoved(of, (insert) =>
    processLocked(db, due, worker, async (tx, own) => {
      const [first, ...others] = sharesOf(own, lanes).map((share) => dueKey.lists(share))
      // The transaction that locks the collections commits last. What others committed before is there already, should this one fail.
      const ended = await Promise.allSettled([
        tx.fresh.run(insert, first!),
        ...others.map((lists) => db.transaction((lane) => lane.fresh.run(insert, lists), joinByKeys)),
      ])
      for (const lane of ended) if (lane.status === 'rejected') throw lane.reason
    }),
  )
  return written.length === 0 ? 0 : changeQueue(db, noteWritten(of), dueKey.lists(written))
}

/** Rows in at most so many shares, each with about as many transfers. */
function sharesOf(rows: readonly DueRow[], most: number): DueRow[][] {
  const shares = Array.from({ length: Math.min(most, rows.length) }, () => ({ transfers: 0, rows: [] as DueRow[] }))
  for (const row of rows) {
    const least = shares.reduce((a, b) => (b.transfers < a.transfers ? b : a))
    least.transfers += row.transfers
    least.rows.push(row)
  }
  return shares.map((share) => share.rows)
}

const noteWritten = (of: Within) => `
UPDATE wallet_due d SET transfers_written = true FROM ${dueKey.unnest(1, 'k')}
WHERE d.partition = k.partition AND d.collection_id = k.collection_id AND d.id = k.id${of('d')}`
