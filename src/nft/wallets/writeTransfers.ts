import { type Database, joinByKeys } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/databaseError.ts'
import { onlyPartition, type Within, within } from '../../db/stages/stages.ts'
import { collectionKey, lockCollections } from './lockCollections.ts'
import type { DueRow } from './walletDue.ts'
import { dueKey, idleTimeout, insertMissing, insertMoved } from './writeMoved.ts'

/**
 * Writes the transfers of rows of the queue to `wallet_transfer`, and leaves their tokens to `buildWallets`, which reads each token once however often
 * it was moved. For collections of which wallets hold nothing yet. Returns how many rows were written; none of a collection that another
 * transaction works on, that is gone, or whose partition worker `worker` does not hold.
 */
export async function writeTransfers(db: Database, due: readonly DueRow[], worker: number): Promise<number> {
  const keys = collectionKey.lists([...new Map(due.map((row) => [row.collectionId, row])).values()])
  const of = within(onlyPartition(due))
  const settings = `${joinByKeys}; ${idleTimeout}`
  const write = (insert: string) =>
    db.transaction(async (tx) => {
      const locked = await lockCollections(tx, { keys, worker, of })
      const own = due.filter(({ collectionId }) => locked.has(collectionId))
      if (own.length > 0) await tx.fresh.run(insert, dueKey.lists(own))
      return own
    }, settings)
  const written = await write(insertMoved(of)).catch((error: unknown) => {
    if (isUniqueViolation(error)) return write(insertMissing(of))
    throw error
  })
  if (written.length === 0) return 0
  // After the commit, as in `workOff`.
  return db.transaction((tx) => tx.fresh.run(noteWritten(of), dueKey.lists(written)), settings)
}

const noteWritten = (of: Within) => `
UPDATE wallet_due d SET transfers_written = true FROM ${dueKey.unnest(1, 'k')}
WHERE d.partition = k.partition AND d.collection_id = k.collection_id AND d.id = k.id${of('d')}`
