import type { Database } from '../../db/database.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import { run } from '../../sync/run.ts'
import type { Log } from '../../util/log.ts'
import { sleep } from '../../util/wait.ts'
import { advanceRangeReplay, readRunning } from '../ledger/rangeReplay.ts'

/** Poll interval for replays of ranges. */
const idleMs = 1_000

/** Pause of a replay whose stream has enough queued webhooks. */
const waitMs = 100

/** Continues replays of ranges in the partitions that this process delivers. Ends with the signal. */
export async function continueReplays(options: {
  db: Database
  leases: Pick<Leases, 'held'>
  log: Log
  signal: AbortSignal
}): Promise<void> {
  const { db, leases, log, signal } = options

  async function step(): Promise<'moved' | 'idle'> {
    const running = await readRunning(db, leases.held('delivery'))
    let moved = false
    for (const key of running) {
      if (signal.aborted) return 'idle'
      moved = (await db.transaction((tx) => advanceRangeReplay(tx, key))) || moved
    }
    if (moved || running.length === 0) return moved ? 'moved' : 'idle'
    await sleep(waitMs, signal)
    return 'moved'
  }

  await run({ name: 'range replays', step, idleMs, signal, log })
}
