import { type Database, joinByKeys } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/databaseError.ts'
import { writeByHalves } from '../../util/faults/writeByHalves.ts'
import type { Log } from '../../util/log.ts'
import { createWaker } from '../../util/wait.ts'
import type { Attempt, Outcome } from '../ledger/attempt.ts'
import { settleAttempts } from '../ledger/settleAttempts.ts'
import { storePauses } from '../ledger/urlPauses.ts'
import { type WriteAttempts, writeAttempts, writeNewAttempts } from '../ledger/writeAttempts.ts'
import type { Clock } from './attempt/createAttempt.ts'
import { settleProbe } from './settleProbe.ts'
import { stopGoneStreams, stopUnsuccessful } from './stopStreams.ts'

export type SettlerOptions = {
  db: Database
  log: Log
  clock: Clock
  settings: { minSuccessRate: number; probeDelaysMs: readonly number[] }
  /** Called with attempts once they are in the ledger. */
  onSettled(attempts: readonly Attempt[]): void
  /** A batch took long to write. */
  onLate?: (() => void) | undefined
  signal: AbortSignal
}

/** Writes attempts to the ledger in batches; each has the attempts that arrived while the previous one was written. */
export type AttemptSettler = {
  add(attempt: Attempt): void
  /** Nothing new may be sent: too many attempts are unwritten, or the last batch failed. */
  isFull(): boolean
  /** Resolves after the signal aborts, when every attempt is written or has failed several times. */
  done: Promise<void>
}

/** Attempts per transaction, which locks the counters of their streams. */
const mostTogether = 1_000
/**
 * Most unwritten attempts: few at first, doubled with each written batch. The next process repeats attempts that this
 * one could not write. So few webhooks are sent twice while the ledger rejects writes.
 */
const pendingAttempts = { first: 64, most: 8_192 }
/** Pause between batches under load: each batch writes the counters of its streams, so larger batches cost less. */
const gatherMs = 50
const longestPauseMs = 5_000
/** Limit for the time of a batch: usually a tenth, unless the database or this process is busy. */
const lateMs = 250
/** Retention may have removed the webhook of an older attempt. */
const freshMs = 600_000
/** Replaces an error text that cannot be stored. */
const notKept = 'the error cannot be stored, see the log'

export function createAttemptSettler({
  db,
  log,
  clock,
  settings,
  onSettled,
  onLate,
  signal,
}: SettlerOptions): AttemptSettler {
  const some = createWaker()
  const many = createWaker()
  let queue: Attempt[] = []
  let writing = 0
  /** Consecutive failures of the current batch. */
  let failures = 0
  let mostPending = pendingAttempts.first

  async function write(batch: readonly Attempt[], how: WriteAttempts): Promise<void> {
    await db.transaction(async (tx) => {
      const now = new Date(clock())
      const rates = await settleAttempts(tx, batch, now, how)
      // Before the streams with a low rate, which get probes.
      const answeredGone = batch.filter(({ outcome }) => outcome.code === 410)
      if (answeredGone.length > 0) await stopGoneStreams(tx, answeredGone, now)
      const low = rates.filter(({ rate, failed }) => failed && rate < settings.minSuccessRate)
      if (low.length > 0) await stopUnsuccessful(tx, low, { now, probeMs: settings.probeDelaysMs[0] })
      for (const attempt of batch) if (attempt.probe) await settleProbe(tx, attempt, now)
    }, joinByKeys)
    await storePauses(db, batch)
  }

  /**
   * Few batches contain an attempt that is already in the ledger. So a batch is first written as if all were new, which
   * is faster.
   */
  async function settle(batch: readonly Attempt[]): Promise<void> {
    if (batch.some(({ at }) => clock() - at.getTime() > freshMs)) return write(batch, writeAttempts)
    try {
      await write(batch, writeNewAttempts)
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      await write(batch, writeAttempts)
    }
  }

  /** Returns the written attempts. If the database rejects values of one, all others are written. */
  async function settleAll(batch: readonly Attempt[]): Promise<readonly Attempt[]> {
    async function written(part: readonly Attempt[]): Promise<readonly Attempt[]> {
      await settle(part)
      return part
    }
    return (await writeByHalves(batch, written, settleBare)).flat()
  }

  /**
   * Writes a rejected attempt without its texts. If that is rejected too, it is skipped, and repeated after a restart.
   */
  async function settleBare(attempt: Attempt, err: unknown): Promise<readonly Attempt[]> {
    const { streamId, chainId, position, outcome } = attempt
    const fields = { stream: streamId, chain: chainId, position: String(position), err }
    const bare = withoutTexts(outcome)
    log.error(fields, bare ? 'webhook attempt stored without its response' : 'webhook attempt skipped')
    return bare ? settleAll([{ ...attempt, outcome: bare }]) : []
  }

  async function work(): Promise<void> {
    for (;;) {
      if (queue.length === 0) {
        if (signal.aborted) return
        await some.wait(60_000, signal)
        continue
      }
      const batch = queue.splice(0, mostTogether)
      writing = batch.length
      try {
        const began = performance.now()
        const written = await settleAll(batch)
        if (performance.now() - began > lateMs) onLate?.()
        failures = 0
        writing = 0
        mostPending = Math.min(pendingAttempts.most, mostPending * 2)
        onSettled(written)
        if (queue.length < mostTogether) await many.wait(gatherMs, signal)
      } catch (err) {
        failures += 1
        mostPending = pendingAttempts.first
        log.warn({ err, failures, attempts: batch.length }, 'webhook attempts not stored')
        // The next process that delivers repeats these attempts.
        if (signal.aborted && failures > 3) return
        queue = [...batch, ...queue]
        writing = 0
        await new Promise((resolve) => setTimeout(resolve, Math.min(longestPauseMs, 50 * 2 ** failures)))
      }
    }
  }

  return {
    add(attempt) {
      queue.push(attempt)
      if (queue.length === 1) some.wake()
      if (queue.length === mostTogether) many.wake()
    },
    isFull: () => failures > 0 || queue.length + writing >= mostPending,
    done: work(),
  }
}

/** An outcome without texts of the receiver or of errors; undefined if it has none. */
function withoutTexts(outcome: Outcome): Outcome | undefined {
  const { answer } = outcome
  const nothing = answer === undefined || answer.length === 0
  if (outcome.status === 'delivered') return nothing ? undefined : { ...outcome, answer: Buffer.alloc(0) }
  return nothing && outcome.error === notKept ? undefined : { ...outcome, error: notKept, answer: undefined }
}
