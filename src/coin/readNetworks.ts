import { AptosSourcesError, AptosUnresponsiveError } from '../chain/aptos/aptosError.ts'
import type { Database } from '../db/database.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { backfill } from '../sync/backfill.ts'
import { type BlockRange, gapsOf } from '../sync/blockRange.ts'
import type { Leases } from '../sync/leases/lease.ts'
import { run } from '../sync/run.ts'
import { MintmarkError } from '../util/errors.ts'
import { larger } from '../util/extremes.ts'
import { shownReason } from '../util/faults/shownReason.ts'
import type { Log } from '../util/log.ts'
import { createWaker } from '../util/wait.ts'
import type { WorkPriority } from '../util/workPriority.ts'
import type { CommitOptions } from './commitVersions.ts'
import { commitVersions, NetworkLostError } from './commitVersions.ts'
import type { Network } from './createNetwork.ts'
import { createFaultyRanges, RangeFaultError, workOn } from './faultyRanges.ts'
import { followNetwork } from './followNetwork.ts'
import { noteNetworkFailure, readNetworkRow } from './networkStore.ts'
import { readRange } from './readRange.ts'

export type ReadNetworksOptions = {
  networks: readonly Network[]
  leases: Leases
  db: Database
  workPriority: Pick<WorkPriority, 'schedule'>
  metrics: Metrics
  log: Log
  signal: AbortSignal
}

/** Reads every network whose lease this process holds: first history, then the head. Ends with the signal. */
export async function readNetworks(options: ReadNetworksOptions): Promise<void> {
  await Promise.all(options.networks.map((network) => readNetwork(options, network)))
}

async function readNetwork(options: ReadNetworksOptions, network: Network): Promise<void> {
  const { leases, db, workPriority, metrics, log, signal } = options
  const worker = () => (leases.held('aptos').has(BigInt(network.id)) ? leases.workerId() : undefined)
  const faulty = createFaultyRanges({ log: log.child({ network: network.name }) })
  const commitOptions = { network, db, metrics, worker, skipped: faulty.reason }
  const waker = createWaker()
  let head: bigint | undefined
  let failures = 0

  async function step(): Promise<'moved' | 'idle'> {
    if (worker() === undefined) return 'idle'
    head ??= (await network.check(signal)).head
    const row = await readNetworkRow(db, network.id)
    const next = (row.toVersion ?? row.fromVersion - 1n) + 1n
    const known = row.headVersion !== null && row.headVersion > head ? row.headVersion : head
    const gaps = gapsOf({ from: next, to: known }, row.coverage)
    const toRead = faulty.without(gaps)
    const skippedTo = faulty.end()
    const beyond = skippedTo !== undefined || row.coverage.some(({ from }) => from > next)
    if (toRead.length > 0 && (beyond || known - next >= network.rangeWidth)) {
      await readHistory(commitOptions, toRead)
      return 'moved'
    }
    if (skippedTo === undefined) return follow(next, known)
    // Everything else up to the head is read: continue after it.
    const ends = [known + 1n, skippedTo, ...row.coverage.map(({ to }) => to + 1n)]
    return follow(ends.reduce(larger), known)
  }

  async function readHistory(commit: CommitOptions, gaps: { from: bigint; to: bigint }[]): Promise<void> {
    await backfill({
      gaps,
      inFlight: network.rangesInFlight,
      width: () => network.rangeWidth,
      read: async (range, stopped) => ({
        batch: await unlessFaulty(range, () => readRange({ network, metrics, log }, range, stopped)),
        to: range.to,
      }),
      commit: async (range, batch, afterPrevious) => {
        await afterPrevious()
        if (!batch) return
        await unlessFaulty(range, async () => {
          await commitVersions(commit, range, { ...batch, live: false })
          faulty.forget(range)
        })
      },
      schedule: (work, stopped) => workPriority.schedule('coins', stopped, work),
      isOver: () => worker() === undefined,
      signal,
    })
  }

  /** Undefined if the range causes an error of this program: the error is recorded, and other ranges continue. */
  async function unlessFaulty<T>(range: BlockRange, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await workOn(range, work)
    } catch (error) {
      if (!(error instanceof RangeFaultError)) throw error
      await noteFaulty(error)
      return undefined
    }
  }

  async function noteFaulty(error: RangeFaultError): Promise<void> {
    faulty.note(error)
    const failure = faulty.reason() ?? `${error.message}: ${shownReason(error.cause)}`
    await noteNetworkFailure(db, network.id, { worker: worker(), failure })
  }

  /** Follows the head from `from`. A stream that broke after returning versions is reopened immediately. */
  async function follow(from: bigint, known: bigint): Promise<'moved' | 'idle'> {
    let reached = from - 1n
    const startedAt = performance.now()
    const onProgress = (to: bigint) => {
      reached = to
      failures = 0
      faulty.forget({ from, to })
    }
    try {
      await followNetwork({ ...commitOptions, log, onProgress }, from, signal)
      return 'moved'
    } catch (error) {
      if (signal.aborted || error instanceof NetworkLostError) return 'idle'
      if (error instanceof RangeFaultError) {
        await noteFaulty(error)
        return 'moved'
      }
      if (!(error instanceof MintmarkError) || !error.retryable) throw error
      metrics.aptosFaults.inc({ network: network.name, code: error.code })
      if (isUnanswered(error)) throw error
      // If nothing is known to be missing, a stream that lasted for a while was good.
      const quiet = performance.now() - startedAt > 5_000 && reached >= known
      if (reached < from && !quiet) throw error
      log.debug({ network: network.name, err: error, reached: String(reached) }, 'aptos stream reopened')
      return 'moved'
    }
  }

  await run({
    name: 'coins',
    about: { network: network.name },
    step,
    idleMs: 250,
    waker,
    signal,
    log,
    async onError(error) {
      failures += 1
      // Finding the head takes seconds, so a broken stream is first simply reopened; a stalled one may hide the head.
      const passing = error instanceof MintmarkError && error.retryable && !isUnanswered(error)
      if (!passing || failures % 5 === 0) head = undefined
      if (error instanceof NetworkLostError) return
      await noteNetworkFailure(db, network.id, { worker: worker(), failure: shownReason(error) })
    },
  })
}

/** Whether no source responded to the request for the head, which is more than a broken stream. */
function isUnanswered(error: unknown): boolean {
  return error instanceof AptosUnresponsiveError || error instanceof AptosSourcesError
}
