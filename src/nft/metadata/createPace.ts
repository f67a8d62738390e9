import { setImmediate, setTimeout } from 'node:timers/promises'

/** Resolves when the next piece of work may be done. */
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
  let began = Number.NEGATIVE_INFINITY
  let left = 0
  let pause: Promise<void> | undefined

  async function rest(): Promise<void> {
    if (isBusy()) {
      await setTimeout(sliceMs)
      left = (busyRate * sliceMs) / 1_000
    } else {
      await setImmediate()
      left = Number.POSITIVE_INFINITY
    }
    began = performance.now()
    pause = undefined
  }

  return async () => {
    while (left <= 0 || performance.now() - began >= breathMs) {
      pause ??= rest()
      await pause
    }
    left--
  }
}
