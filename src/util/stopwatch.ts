/** A pausable timer. */
export type Stopwatch = { goOn(): void; pause(): void; isOver(): boolean }

/** Calls `onOver` once it has run for `ms`; it is paused at first and between `pause` and `goOn`. */
export function createStopwatch(ms: number, onOver: () => void): Stopwatch {
  let left = ms
  let since = 0
  let timer: NodeJS.Timeout | undefined
  let over = false
  return {
    goOn() {
      since = performance.now()
      timer = setTimeout(() => {
        over = true
        onOver()
      }, left)
    },
    pause() {
      if (timer === undefined) return
      clearTimeout(timer)
      timer = undefined
      left = Math.max(0, left - (performance.now() - since))
    },
    isOver: () => over,
  }
}
