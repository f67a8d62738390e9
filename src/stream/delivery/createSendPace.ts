import { performance } from 'node:perf_hooks'

/** Pauses between webhooks while client requests are very late. */
export type SendPace = {
  /** Counts a sent webhook. */
  count(): void
  /** Whether sending is paused. */
  isPaused(): boolean
  close(): void
}

/** Webhooks between two pauses. */
const sliceSize = 8

/** Longest pause: the delay may be over by then. */
const longestPauseMs = 250

/** Resolution of timers. */
const shortestPauseMs = 1

/** `pauseMs`: length of the pause after this much busy time. */
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
