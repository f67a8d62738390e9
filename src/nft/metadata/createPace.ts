import { setImmediate } from 'node:timers/promises'

/** Resolves when the next piece of work may be done. */
export type Pace = () => Promise<void>

/**
 * For all who work on documents in this process together: after `breathMs` of it everything else of the process has its
 * turn, and where one document takes longer than that, after each.
 */
export function createPace(breathMs = 5): Pace {
  let began = Number.NEGATIVE_INFINITY
  let pause: Promise<void> | undefined

  async function rest(): Promise<void> {
    await setImmediate()
    began = performance.now()
    pause = undefined
  }

  return async () => {
    while (performance.now() - began >= breathMs) {
      pause ??= rest()
      await pause
    }
  }
}
