import type { Database } from '../../db/database.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import { run } from '../../sync/run.ts'
import type { Log } from '../../util/log.ts'
import { sleep, type Waker } from '../../util/wait.ts'
import type { WorkPriority } from '../../util/workPriority.ts'
import { buildWallets } from './buildWallets.ts'
import { updateWallets } from './updateWallets.ts'
import { countPendingTransfers, nextBuilds, nextUpdates, type PendingBuild, storedSince } from './walletUpdates.ts'
import { writeTransfers } from './writeTransfers.ts'

export type IndexWalletsOptions = {
  leases: Leases
  /** For transfers of history. */
  db: Database
  /** For transfers of the head. */
  forHead: Database
  workPriority: Pick<WorkPriority, 'schedule' | 'size' | 'isYielding'>
  metrics: Metrics
  log: Log
  /** Woken by transfers at the head, and by lease changes. */
  waker: Waker
  signal: AbortSignal
}

/** Transfers of a history slice, per connection: up to 2 s. */
const mostTransfers = 25_000

/** Connections of a slice that writes transfers while no history is stored, as the database would otherwise use one core. */
const idleLoops = 2

/** Transfers of history whose tokens one slice builds; they are only read. */
const mostBuilt = 100_000

/** The same at the head, where a large block of one collection delays wallets of others by only a part of it. */
const mostAtHead = 5_000

/** The same for history while urgent work is late. */
const leastTransfers = 1_000

/**
 * Pause after a history slice, in milliseconds. It equals the slice's duration if history is stored a quarter as fast as the slice processed it. It
 * grows with the square of the ratio of both rates. So the tables keep up with a slow history, and a fast one keeps its speed, whatever a slice
 * costs: on a cluster it takes twice as long as on one server. `rate`: transfers of history stored per second.
 */
export function pauseAfter(slice: { transfers: number; ms: number }, rate: number): number {
  const workedOff = (slice.transfers * 1_000) / slice.ms
  return slice.ms * Math.min(longestPause, ((4 * rate) / workedOff) ** 2)
}

/**
 * Longest pause, as a multiple of the slice's duration. With 4, history reaches 48 % of the bare merge, with 16 it reaches 59 % (`bench/history.ts`).
 */
const longestPause = 16

/**
 * Interval of measuring the rate during a pause, so that it ends soon after history. A range is stored every 0.2 to 0.4 s: a shorter interval may
 * have none.
 */
const measureEveryMs = 1_000

/** Interval at which the gauge of pending transfers is set. */
const countEveryMs = 15_000

/**
 * Updates the wallet tables from the queue of stored transfers, in this process's partitions. The head has its own loop, so that it never waits for a
 * long history. Ends with the signal.
 */
export async function indexWallets(options: IndexWalletsOptions): Promise<void> {
  const { leases, db, forHead, workPriority, metrics, log, waker, signal } = options
  /** Collections that one of the loops works on. */
  const working = new Set<bigint>()

  /** Processes rows whose collections the other loop does not work on. Returns the number of their transfers. */
  async function work<T extends { collectionId: bigint; transfers: number }>(
    updates: readonly T[],
    process: (free: T[]) => Promise<number>,
    onFree?: () => void,
  ): Promise<number> {
    const free = updates.filter(({ collectionId }) => !working.has(collectionId))
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

  async function sliceAtHead(): Promise<number> {
    const worker = leases.workerId()
    if (worker === undefined) return 0
    const partitions = [...leases.held('partition')]
    const updates = await nextUpdates(db, { atHead: true, partitions, except: [...working], most: mostAtHead })
    return work(updates, (free) => updateWallets(forHead, free, worker))
  }

  /** The head may wait for a collection of history. */
  const wakeHead = () => waker.wake()

  /** A large collection whose tokens are built in parts, one per slice. */
  let building: { of: PendingBuild; part: number; parts: number } | undefined

  async function sliceOnHistory(): Promise<number> {
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
    const parallel = rate === 0 && !workPriority.isYielding() ? idleLoops : 1
    const most = workPriority.size(mostTransfers * parallel, leastTransfers)
    const updates = await nextUpdates(db, { ...common, atHead: false, most })
    const process = updates[0]?.tokensLater ? writeTransfers : updateWallets
    return work(updates, (free) => process(db, free, worker, parallel), wakeHead)
  }

  /** If the collection cannot be locked, or this fails, it is built again from the first part later. */
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
    metrics.pendingWalletTransfers.set(await countPendingTransfers(db))
  }

  async function stepHead(): Promise<'moved' | 'idle'> {
    await count()
    return (await sliceAtHead()) > 0 ? 'moved' : 'idle'
  }

  let newest: bigint | undefined
  let measuredAt = 0
  /** Transfers of history stored per second, at the last measurement. */
  let rate = Number.POSITIVE_INFINITY
  /** Measures the rate since the last call. Unknown if that was long before `before`, as history may have begun since. */
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
    const transfers = await workPriority.schedule('wallets', signal, () => {
      began = performance.now()
      return sliceOnHistory()
    })
    if (transfers === 0) return 'idle'
    const ended = performance.now()
    for (let measureFrom = began; !signal.aborted; measureFrom = measuredAt) {
      const pauseMs = pauseAfter({ transfers, ms: ended - began }, await measureRate(measureFrom))
      const remaining = ended + pauseMs - performance.now()
      if (remaining <= 0) break
      await sleep(Math.min(remaining, measureEveryMs), signal)
    }
    return 'moved'
  }

  const common = { signal, log }
  await Promise.all([
    run({ ...common, name: 'update wallet tables at the head', step: stepHead, idleMs: 1_000, waker }),
    run({ ...common, name: 'update wallet tables', step: stepHistory, idleMs: 500 }),
  ])
}
