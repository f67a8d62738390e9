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
