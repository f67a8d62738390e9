import type { Sql } from '../../db/database.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import type { Served } from '../../sync/leases/served.ts'
import { wokenFor } from '../../sync/run.ts'
import { schedule } from '../../sync/schedule.ts'
import { shownReason } from '../../util/faults/shownReason.ts'
import type { Log } from '../../util/log.ts'
import type { Waker, WokenFor } from '../../util/wait.ts'
import { type HistoryTable, type SubjectKey, setFailedOf } from '../store/historyQueue.ts'

/** A time slice on the history of a subject, or of several that are read together. */
export type Slice = {
  ids: readonly bigint[]
  /** Never throws. False: it failed. */
  run: () => Promise<boolean>
}

export type RunSlicesOptions = {
  /** Name of the loop in logs. */
  name: string
  leases: Pick<Leases, 'served'>
  /** Chains with due subjects, the one that waited longest first; `changed`: chains to query again. */
  dueChains: (served: Served, changed: WokenFor) => Promise<readonly bigint[]>
  /** Starts at most `limit` time slices of a chain, for none of the subjects `except`. */
  take: (of: { served: Served; chain: bigint; except: readonly bigint[]; limit: number }) => Promise<readonly Slice[]>
  /** Most parallel time slices. */
  most: number
  /** Called once a minute. */
  runMaintenance: () => Promise<void>
  waker: Waker
  log: Log
  signal: AbortSignal
}

/** Interval of `runMaintenance`. */
const maintenanceMs = 60_000

/**
 * Runs time slices on the histories that this process serves, several in parallel. The subject that waited longest is
 * next, so a huge one never blocks a small one. Ends with the signal.
 */
export async function runSlices(options: RunSlicesOptions): Promise<void> {
  const { name, leases, dueChains, take, most, runMaintenance, waker, log, signal } = options
  /** Chains whose last slice failed. */
  const failing = new Set<bigint>()
  let maintainedAt = Number.NEGATIVE_INFINITY

  /**
   * A chain gets at most half of the slots, and one while its nodes fail, so that a slow chain never blocks the others.
   */
  function shareOf(chain: bigint): number {
    return failing.has(chain) ? 1 : Math.max(1, Math.ceil(most / 2))
  }

  async function runAndNote(chain: bigint, { run }: Slice): Promise<void> {
    if (await run()) failing.delete(chain)
    else failing.add(chain)
  }

  await schedule<readonly bigint[], bigint>({
    ...{ name, idleMs: 1_000, waker, signal, log, keyOf: (chain) => chain },
    async look(underWay, begin, rested) {
      const woken = wokenFor(waker, rested)
      if (performance.now() - maintainedAt > maintenanceMs) {
        maintainedAt = performance.now()
        await runMaintenance()
      }
      if (underWay.size >= most) return 'idle'
      const ofChain = (chain: bigint) => [...underWay.values()].filter((of) => of === chain).length
      const served = leases.served()
      for (const chain of await dueChains(served, woken)) {
        const limit = Math.min(most - underWay.size, shareOf(chain) - ofChain(chain))
        if (limit <= 0) continue
        const except = [...underWay.keys()].flat()
        for (const slice of await take({ served, chain, except, limit }))
          begin(slice.ids, chain, () => runAndNote(chain, slice))
      }
      return 'idle'
    },
  })
}

/**
 * Stores a failed time slice of a subject: its next one begins after a pause that doubles up to an hour. Never throws.
 */
export async function recordFailure(
  { db, log }: { db: Sql; log: Log },
  table: HistoryTable,
  subject: SubjectKey & { attempts: number },
  { error, fields, event }: { error: unknown; fields: object; event: string },
): Promise<void> {
  const retrySeconds = Math.min(3_600, 2 ** Math.min(subject.attempts, 11))
  log.warn({ ...fields, err: error, retrySeconds }, event)
  await setFailedOf(db, table, subject, shownReason(error), retrySeconds).catch((err: unknown) =>
    log.error({ ...fields, err }, 'failure not recorded'),
  )
}
