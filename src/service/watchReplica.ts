import type { Sql } from '../db/database.ts'
import { isConnectionError } from '../db/databaseError.ts'
import { createLagClock } from '../db/replica/createLagClock.ts'
import { readPrimaryState, readReplicaState, whyNoReplica, whyNoStandby } from '../db/replica/replicaState.ts'
import { isConflict, reread } from '../db/replica/reread.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { run } from '../sync/run.ts'
import { describeError } from '../util/errors.ts'
import type { Log } from '../util/log.ts'
import { isProcessShown } from './processes/processStore.ts'

/** Result of the last check of the read replica. */
export type ReplicaStatus =
  | { status: 'following'; lagBytes: number; lagMs: number; isPaused: boolean }
  /** `reason`: the end of a sentence about the read replica. */
  | { status: 'away' | 'refused'; reason: string }

export type ReplicaWatch = {
  status(): ReplicaStatus
  /** Whether it has returned this process's writes to the primary. */
  isProven(): boolean
  /** Lag of the replica's clock behind that of the primary, in milliseconds; 0 if it has none. */
  clockBehindMs(): number
  /** Checks both once; throws if the primary does not answer. */
  look(): Promise<void>
  /** Checks both repeatedly. Ends with the signal. */
  watch(signal: AbortSignal): Promise<void>
}

const watchMs = 1_000

/** A check that failed after this time is not repeated at once, in milliseconds. */
const lateMs = 1_000

/** A larger lag of the clock is logged once. */
const oddClockMs = 1_000

/**
 * Watches the read replica: whether it still is a replica, its lag, and its clock. `own`: the id of this process in the database, which a replica has
 * once it has replayed that row.
 */
export function createReplicaWatch(options: {
  primary: Sql
  replica: Sql
  own: string
  /** The replica's host, in the metrics. */
  host: string
  metrics: Pick<Metrics, 'replicaUp' | 'replicaLagSeconds' | 'replicaLagBytes'>
  log: Log
}): ReplicaWatch {
  const { primary, replica, own, host, metrics, log } = options
  const labels = { replica: host }
  const lag = createLagClock()
  let found: ReplicaStatus = { status: 'away', reason: 'was not queried yet' }
  let clockBehindMs = 0
  let isFirst = true
  let isLagSeen = false
  let isProven = false
  /** A WAL position of the primary after this process's row was written. */
  let writtenAt: bigint | undefined

  function take(next: ReplicaStatus, fault?: unknown): void {
    const before = found.status
    found = next
    metrics.replicaUp.set(labels, next.status === 'following' ? 1 : 0)
    if (next.status === 'following') {
      metrics.replicaLagBytes.set(labels, next.lagBytes)
      metrics.replicaLagSeconds.set(labels, next.lagMs / 1_000)
      if (before !== 'following' && !isFirst) log.info({ host }, 'read replica recovered')
    } else {
      metrics.replicaLagBytes.remove(labels)
      metrics.replicaLagSeconds.remove(labels)
      if (before !== next.status || isFirst)
        log.warn(
          { host, reason: fault ? describeError(fault) : next.reason },
          next.status === 'away' ? 'read replica unreachable' : 'read replica rejected',
        )
    }
    isFirst = false
  }

  /** Whether the replica has this process's row. Also true if the row cannot be expected yet. */
  async function isOfThisPrimary(replayed: bigint): Promise<boolean> {
    if (isProven) return true
    if (writtenAt === undefined) {
      // The position is read after the row: an earlier one would accuse a replica that has not replayed the row yet.
      if (await isProcessShown(primary, own)) writtenAt = (await readPrimaryState(primary)).written
      return true
    }
    if (replayed < writtenAt) return true
    isProven = await reread(() => isProcessShown(replica, own))
    return isProven
  }

  async function look(): Promise<void> {
    const began = performance.now()
    // One broken connection is not an outage, so the replica is queried again before it counts as unreachable. An unresponsive one is not.
    const state = await reread(
      () => readReplicaState(replica),
      (error) => isConflict(error) || (isConnectionError(error) && performance.now() - began < lateMs),
    ).catch((error: unknown) => {
      if (!isConnectionError(error)) throw error
      take({ status: 'away', reason: 'cannot be reached' }, error)
    })
    if (!state) return
    const requested = performance.now()
    const given = await readPrimaryState(primary).catch((error: unknown) => {
      // In a failover the replica becomes a primary while the former one is unreachable.
      const reason = whyNoStandby(state)
      if (reason !== undefined) take({ status: 'refused', reason })
      throw error
    })
    const at = performance.now()
    const why = whyNoReplica(state, given)
    if (why !== undefined) return take({ status: 'refused', reason: why })
    const replayed = state.replayed!
    if (!(await isOfThisPrimary(replayed)))
      return take({ status: 'refused', reason: 'follows another server: it lacks what this process wrote' })

    const sinceReplayed = state.replayedAt === null ? 0 : Math.max(0, given.now - state.replayedAt)
    lag.see(given.written, at, isLagSeen ? at : at - sinceReplayed)
    isLagSeen = true
    lookAtClocks(given.now - (requested + at) / 2 - (state.now - (began + requested) / 2), (at - began) / 2)
    const lagBytes = Number(given.written - replayed)
    take({ status: 'following', lagBytes, lagMs: lag.behindMs(replayed, at), isPaused: state.isPaused })
  }

  /** `error`: possible error of the difference, as the query took time. */
  function lookAtClocks(behind: number, error: number): void {
    const before = clockBehindMs
    clockBehindMs = behind > error ? behind : 0
    if (clockBehindMs > oddClockMs && before <= oddClockMs)
      log.warn({ host, behindMs: Math.round(behind) }, 'read replica clock is behind the primary')
  }

  return {
    status: () => found,
    isProven: () => isProven,
    clockBehindMs: () => clockBehindMs,
    look,
    async watch(signal) {
      async function step(): Promise<'idle'> {
        await look().catch((error: unknown) => {
          // The primary is unreachable, which shows nothing about the replica.
          if (!isConnectionError(error)) throw error
        })
        return 'idle'
      }
      await run({ name: 'watch replica', step, idleMs: watchMs, signal, log })
    },
  }
}
