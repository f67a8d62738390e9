/** How often a line was to be written again, and within how many seconds. */
export type Again = (more: number, seconds: number) => void

/** Lines that say again what was said a moment ago are counted. */
export type Repeats = {
  /** Whether a line is to be written. Where it is not, `again` of the last one is called once its window is over. */
  isNew(key: string, again: Again): boolean
  /** Tells at once what was counted. */
  flush(): void
}

/** Beyond so many different lines at once nothing is counted any more. */
const mostKeys = 1_000

/** A line is written once in each window of `windowMs`, and at its end how often it was not. */
export function createRepeats(windowMs: number): Repeats {
  const windows = new Map<string, { more: number; since: number; again: Again; timer: NodeJS.Timeout }>()

  function open(key: string, again: Again): void {
    windows.set(key, { more: 0, since: performance.now(), again, timer: setTimeout(close, windowMs, key).unref() })
  }

  function close(key: string): void {
    const window = windows.get(key)
    if (!window) return
    windows.delete(key)
    clearTimeout(window.timer)
    if (window.more === 0) return
    window.again(window.more, Math.round((performance.now() - window.since) / 1_000))
    // What goes on is told once a window.
    open(key, window.again)
  }

  return {
    isNew(key, again) {
      const window = windows.get(key)
      if (!window) {
        if (windows.size < mostKeys) open(key, again)
        return true
      }
      window.more += 1
      window.again = again
      return false
    },
    flush() {
      for (const key of [...windows.keys()]) close(key)
      for (const { timer } of windows.values()) clearTimeout(timer)
      windows.clear()
    },
  }
}
