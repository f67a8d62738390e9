/** A pausable timer. */
export type Stopwatch = { goOn(): void; pause(): void; isOver(): boolean }

/** Calls `onOver` once it has run for `ms`; it is paused at first and between `pause` and `goOn`. */
export function createStopwatch(ms: number, onOver: () => void): Stopwatch {
  let remaining = ms
  let since = 0
  let timer: NodeJS.Timeout | undefined
  let over = false
  return {
    goOn() {
      since = performance.now()
      timer = setTimeout(() => {
        over = true
        onOver()
      }, remaining)
    },
    pause() {
      if (timer === undefined) return
      clearTimeout(timer)
      timer = undefined
      remaining = Math.max(0, remaining - (performance.now() - since))
    },
    isOver: () => over,
  }
}
