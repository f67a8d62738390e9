import type { Database } from '../../db/database.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import { run } from '../../sync/run.ts'
import type { Log } from '../../util/log.ts'
import { createWaker, sleep, type Waker } from '../../util/wait.ts'
import { advanceRangeReplay, readRunning } from '../ledger/rangeReplay.ts'

/** Interval of checks for replays of ranges to continue, while no replay is sent. */
const idleMs = 1_000

/** Shortest pause while no replay can continue. Each check counts the queued replays of a stream. */
const waitMs = 100

/**
 * Continues replays of ranges in the partitions that this process delivers. `wake`: replays were sent, so that there is
 * space for others. A stream that is paused or in error gets no wake, and its full queue is counted only once a second.
 * Ends with the signal.
 */
export function continueReplays(options: {
  db: Database
  leases: Pick<Leases, 'held'>
  log: Log
  signal: AbortSignal
}): { wake: Waker['wake']; done: Promise<void> } {
  const { db, leases, log, signal } = options
  const waker = createWaker()

  async function step(): Promise<'moved' | 'idle'> {
    const running = await readRunning(db, leases.held('delivery'))
    let moved = false
    for (const key of running) {
      if (signal.aborted) return 'idle'
      moved = (await db.transaction((tx) => advanceRangeReplay(tx, key))) || moved
    }
    if (moved) return 'moved'
    if (running.length > 0) await sleep(waitMs, signal)
    return 'idle'
  }

  return { wake: waker.wake, done: run({ name: 'range replays', step, idleMs, waker, signal, log }) }
}
