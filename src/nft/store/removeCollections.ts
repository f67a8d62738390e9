import type { Sql } from '../../db/database.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import { run } from '../../sync/run.ts'
import type { Log } from '../../util/log.ts'
import { nextRemoval, removeRows } from './removals.ts'

export type RemoveCollectionsOptions = { leases: Leases; db: Sql; log: Log; signal: AbortSignal }

/** Deletes remaining rows of removed collections in this process's partitions. Ends with the signal. */
export async function removeCollections({ leases, db, log, signal }: RemoveCollectionsOptions): Promise<void> {
  async function step(): Promise<'moved' | 'idle'> {
    const removal = await nextRemoval(db, [...leases.held('partition')])
    if (!removal) return 'idle'
    const removed = await removeRows(db, removal, signal)
    if (removed.tokens + removed.transfers > 0) log.info({ ...removed }, 'rows of a removed collection deleted')
    return 'moved'
  }

  await run({ name: 'delete rows of removed collections', step, idleMs: 2_000, signal, log })
}
