/** How often a line was to be written again, and within how many seconds. */
export type Again = (more: number, seconds: number) => void

/** A line of the log as far as it may be said again. */
export type RepeatedLine = {
  /** Lines of one topic are told together, the latest last, so that what was told last is what holds. */
  topic: string
  /** The same for lines that say the same. */
  key: string
  /** What was counted of the topic is told before this line is. */
  ends: boolean
}

/** Lines that say again what was said a moment ago are counted. */
export type Repeats = {
  /** Whether a line is to be written. Where it is not, `again` of the last one is called once its window is over. */
  isNew(line: RepeatedLine, again: Again): boolean
  /** Tells at once what was counted. */
  flush(): void
}

/** Beyond so many different lines at once nothing is counted any more. */
const mostKeys = 1_000

type Counted = { more: number; again: Again }

/** `lines` by key, the one met last at the end. */
type Window = { since: number; lines: Map<string, Counted>; timer: NodeJS.Timeout }

/** A line is written once in each window of `windowMs`, and at its end how often it was not. */
export function createRepeats(windowMs: number): Repeats {
  const windows = new Map<string, Window>()
  let keys = 0

  function open(topic: string, lines: Window['lines']): Window {
    const window = { since: performance.now(), lines, timer: setTimeout(close, windowMs, topic).unref() }
    windows.set(topic, window)
    return window
  }

  /** Whether there was anything to tell. */
  function tell({ since, lines }: Window): boolean {
    const counted = [...lines.values()].filter(({ more }) => more > 0)
    const seconds = Math.round((performance.now() - since) / 1_000)
    for (const line of counted) {
      line.again(line.more, seconds)
      line.more = 0
    }
    return counted.length > 0
  }

  function close(topic: string): void {
    const window = windows.get(topic)
    if (!window) return
    windows.delete(topic)
    clearTimeout(window.timer)
    // What goes on is told once a window.
    if (tell(window)) open(topic, window.lines)
    else keys -= window.lines.size
  }

  return {
    isNew({ topic, key, ends }, again) {
      const known = windows.get(topic)
      const line = known?.lines.get(key)
      if (known && line) {
        known.lines.delete(key)
        known.lines.set(key, { more: line.more + 1, again })
        return false
      }
      if (known && ends) tell(known)
      if (keys < mostKeys) {
        const window = known ?? open(topic, new Map())
        window.lines.set(key, { more: 0, again })
        keys += 1
      }
      return true
    },
    flush() {
      for (const window of windows.values()) {
        tell(window)
        clearTimeout(window.timer)
      }
      windows.clear()
      keys = 0
    },
  }
}
