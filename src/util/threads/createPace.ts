/** Resolves when the next task may run; a task is the code after the await, up to the next one. */
export type Pace = () => Promise<void>

export type PaceOptions = {
  /** Milliseconds of work before other work of the process runs. */
  breathMs?: number
  /** True while requests need all time of this process. */
  isBusy?: () => boolean
  /** Tasks per second while `isBusy`. */
  busyRate?: () => number
  /** Called with each pause while `isBusy`, in milliseconds. */
  onWaited?: (ms: number) => void
}

const sliceMs = 20

/** Tasks per second that hardly delay requests: a fortieth of a core. */
export const leastRate = 125

/** Tasks per second of which background work gets a share under load. */
export const wholeRate = 1_000

/**
 * Paces work of the main thread: after `breathMs` of it, or after a task that takes longer, other work runs. While urgent work needs all the time, it
 * is limited to `busyRate`, so that pages are as fast as without it.
 */
export function createPace(options: PaceOptions = {}): Pace {
  const { breathMs = 5, isBusy = () => false, busyRate = () => leastRate, onWaited } = options
  const waiting: (() => void)[] = []
  let began = Number.NEGATIVE_INFINITY
  let remaining = 0
  let admitting = false

  /** Starts one task, and the next one in its own microtask: by then the first is done and its time known. */
  function admit(): void {
    if (waiting.length === 0) admitting = false
    else if (remaining <= 0 || performance.now() - began >= breathMs) pause()
    else {
      remaining--
      waiting.shift()!()
      queueMicrotask(admit)
    }
  }

  function pause(): void {
    const busy = isBusy()
    const since = performance.now()
    const rested = () => {
      if (busy) onWaited?.(performance.now() - since)
      remaining = busy ? (busyRate() * sliceMs) / 1_000 : Number.POSITIVE_INFINITY
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
