/** Of a collection's tokens that are due those of the greatest priority are read first, and of one priority those due longest. */
export const duePriority = {
  /** Never read, seen when it was old, or tried again. */
  none: 0,
  /** One of many ids that were said to have changed. */
  swept: 1,
  /** Named by an event of its contract, or asked for by a client. */
  named: 2,
} as const

/** All of them, the first one first. */
export const duePriorities = [duePriority.named, duePriority.swept, duePriority.none] as const

/**
 * SQL for a time as `metadata_due.due_at` keeps it: in whole milliseconds, so that a time that went through this program, whose dates have
 * no more, is still the one in the row. Every expression that becomes a `due_at` is cut by this.
 */
export const dueAt = (time: string) => `date_trunc('milliseconds', ${time})`

/** SQL for now as a time that a token is due. */
export const dueNow = dueAt('now()')

/** SQL for when a token is due that was tried at a time and is left alone for a pause from then on; a null among them: now. */
export const dueAfter = (triedAt: string, pause: string) => dueAt(`greatest(now(), ${triedAt} + ${pause})`)

/** Once an hour at least a dead host is tried, and a token that came back as it was is read when its contract announces it. */
export const longestPauseMs = 3_600_000

const longestSeconds = longestPauseMs / 1_000

/** SQL for an interval longer than any pause: what came back as it was after that is no sign of a storm. */
export const beyondPauses = `interval '${2 * longestSeconds} seconds'`

/** SQL for how long a token that waits for a dead host is left alone whatever its contract announces. */
export const parkedPause = `interval '${longestSeconds} seconds'`

/** Doublings that are counted; even a cool-off of 4 ms has reached the longest pause by then. */
export const mostUnchanged = 20

/**
 * SQL for how long a token that was read is left alone whatever its contract announces: the cool-off, twice as long with each
 * time in a row (`unchanged`) that it came back as it was. Both are expressions; the first one is in milliseconds.
 */
export function announcedPause(coolOffMs: string, unchanged: string): string {
  const coolOff = `${coolOffMs}::float8 / 1000`
  return `make_interval(secs => greatest(${coolOff}, least(${longestSeconds}, ${coolOff} * 2 ^ ${unchanged})))`
}
