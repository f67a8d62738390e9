/** Resolves when the next piece of work may be done; the work is what comes right after the await, up to the next one. */
export type Pace = () => Promise<void>

export type PaceOptions = {
  /** Work in one go, in milliseconds. */
  breathMs?: number
  /** True while requests need all the time there is. */
  isBusy?: () => boolean
  /** Pieces of work in a second while that is so: a fortieth of one core. */
  busyRate?: number
}

const sliceMs = 20

/**
 * For all who work on documents in this process together: after `breathMs` of it everything else of the process has its
 * turn, and where one document takes longer than that, after each. While requests take all the time there is, documents
 * wait for `busyRate`, so that pages are read as fast as without them.
 */
export function createPace(options: PaceOptions = {}): Pace {
  const { breathMs = 5, isBusy = () => false, busyRate = 125 } = options
  const waiting: (() => void)[] = []
  let next = 0
  let began = Number.NEGATIVE_INFINITY
  let left = 0
  let admitting = false

  /** One, and then the next in a microtask of its own: the work of the one before it is done by then, and its time known. */
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
    const rested = () => {
      left = busy ? (busyRate * sliceMs) / 1_000 : Number.POSITIVE_INFINITY
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
