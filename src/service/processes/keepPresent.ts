import { type RateKind, rateKinds } from '../../api/admin/overview.ts'
import type { Database } from '../../db/database.ts'
import { run } from '../../sync/run.ts'
import type { Log } from '../../util/log.ts'
import { unlessAborted } from '../../util/wait.ts'
import { minuteMs, removeOldCounts, writeMinuteCounts } from './minuteCounts.ts'
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
  const stop = new AbortController()
  /** The minute of the last heartbeat, by the database's clock. Its counts are those since `before`. */
  let minute = 0
  let before: Partial<Record<RateKind, number>> = {}
  let written: Partial<Record<RateKind, number>> = {}

  async function step(): Promise<'idle'> {
    const counted = await totals()
    const at = Math.floor((await beat(db, own)).getTime() / minuteMs) * minuteMs
    if (at !== minute) before = written
    minute = at
    const counts = rateKinds.map((kind) => ({ minute, kind, count: counted[kind] - (before[kind] ?? 0) }))
    await writeMinuteCounts(
      db,
      own.id,
      counts.filter(({ count }) => count > 0),
    )
    written = counted
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
