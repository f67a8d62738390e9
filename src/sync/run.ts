import { MintmarkError } from '../errors.ts'
import type { Log } from '../log.ts'
import { isInputFault } from '../util/faults/inputFault.ts'
import { outageOf } from '../util/faults/outage.ts'
import { createWaker, type Waker } from '../util/wait.ts'

export type RunOptions = {
  name: string
  /** What it works on, in each of its lines in the log. */
  about?: { chain?: bigint; network?: string }
  /** Does one piece of work. `idle`: there was nothing to do. */
  step: (signal: AbortSignal) => Promise<'moved' | 'idle'>
  /** Longest rest after an idle step. */
  idleMs: number
  waker: Waker
  signal: AbortSignal
  log: Log
  /** Called after a failed step, before the next one. */
  onError?: (error: unknown) => Promise<void>
}

/** Longest pause between two failing steps. */
const longestPauseMs = 30_000

/** The same after faults that the same input brings about again: reached after some twenty of them, in two hours. */
const longestInputPauseMs = 3_600_000

/**
 * Steps until the signal aborts: at once while there is work, after a rest while there is none, ever later while it fails. A pause
 * after a fault of a source ends as soon as the loop is woken; one after a fault that the input brings about again does not. The log has
 * a line when the loop fails, counts while it does so for the same reason, and another one when it goes on.
 */
export async function run(options: RunOptions): Promise<void> {
  const { name, about, step, idleMs, waker, signal, onError } = options
  const log = options.log.child({ ...about, loop: name })
  const alone = createWaker()
  /** When the first of the faults that are in the log was met, on the clock of performance.now(). */
  let toldSince: number | undefined
  let failures = 0
  /** Of those the last ones in a row that the input brings about again: how long a source was away says nothing about the input. */
  let inputFaults = 0
  while (!signal.aborted) {
    try {
      const outcome = await step(signal)
      if (toldSince !== undefined)
        log.info({ failures, seconds: Math.round((performance.now() - toldSince) / 1_000) }, 'loop goes on')
      toldSince = undefined
      failures = 0
      inputFaults = 0
      if (outcome === 'idle') await waker.wait(idleMs, signal)
    } catch (error) {
      if (signal.aborted) return
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
      if (outageOf(error) === undefined) toldSince ??= performance.now()
      await onError?.(error).catch((err: unknown) => log.warn({ err }, 'fault could not be recorded'))
      await (repeats ? alone : waker).wait(pause, signal)
    }
  }
}
