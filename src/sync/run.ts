import { MintmarkError, outageOf } from '../util/errors.ts'
import { isInputFault } from '../util/faults/inputFault.ts'
import type { Log } from '../util/log.ts'
import { createWaker, type Waker, type WokenFor } from '../util/wait.ts'

export type RunOptions = {
  name: string
  /** The chain or network of the loop, in each of its log lines. */
  about?: { chain?: bigint; network?: string }
  /** Does one task. `idle`: the loop pauses before the next one. `rested`: it has paused for `idleMs` since the last one, and nothing woke it. */
  step: (signal: AbortSignal, rested: boolean) => Promise<'moved' | 'idle'>
  /** Longest pause after an idle step. */
  idleMs: number
  /** Omitted: nothing wakes the loop. */
  waker?: Waker
  signal: AbortSignal
  log: Log
  /** Called after a failed step, before the next one. */
  onError?: (error: unknown) => Promise<void>
}

const nothing: ReadonlySet<bigint> = new Set()

/** What a step must check again: everything after a failed one, nothing after a pause. */
export function wokenFor(waker: Waker, rested: boolean): WokenFor {
  const woken = waker.wokenFor()
  if (rested) return nothing
  return woken === 'all' || woken.size > 0 ? woken : 'all'
}

/** Longest pause between failing steps. */
const longestPauseMs = 30_000

/** The same while the database is unreachable: every loop continues soon after it returns. */
const longestOutageMs = 5_000

/** Longest pause between steps that fail by their input (`isInputFault`), reached after about fifteen of them, in two hours. */
const longestInputPauseMs = 3_600_000

/**
 * Runs a loop until the signal aborts: without pauses while there is work, with a pause while there is none, and with growing pauses while steps
 * fail. Waking the loop ends a pause after a source's error, but not after an error that the same input would cause again (`isInputFault`). The log
 * shows when the loop fails, the number of equal failures, and when it continues.
 */
export async function run(options: RunOptions): Promise<void> {
  const { name, about, step, idleMs, waker = createWaker(), signal, onError } = options
  const log = options.log.child({ ...about, loop: name })
  const alone = createWaker()
  /** Time of the first logged failure, on the clock of performance.now(). */
  let reportedSince: number | undefined
  /** Failures since the last successful step. */
  let failures = 0
  /** Consecutive failures by input: failures of a source prove nothing about the input. */
  let inputFaults = 0
  let rested = false
  while (!signal.aborted) {
    try {
      const outcome = await step(signal, rested)
      if (reportedSince !== undefined)
        log.info({ failures, seconds: Math.round((performance.now() - reportedSince) / 1_000) }, 'loop recovered')
      reportedSince = undefined
      failures = 0
      inputFaults = 0
      rested = outcome === 'idle' && !(await waker.wait(idleMs, signal))
    } catch (error) {
      if (signal.aborted) return
      rested = false
      failures += 1
      const repeats = isInputFault(error)
      inputFaults = repeats ? inputFaults + 1 : 0
      const longestOfSource = outageOf(error) === 'database' ? longestOutageMs : longestPauseMs
      const [longest, inARow] = repeats ? [longestInputPauseMs, inputFaults] : [longestOfSource, failures]
      const pause = Math.min(longest, 100 * 2 ** Math.min(inARow, 20)) * (0.75 + Math.random() / 2)
      const expected = error instanceof MintmarkError && error.retryable
      log[expected && failures < 5 ? 'warn' : 'error'](
        { err: error, failures, pauseMs: Math.round(pause) },
        'loop failed',
      )
      if (outageOf(error) === undefined) reportedSince ??= performance.now()
      await onError?.(error).catch((err: unknown) => log.warn({ err }, 'error not recorded'))
      await (repeats ? alone : waker).wait(pause, signal)
    }
  }
}
