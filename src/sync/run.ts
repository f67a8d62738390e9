import { MintmarkError, outageOf } from '../util/errors.ts'
import { isInputFault } from '../util/faults/inputFault.ts'
import type { Log } from '../util/log.ts'
import { createWaker, type Waker, type WokenFor } from '../util/wait.ts'

export type RunOptions = {
  name: string
  /** The chain or network that the loop works on, in each of its lines of the log. */
  about?: { chain?: bigint; network?: string }
  /** Does one task. `idle`: the loop rests before the next one. `rested`: it has rested for `idleMs` since the last one, and nothing woke it. */
  step: (signal: AbortSignal, rested: boolean) => Promise<'moved' | 'idle'>
  /** Longest rest after an idle step. */
  idleMs: number
  /** Omitted: nothing wakes the loop. */
  waker?: Waker
  signal: AbortSignal
  log: Log
  /** Called after a failed step, before the next one. */
  onError?: (error: unknown) => Promise<void>
}

const nothing: ReadonlySet<bigint> = new Set()

/** For what a step has to look again: for all it does after a failed one, for nothing after a rest. */
export function wokenFor(waker: Waker, rested: boolean): WokenFor {
  const woken = waker.wokenFor()
  if (rested) return nothing
  return woken === 'all' || woken.size > 0 ? woken : 'all'
}

/** Longest pause between two failing steps. */
const longestPauseMs = 30_000

/** Longest pause between two steps that fail by their input (`isInputFault`): reached after some fifteen of them, in two hours. */
const longestInputPauseMs = 3_600_000

/**
 * Runs a loop until the signal aborts: steps at once while there is work, after a rest while there is none, and ever later while steps
 * fail. A pause after an error of a source ends as soon as the loop is woken; a pause after an error that the same input would bring
 * about again (`isInputFault`) does not. The log has a line when the loop fails, counts of the same failure, and a line when the
 * loop continues.
 */
export async function run(options: RunOptions): Promise<void> {
  const { name, about, step, idleMs, waker = createWaker(), signal, onError } = options
  const log = options.log.child({ ...about, loop: name })
  const alone = createWaker()
  /** When the first failure that the log has was met, on the clock of performance.now(). */
  let reportedSince: number | undefined
  /** Failures since the last step that succeeded. */
  let failures = 0
  /** The last failures in a row that are of the input: failures of a source say nothing about the input. */
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
      const [longest, inARow] = repeats ? [longestInputPauseMs, inputFaults] : [longestPauseMs, failures]
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
