import type { Database } from '../../db/database.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import type { Log } from '../../util/log.ts'
import { createWaker, type Waker } from '../../util/wait.ts'
import { changeStream } from '../definition/changeStream.ts'
import { deleteAllAddresses, findOrphanedAddresses } from '../definition/streamAddresses.ts'
import { countStreams, readStream } from '../definition/streamStore.ts'
import { checkLedger } from '../ledger/checkLedger.ts'
import { dropQueued } from '../ledger/streamState.ts'
import type { Clock } from './attempt/createAttempt.ts'
import { stopOverfull } from './stopStreams.ts'

export type WatchOptions = {
  db: Database
  leases: Pick<Leases, 'held'>
  log: Log
  metrics: Pick<Metrics, 'webhooks' | 'webhooksPending' | 'webhookDifference' | 'streams'>
  clock: Clock
  settings: { maxQueued: number; terminateAfterMs: number; probeDelaysMs: readonly number[] }
  signal: AbortSignal
}

const everyMs = 1_000

/** A task and the rounds between its runs. */
type Task = { work(options: WatchOptions): Promise<void>; every: number }

const tasks: readonly Task[] = [
  { work: stopFull, every: 1 },
  { work: terminateOld, every: 1 },
  { work: check, every: 5 },
  // Addresses of deleted streams, whose deletion was interrupted.
  { work: sweep, every: 3_600 },
]

/** A slow task pauses this many times as long as it takes, so it uses at most two percent of the database's time. */
const pausePerWork = 50
/** Longest pause of a slow task, in rounds. */
const longestPause = 60

/**
 * Stops streams with too many pending webhooks, and terminates streams that are in error for too long. Checks the
 * ledger's sums, and deletes addresses of deleted streams. The search for full streams reads rows of every stream, and
 * the check also reads the whole queue, so both run less often in a large database.
 */
export function watchStreams(options: WatchOptions): { wake: Waker['wake']; done: Promise<void> } {
  const { log, signal } = options
  const waker = createWaker()
  const states = tasks.map((task) => ({ ...task, next: 0, lastMs: 0 }))

  async function runDue(round: number): Promise<void> {
    for (const state of states) {
      const { work, every, next, lastMs } = state
      if (round < next) continue
      state.next = round + every
      const began = performance.now()
      await work(options)
      state.lastMs = performance.now() - began
      // The shorter of two runs: a single slow one may have waited for something else.
      const pause = Math.ceil((pausePerWork * Math.min(lastMs, state.lastMs)) / everyMs)
      state.next = round + Math.max(every, Math.min(pause, longestPause))
    }
  }

  async function runRounds(): Promise<void> {
    for (let round = 0; !signal.aborted; round++) {
      try {
        await runDue(round)
      } catch (err) {
        if (!signal.aborted) log.warn({ err }, 'stream status check failed')
      }
      await waker.wait(everyMs, signal)
    }
  }
  return { wake: waker.wake, done: runRounds() }
}

async function stopFull({ db, leases, clock, settings }: WatchOptions): Promise<void> {
  const rows = await db.rows<[number, string]>(
    `SELECT m.partition, m.stream_id::text FROM (
       SELECT partition, stream_id, sum(matched - dropped) AS owed FROM webhook_matched WHERE partition = ANY($1::smallint[]) GROUP BY 1, 2) m
     LEFT JOIN webhook_delivered d USING (partition, stream_id)
     WHERE m.owed - coalesce(d.delivered + d.failed_for_good + d.dropped, 0) > $2`,
    [[...leases.held('delivery')], settings.maxQueued],
  )
  if (rows.length === 0) return
  const streams = rows.map(([partition, streamId]) => ({ partition, streamId }))
  const when = { now: new Date(clock()), probeMs: settings.probeDelaysMs[0] }
  await db.transaction((tx) => stopOverfull(tx, streams, settings.maxQueued, when))
}

async function terminateOld({ db, leases, log, clock, settings }: WatchOptions): Promise<void> {
  const rows = await db.rows<[string]>(
    `SELECT s.id::text FROM webhook_delivered d JOIN stream s ON s.partition = d.partition AND s.id = d.stream_id
     WHERE d.partition = ANY($1::smallint[]) AND s.status = 'error' AND d.error_at < $2`,
    [[...leases.held('delivery')], new Date(clock() - settings.terminateAfterMs)],
  )
  for (const [id] of rows)
    await db.transaction(async (tx) => {
      const before = await readStream(tx, id, true)
      if (before?.status !== 'error') return
      const statusMessage = `the stream was in error for too long: ${before.statusMessage}`
      await changeStream(tx, { before, after: { ...before, status: 'terminated', statusMessage }, heads: new Map() })
      await dropQueued(tx, before, 'the stream was terminated')
      log.info({ stream: id }, 'stream terminated')
    })
}

async function sweep({ db, leases }: WatchOptions): Promise<void> {
  for (const stream of await findOrphanedAddresses(db, [...leases.held('delivery')]))
    if (leases.held('delivery').has(BigInt(stream.partition))) await deleteAllAddresses(db, stream)
}

async function check({ db, log, metrics }: WatchOptions): Promise<void> {
  const { unbalanced, pending, ...counts } = await checkLedger(db)
  // Set from the database each time, as other processes also count.
  metrics.webhooks.reset()
  for (const [state, count] of Object.entries(counts)) metrics.webhooks.inc({ state }, count)
  metrics.webhooksPending.set(pending)
  const streams = await countStreams(db)
  metrics.streams.reset()
  for (const [status, count] of Object.entries(streams)) metrics.streams.set({ status }, count)
  metrics.webhookDifference.set(unbalanced.reduce((sum, { difference }) => sum + Math.abs(difference), 0))
  if (unbalanced.length > 0) log.error({ unbalanced: unbalanced.slice(0, 10) }, 'webhook ledger inconsistent')
}
