import type { Waker } from '../util/wait.ts'
import { type RunOptions, run } from './run.ts'

/** A loop's running tasks by name, each with the loop's data about it. */
export type UnderWay<Name, About> = ReadonlyMap<Name, About>

export type Begin<Name, About> = (name: Name, about: About, work: () => Promise<void>) => void

export type ScheduleOptions<Name, About> = Omit<RunOptions, 'step'> & {
  waker: Waker
  /** Key for which the end of a task wakes the loop; default: all. */
  keyOf?: (about: About) => bigint
  /**
   * Searches for due work and starts as many tasks as fit. A task runs until its `work` has ended; then the loop searches again. `rested`: no task
   * ended since the last search, and nothing woke the loop.
   */
  look: (underWay: UnderWay<Name, About>, begin: Begin<Name, About>, rested: boolean) => Promise<'moved' | 'idle'>
}

/** Runs a loop that searches for due work and runs several tasks in parallel, each once. Ends with the signal, once the running tasks have ended. */
export async function schedule<Name, About>(options: ScheduleOptions<Name, About>): Promise<void> {
  const { look, keyOf, waker } = options
  const underWay = new Map<Name, About>()
  const ends = new Set<Promise<void>>()

  function begin(name: Name, about: About, work: () => Promise<void>): void {
    underWay.set(name, about)
    const end = work().finally(() => {
      underWay.delete(name)
      ends.delete(end)
      waker.wake(keyOf?.(about))
    })
    ends.add(end)
  }

  await run({ ...options, step: (_, rested) => look(underWay, begin, rested) })
  await Promise.all(ends)
}

/**
 * Whether a time slice of `ms` milliseconds is over, or the signal has aborted. The time starts with the first call. A slice calls it before each
 * task, so it does at least one, however slow a node was before.
 */
export function createSlice(ms: number, signal: AbortSignal): () => boolean {
  let end: number | undefined
  return () => {
    if (signal.aborted) return true
    const now = performance.now()
    end ??= now + ms
    return now > end
  }
}
