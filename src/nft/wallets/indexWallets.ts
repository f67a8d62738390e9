import type { Database } from '../../db/database.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import { run } from '../../sync/run.ts'
import type { Log } from '../../util/log.ts'
import { sleep, type Waker } from '../../util/wait.ts'
import type { WorkPriority } from '../../util/workPriority.ts'
import { buildWallets } from './buildWallets.ts'
import { updateWallets } from './updateWallets.ts'
import { countWalletsDue, type DueBuild, nextBuilds, nextDue, storedSince } from './walletDue.ts'
import { writeTransfers } from './writeTransfers.ts'

export type IndexWalletsOptions = {
  leases: Leases
  /** For the transfers of history. */
  db: Database
  /** For those of the head. */
  forHead: Database
  workPriority: Pick<WorkPriority, 'turn' | 'size' | 'isYielding'>
  metrics: Metrics
  log: Log
  /** Woken where transfers at the head were stored or undone, and where leases change. */
  waker: Waker
  signal: AbortSignal
}

/** Transfers of a time slice on history, for each connection: it takes up to 2 s. */
const mostTransfers = 25_000

/** Connections of a time slice that writes transfers while no history is stored. The database would use one core otherwise. */
const quietLanes = 2

/** Transfers of the history of which one turn builds the tokens: these are fewer, and are only read. */
const mostBuilt = 100_000

/** The same at the head, where a large block of one collection keeps the wallets of the others waiting for no longer than a part of it. */
const mostAtHead = 5_000

/** The same of history while urgent work is late. */
const leastTransfers = 1_000

/**
 * How long the wallets rest after a time slice on history, in milliseconds: as long as the time slice took if history is stored a quarter as fast as
 * the time slice processed it, and with the square of the ratio of the two rates. So a slow history is kept up with, and a fast one keeps its speed,
 * whatever a time slice costs: on a cluster it takes twice as long as on one server of the same cores. `rate`: transfers of history stored in a
 * second.
 */
export function restAfter(turn: { transfers: number; ms: number }, rate: number): number {
  const workedOff = (turn.transfers * 1_000) / turn.ms
  return turn.ms * Math.min(longestRest, ((4 * rate) / workedOff) ** 2)
}

/** Longest rest after a time slice, as a multiple of its duration. With 4, history has 48 % of the bare merge, with 16 it has 59 % (`bench/history.ts`). */
const longestRest = 16

/** How often the rate is measured during a rest, so that it ends soon after history does. A range is stored every 0.2 to 0.4 s: a shorter time may have none. */
const measureEveryMs = 1_000

/** How often the gauge of what is due is set. */
const countEveryMs = 15_000

/**
 * Has the tables of wallets follow the transfers of this process' partitions, from the queue that storing them fills. The head has a
 * loop of its own, so that it never waits behind a long history. Ends with the signal.
 */
