import { performance } from 'node:perf_hooks'

/** Pauses between webhooks while requests of clients are very late. */
export type SendPace = {
  /** A webhook is sent. */
  count(): void
  /** Nothing is sent now. */
  isPaused(): boolean
  close(): void
}

/** Webhooks between two pauses. */
const sliceSize = 8

/** The longest pause: what was late may be over by then. */
const longestPauseMs = 250

/** Timers are not more exact. */
const shortestPauseMs = 1

/** `pauseMs`: how long to pause after so many milliseconds at work. `onPause`: a pause begins. `onResumed`: it has ended. */
export function createSendPace(options: {
  pauseMs: (busyMs: number) => number
  onPause: (ms: number) => void
  onResumed: () => void
}): SendPace {
  const { pauseMs, onPause, onResumed } = options
  let sent = 0
  let since = performance.eventLoopUtilization()
  let timer: NodeJS.Timeout | undefined

  return {
    count() {
      sent++
      if (sent < sliceSize) return
      sent = 0
      const busyMs = performance.eventLoopUtilization(since).active
      since = performance.eventLoopUtilization()
      const ms = Math.min(longestPauseMs, pauseMs(busyMs))
      if (ms < shortestPauseMs || timer) return
      onPause(ms)
      timer = setTimeout(() => {
        timer = undefined
        onResumed()
      }, ms)
    },
    isPaused: () => timer !== undefined,
    close: () => clearTimeout(timer),
  }
}
