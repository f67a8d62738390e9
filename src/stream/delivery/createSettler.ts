import { type Database, isUniqueViolation, joinByKeys } from '../../db/database.ts'
import type { Log } from '../../log.ts'
import { writeByHalves } from '../../util/faults/writeByHalves.ts'
import { createWaker } from '../../util/wait.ts'
import type { Attempt, Outcome } from '../ledger/attempt.ts'
import { settleAttempts } from '../ledger/settleAttempts.ts'
import { type WriteAttempts, writeAttempts, writeNewAttempts } from '../ledger/writeAttempts.ts'
import type { Clock } from './attempt/clock.ts'
import { settleProbe } from './settleProbe.ts'
import { stopGone, stopUnsuccessful } from './stopStreams.ts'

export type SettlerOptions = {
  db: Database
  log: Log
  clock: Clock
  settings: { minSuccessRate: number; probeDelaysMs: readonly number[] }
  /** They are in the ledger now. */
  onSettled(attempts: readonly Attempt[]): void
  signal: AbortSignal
}

/** Writes attempts to the ledger, as many together as came while the last ones were written. */
export type Settler = {
  add(attempt: Attempt): void
  size(): number
  /** Resolves when the signal has aborted and everything is written, or cannot be. */
  done: Promise<void>
}

/** Rows that one transaction takes: it holds the counters of its streams for as long. */
const mostTogether = 1_000
/** While attempts keep coming, so long is waited for others: each batch writes the counters of all of its streams. */
const gatherMs = 50
const longestPauseMs = 5_000
/** What was made longer ago may be of a webhook that retention has removed since. */
const freshMs = 600_000
/** The error of an attempt whose own cannot be written. */
const notKept = 'what went wrong cannot be kept, see the log'

export function createSettler({ db, log, clock, settings, onSettled, signal }: SettlerOptions): Settler {
  const some = createWaker()
  const many = createWaker()
  let queue: Attempt[] = []
  let writing = 0

  async function write(batch: readonly Attempt[], how: WriteAttempts): Promise<void> {
    await db.transaction(async (tx) => {
      const now = new Date(clock())
      const rates = await settleAttempts(tx, batch, now, how)
      const low = rates.filter(({ rate, failed }) => failed && rate < settings.minSuccessRate)
      if (low.length > 0) await stopUnsuccessful(tx, low, { now, probeMs: settings.probeDelaysMs[0] })
      const gone = batch.filter(({ outcome }) => outcome.code === 410)
      if (gone.length > 0) await stopGone(tx, gone, now)
      for (const attempt of batch) if (attempt.probe) await settleProbe(tx, attempt, now)
    }, joinByKeys)
  }

  /** All but a few batches hold nothing that the ledger has: they are written as if they did not, and again if one did. */
  async function settle(batch: readonly Attempt[]): Promise<void> {
    if (batch.some(({ at }) => clock() - at.getTime() > freshMs)) return write(batch, writeAttempts)
    try {
      await write(batch, writeNewAttempts)
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      await write(batch, writeAttempts)
    }
  }

  /** Answers what was written. An attempt that the ledger refuses for what it holds keeps nobody else from being written. */
  async function settleAll(batch: readonly Attempt[]): Promise<readonly Attempt[]> {
    async function written(part: readonly Attempt[]): Promise<readonly Attempt[]> {
      await settle(part)
      return part
    }
    return (await writeByHalves(batch, written, settleBare)).flat()
  }

  /** Without what was answered; an attempt that is refused even so is left out, and made again after a restart. */
  async function settleBare(attempt: Attempt, err: unknown): Promise<readonly Attempt[]> {
    const { streamId, chainId, position, outcome } = attempt
    const fields = { stream: streamId, chain: chainId, position: String(position), err }
    const bare = withoutTexts(outcome)
    log.error(fields, bare ? 'attempt written without its answer' : 'attempt left out')
    return bare ? settleAll([{ ...attempt, outcome: bare }]) : []
  }

  async function work(): Promise<void> {
    let failures = 0
    for (;;) {
      if (queue.length === 0) {
        if (signal.aborted) return
        await some.wait(60_000, signal)
        continue
      }
      const batch = queue.splice(0, mostTogether)
      writing = batch.length
      try {
        const written = await settleAll(batch)
        failures = 0
        writing = 0
        onSettled(written)
        if (queue.length < mostTogether) await many.wait(gatherMs, signal)
      } catch (err) {
        failures += 1
        log.warn({ err, failures, attempts: batch.length }, 'attempts could not be settled')
        // They are made again by whoever delivers next.
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
    size: () => queue.length + writing,
    done: work(),
  }
}

/** An outcome with nothing of what others wrote; undefined where it had nothing of that. */
function withoutTexts(outcome: Outcome): Outcome | undefined {
  const { answer } = outcome
  const nothing = answer === undefined || answer.length === 0
  if (outcome.status === 'delivered') return nothing ? undefined : { ...outcome, answer: Buffer.alloc(0) }
  return nothing && outcome.error === notKept ? undefined : { ...outcome, error: notKept, answer: undefined }
}
