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
export type Turn = {
  ids: readonly bigint[]
  /** Never throws. False: it failed. */
  run: () => Promise<boolean>
}

export type RunTurnsOptions = {
  /** Of the loop, in logs. */
  name: string
  leases: Pick<Leases, 'served'>
  /** The chains that have subjects whose turn has come, the one that waited longest first; `anew`: those that are queried again. */
  dueChains: (served: Served, anew: WokenFor) => Promise<readonly bigint[]>
  /** Begins at most `limit` time slices of a chain, of none of the subjects `except`. */
  take: (of: { served: Served; chain: bigint; except: readonly bigint[]; limit: number }) => Promise<readonly Turn[]>
  /** Turns at once. */
  most: number
  /** What is to be done once a minute. */
  keepHouse: () => Promise<void>
  waker: Waker
  log: Log
  signal: AbortSignal
}

/** How often `keepHouse` is called. */
const housekeepingMs = 60_000

/**
 * Runs turns on the histories that this process serves, several at once. The subject that waited longest is next, so a huge one never keeps a
 * small one waiting. Ends with the signal.
 */
export async function runTurns(options: RunTurnsOptions): Promise<void> {
  const { name, leases, dueChains, take, most, keepHouse, waker, log, signal } = options
  /** Chains whose last turn failed. */
  const failing = new Set<bigint>()
  let keptHouseAt = Number.NEGATIVE_INFINITY

  /** A chain has half of the places at most, and one while its nodes fail: a slow chain never keeps the others waiting. */
  function shareOf(chain: bigint): number {
    return failing.has(chain) ? 1 : Math.max(1, Math.ceil(most / 2))
  }

  async function runAndNote(chain: bigint, { run }: Turn): Promise<void> {
    if (await run()) failing.delete(chain)
    else failing.add(chain)
  }

  await schedule<readonly bigint[], bigint>({
    ...{ name, idleMs: 1_000, waker, signal, log, keyOf: (chain) => chain },
    async look(underWay, begin, rested) {
      const woken = wokenFor(waker, rested)
      if (performance.now() - keptHouseAt > housekeepingMs) {
        keptHouseAt = performance.now()
        await keepHouse()
      }
      if (underWay.size >= most) return 'idle'
      const ofChain = (chain: bigint) => [...underWay.values()].filter((of) => of === chain).length
      const served = leases.served()
      for (const chain of await dueChains(served, woken)) {
        const limit = Math.min(most - underWay.size, shareOf(chain) - ofChain(chain))
        if (limit <= 0) continue
        const except = [...underWay.keys()].flat()
        for (const turn of await take({ served, chain, except, limit }))
          begin(turn.ids, chain, () => runAndNote(chain, turn))
      }
      return 'idle'
    },
  })
}

/** Stores that a time slice on the history of a subject failed: its next one begins after a pause that doubles up to an hour. Never throws. */
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