export async function indexWallets(options: IndexWalletsOptions): Promise<void> {
  const { leases, db, forHead, workPriority, metrics, log, waker, signal } = options
  /** Collections that one of the loops works on. */
  const working = new Set<bigint>()

  /** Processes those of the rows whose collections the other loop does not work on. Returns how many transfers these have. */
  async function work<T extends { collectionId: bigint; transfers: number }>(
    due: readonly T[],
    process: (free: T[]) => Promise<number>,
    onFree?: () => void,
  ): Promise<number> {
    const free = due.filter(({ collectionId }) => !working.has(collectionId))
    if (free.length === 0) return 0
    const ids = new Set(free.map(({ collectionId }) => collectionId))
    for (const id of ids) working.add(id)
    try {
      return (await process(free)) > 0 ? free.reduce((sum, { transfers }) => sum + transfers, 0) : 0
    } finally {
      for (const id of ids) working.delete(id)
      onFree?.()
    }
  }

  async function turnAtHead(): Promise<number> {
    const worker = leases.workerId()
    if (worker === undefined) return 0
    const partitions = [...leases.held('partition')]
    const due = await nextDue(db, { atHead: true, partitions, except: [...working], most: mostAtHead })
    return work(due, (free) => updateWallets(forHead, free, worker))
  }

  /** The head may wait for a collection of the history. */
  const wakeHead = () => waker.wake()

  /** A large collection whose tokens are built in parts, one per time slice. */
  let building: { of: DueBuild; part: number; parts: number } | undefined

  async function turnOnHistory(): Promise<number> {
    const worker = leases.workerId()
    if (worker === undefined) return 0
    const partitions = [...leases.held('partition')]
    if (building) return buildNext(building, worker)
    const common = { partitions, except: [...working] }
    const builds = await nextBuilds(db, { ...common, most: mostBuilt })
    const [first] = builds
    if (first && first.transfers > mostBuilt)
      return buildNext({ of: first, part: 0, parts: Math.ceil(first.transfers / mostBuilt) }, worker)
    if (first) return work(builds, (free) => buildWallets(db, free, worker), wakeHead)
    const lanes = rate === 0 && !workPriority.isYielding() ? quietLanes : 1
    const most = workPriority.size(mostTransfers * lanes, leastTransfers)
    const due = await nextDue(db, { ...common, atHead: false, most })
    const process = due[0]?.tokensLater ? writeTransfers : updateWallets
    return work(due, (free) => process(db, free, worker, lanes), wakeHead)
  }

  /** If the collection cannot be locked, or this fails, its parts are built from the first one on, when it is next. */
  async function buildNext({ of, part, parts }: NonNullable<typeof building>, worker: number): Promise<number> {
    building = undefined
    const built = await work([of], (free) => buildWallets(db, free, worker, { part, parts }), wakeHead)
    if (built > 0 && part + 1 < parts) building = { of, part: part + 1, parts }
    return Math.ceil(built / parts)
  }

  let countedAt = Number.NEGATIVE_INFINITY
  async function count(): Promise<void> {
    if (performance.now() - countedAt < countEveryMs) return
    countedAt = performance.now()
    metrics.walletsDue.set(await countWalletsDue(db))
  }

  async function stepHead(): Promise<'moved' | 'idle'> {
    await count()
    return (await turnAtHead()) > 0 ? 'moved' : 'idle'
  }

  let newest: bigint | undefined
  let measuredAt = 0
  /** Transfers of history that were stored in a second, when it was last measured. */
  let rate = Number.POSITIVE_INFINITY
  /** Measures it since the last call. Unknown where that was long before `before`: history may have begun since. */
  async function measureRate(before: number): Promise<number> {
    const stored = await storedSince(db, newest ?? 0n)
    const at = performance.now()
    const isKnown = newest !== undefined && before - measuredAt < 2 * measureEveryMs
    rate = isKnown ? (stored.transfers * 1_000) / (at - measuredAt) : Number.POSITIVE_INFINITY
    newest = stored.newest
    measuredAt = at
    return rate
  }

  async function stepHistory(): Promise<'moved' | 'idle'> {
    let began = 0
    const transfers = await workPriority.turn('wallets', signal, () => {
      began = performance.now()
      return turnOnHistory()
    })
    if (transfers === 0) return 'idle'
    const ended = performance.now()
    for (let measureFrom = began; !signal.aborted; measureFrom = measuredAt) {
      const rest = restAfter({ transfers, ms: ended - began }, await measureRate(measureFrom))
      const left = ended + rest - performance.now()
      if (left <= 0) break
      await sleep(Math.min(left, measureEveryMs), signal)
    }
    return 'moved'
  }

  const common = { signal, log }
  await Promise.all([
    run({ ...common, name: 'wallets at the head', step: stepHead, idleMs: 1_000, waker }),
    run({ ...common, name: 'wallets', step: stepHistory, idleMs: 500 }),
  ])
}
