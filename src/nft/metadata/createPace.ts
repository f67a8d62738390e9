/** Resolves when the next task may run; the task is the code that comes right after the await, up to the next one. */
export type Pace = () => Promise<void>

export type PaceOptions = {
  /** Milliseconds of work after which other work of the process has its turn. */
  breathMs?: number
  /** True while requests need all the time of this process. */
  isBusy?: () => boolean
  /** Tasks a second while `isBusy`. */
  busyRate?: () => number
  /** Reported of each pause while `isBusy`, in milliseconds. */
  onWaited?: (ms: number) => void
}

const sliceMs = 20

/** Tasks a second that hardly delay requests: a fortieth of one core. */
export const leastRate = 125

/** Tasks a second of which background work has a share while it yields. */
export const wholeRate = 1_000

/**
 * One pace for all work on metadata in this process: after `breathMs` of it, or after any token that takes longer, everything else in
 * the process has its turn. While urgent work needs all the time, metadata is held to `busyRate`, so that pages are read as fast as
 * without them.
 */
export function createPace(options: PaceOptions = {}): Pace {
  const { breathMs = 5, isBusy = () => false, busyRate = () => leastRate, onWaited } = options
  const waiting: (() => void)[] = []
  let next = 0
  let began = Number.NEGATIVE_INFINITY
  let left = 0
  let admitting = false

  /** Lets one task begin, and the next in a microtask of its own: by then the first one is done and its time known. */
  function admit(): void {
    if (next === waiting.length) {
      waiting.length = next = 0
      admitting = false
    } else if (left <= 0 || performance.now() - began >= breathMs) rest()
    else {
      left--
      waiting[next++]!()
      // Places that were given are freed now and then: shifting each time would move all the others.
      if (next > 1_000) {
        waiting.splice(0, next)
        next = 0
      }
      queueMicrotask(admit)
    }
  }

  function rest(): void {
    const busy = isBusy()
    const since = performance.now()
    const rested = () => {
      if (busy) onWaited?.(performance.now() - since)
      left = busy ? (busyRate() * sliceMs) / 1_000 : Number.POSITIVE_INFINITY
      began = performance.now()
      admit()
    }
    if (busy) setTimeout(rested, sliceMs)
    else setImmediate(rested)
  }

  return () =>
    new Promise<void>((go) => {
      waiting.push(go)
      if (admitting) return
      admitting = true
      queueMicrotask(admit)
    })
}
