import type { Database } from '../../db/database.ts'
import { onlyPartition, type Within, within } from '../../db/stages/stages.ts'
import { changeQueue, processLocked } from './lockCollections.ts'
import type { DueRow } from './walletDue.ts'
import { dueKey, writeMoved } from './writeMoved.ts'

/**
 * Writes the transfers of rows of the queue to `wallet_transfer`, and leaves their tokens to `buildWallets`, which reads each token once however often
 * it was moved. For collections of which wallets hold nothing yet. Returns how many rows were written; none of a collection that another
 * transaction works on, that is gone, or whose partition worker `worker` does not hold.
 */
export async function writeTransfers(db: Database, due: readonly DueRow[], worker: number): Promise<number> {
  const of = within(onlyPartition(due))
  const written = await writeMoved(of, (insert) =>
    processLocked(db, due, worker, async (tx, own) => {
      await tx.fresh.run(insert, dueKey.lists(own))
    }),
  )
  return written.length === 0 ? 0 : changeQueue(db, noteWritten(of), dueKey.lists(written))
}

const noteWritten = (of: Within) => `
UPDATE wallet_due d SET transfers_written = true FROM ${dueKey.unnest(1, 'k')}
WHERE d.partition = k.partition AND d.collection_id = k.collection_id AND d.id = k.id${of('d')}`
