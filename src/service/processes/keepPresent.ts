import type { RateKind } from '../../api/admin/overview.ts'
import type { Database } from '../../db/database.ts'
import { run } from '../../sync/run.ts'
import type { Log } from '../../util/log.ts'
import { unlessAborted } from '../../util/wait.ts'
import { createMinuteCounter } from './createMinuteCounter.ts'
import { removeOldCounts, writeMinuteCounts } from './minuteCounts.ts'
import { beat, type OwnProcess, removeProcess } from './processStore.ts'

/** Interval of heartbeats. A killed process loses the counts since the last one. */
const beatMs = 10_000

/** Longest delay of a process's end by a database that does not answer. */
const mostClosingMs = 2_000

/**
 * Writes the row of this process and its counts by minute to the database, in any role, until it is closed. Close it last, so that counts during the
 * stop of other parts are written too. `totals` returns the counts since the start.
 */
export function keepPresent(options: {
  db: Database
  own: OwnProcess
  totals: () => Promise<Record<RateKind, number>>
  log: Log
}): { close(): Promise<void> } {
  const { db, own, totals, log } = options
  const counter = createMinuteCounter()
  const stop = new AbortController()
  /** Lag of this process's clock behind the database's, in milliseconds. */
  let behindMs = 0

  async function step(): Promise<'idle'> {
    // Before the database is queried: while it is unreachable, counts still go to the right minute.
    counter.see(await totals(), Date.now() + behindMs)
    behindMs = (await beat(db, own)).getTime() - Date.now()
    const counts = counter.unwritten()
    await writeMinuteCounts(db, own.id, counts)
    counter.written(counts)
    await removeOldCounts(db)
    return 'idle'
  }

  const running = run({ name: 'process heartbeat', step, idleMs: beatMs, signal: stop.signal, log })
  return {
    async close() {
      stop.abort()
      const deregister = async () => {
        await running
        await step()
        await removeProcess(db, own.id)
      }
      await unlessAborted(deregister(), AbortSignal.timeout(mostClosingMs))
    },
  }
}
