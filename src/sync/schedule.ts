import type { Waker } from '../util/wait.ts'
import { type RunOptions, run } from './run.ts'

/** The tasks that a loop has in progress, by their names, each with what the loop keeps of it. */
export type UnderWay<Name, About> = ReadonlyMap<Name, About>

export type Begin<Name, About> = (name: Name, about: About, work: () => Promise<void>) => void

export type ScheduleOptions<Name, About> = Omit<RunOptions, 'step'> & {
  waker: Waker
  /** For which key the end of a task wakes the loop; omitted: for all. */
  keyOf?: (about: About) => bigint
  /**
   * Looks for due work and starts as many tasks as fit. A task is in progress until its `work` has ended; then the loop looks again. `rested`: no
   * task ended since the last look, and nothing woke the loop.
   */
  look: (underWay: UnderWay<Name, About>, begin: Begin<Name, About>, rested: boolean) => Promise<'moved' | 'idle'>
}

/**
 * Runs a loop that looks for due work and has several pieces of it in progress, none twice. Ends with the signal, once the pieces under
 * way have ended.
 */
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
 * task, so it does at least one, however long a slow node took before.
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
