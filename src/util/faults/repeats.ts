/** Logs how often a line was repeated, and within how many seconds. */
export type Again = (more: number, seconds: number) => void

/** A line of the log that may be repeated. */
export type RepeatedLine = {
  /** The counts of one topic's lines are written together, the latest line last, so that the last one is the current state. */
  topic: string
  /** The same for equal lines. */
  key: string
  /** Before this line is written, the counts of its topic are written. */
  ends: boolean
}

/** Counts lines that repeat a recent one. */
export type Repeats = {
  /** Whether to write a line. If not, it is counted: at the end of the window `again` of the last such line is called. */
  isNew(line: RepeatedLine, again: Again): boolean
  /** Writes the counts at once. */
  flush(): void
}

/** Most different lines that are counted; further ones are always written. */
const mostKeys = 1_000

type Counted = { more: number; again: Again }

/** `lines` by key, the last repeated one at the end. */
type Window = { since: number; lines: Map<string, Counted>; timer: NodeJS.Timeout }

/** Each line is written once in a window of `windowMs`, and at the end of the window its number of repeats. */
export function createRepeats(windowMs: number): Repeats {
  const windows = new Map<string, Window>()
  let keys = 0

  function open(topic: string, lines: Window['lines']): Window {
    const window = { since: performance.now(), lines, timer: setTimeout(close, windowMs, topic).unref() }
    windows.set(topic, window)
    return window
  }

  /** Writes the counts of a window. False: there were none. */
  function report({ since, lines }: Window): boolean {
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
    // An error that continues is counted in another window.
    if (report(window)) open(topic, window.lines)
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
      if (known && ends) report(known)
      if (keys < mostKeys) {
        const window = known ?? open(topic, new Map())
        window.lines.set(key, { more: 0, again })
        keys += 1
      }
      return true
    },
    flush() {
      for (const window of windows.values()) {
        report(window)
        clearTimeout(window.timer)
      }
      windows.clear()
      keys = 0
    },
  }
}
