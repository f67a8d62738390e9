/** Detects when this thread delays many waiting users. It checks only while something arrives, so an idle process never wakes up for it. */
export type Arrivals<Kind extends string> = {
  /** Something arrived that somebody waits for. */
  count(kind: Kind): void
  close(): void
}

/** Interval of a timer: arrivals while the thread is busy wait as long as a due timer. */
const sampleMs = 10

/** A timer is never exact to the millisecond. */
const punctualMs = 5

/** Period over which arrivals and delays are added up and judged. */
const windowMs = 500

/** Arrivals in that time, of one kind, that count as many: 100 a second. A short delay does not matter to a single visitor. */
const many = 50

/** Total delay in that time that counts as late: a fiftieth of it, so that more than one in a hundred waited. */
const lateMs = 10

/** `onLate` gets each kind with many delayed arrivals, and the ratio of the time for which the thread was late. */
export function watchArrivals<Kind extends string>(onLate: (kind: Kind, lateShare: number) => void): Arrivals<Kind> {
  let arrived = new Map<Kind, number>()
  let timer: NodeJS.Timeout | undefined
  let since = 0
  let dueAt = 0
  let delayed = 0

  function wait(): void {
    dueAt = performance.now() + sampleMs
    timer = setTimeout(sample, sampleMs)
    timer.unref()
  }

  function begin(): void {
    arrived = new Map()
    delayed = 0
    since = performance.now()
    wait()
  }

  function sample(): void {
    const now = performance.now()
    delayed += Math.max(0, now - dueAt - punctualMs)
    if (now - since < windowMs) {
      wait()
      return
    }
    timer = undefined
    if (delayed >= lateMs) for (const [kind, count] of arrived) if (count >= many) onLate(kind, delayed / (now - since))
    if (arrived.size > 0) begin()
  }

  return {
    count(kind) {
      if (!timer) begin()
      arrived.set(kind, (arrived.get(kind) ?? 0) + 1)
    },
    close() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
