import type { Database } from '../../db/database.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import { run } from '../../sync/run.ts'
import type { Log } from '../../util/log.ts'
import type { Waker } from '../../util/wait.ts'
import type { WorkPriority } from '../../util/workPriority.ts'
import { buildNextPart, nextBuild } from './buildHolders.ts'

export type KeepHoldersOptions = {
  leases: Leases
  db: Database
  workPriority: Pick<WorkPriority, 'schedule'>
  log: Log
  /** Woken by requests for holder lists. */
  waker: Waker
  signal: AbortSignal
}

/** Builds requested holder lists of collections in this process's partitions. Ends with the signal. */
export async function keepHolders({ leases, db, workPriority, log, waker, signal }: KeepHoldersOptions): Promise<void> {
  async function step(): Promise<'moved' | 'idle'> {
    const worker = leases.workerId()
    if (worker === undefined) return 'idle'
    const next = await nextBuild(db, [...leases.held('partition')])
    if (!next) return 'idle'
    const outcome = await workPriority.schedule('holders', signal, () => buildNextPart(db, next, worker))
    if (outcome === 'lost') return 'idle'
    // Pages need an index-only scan: PostgreSQL chooses it once it has statistics, and skips rows that a vacuum marked
    // visible.
    if (outcome === 'built') await db.run('VACUUM (ANALYZE) holder')
    return 'moved'
  }

  await run({ name: 'update holder lists', step, idleMs: 5_000, waker, signal, log })
}
