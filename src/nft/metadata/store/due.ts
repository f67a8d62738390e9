/** The due tokens of a collection are read by priority, the greatest first; within one priority those due longest come first. */
export const duePriority = {
  /** Never read, old when a client requested its record, or tried again after a failure. */
  none: 0,
  /** Found by a sweep: one of many ids that were said to have changed. */
  swept: 1,
  /** Named by an event of its contract, or by a client. */
  named: 2,
} as const

/** All priorities, the greatest first. */
export const duePriorities = [duePriority.named, duePriority.swept, duePriority.none] as const

/**
 * SQL for a time as `metadata_due.due_at` keeps it: in whole milliseconds, as a Date has no more digits. So a `due_at` that this program
 * read still equals the one in the row. Every expression that becomes a `due_at` is cut by this.
 */
export const dueAt = (time: string) => `date_trunc('milliseconds', ${time})`

/** SQL for now as a time that a token is due. */
export const dueNow = dueAt('now()')

/** SQL for when a token is due that was last tried at `triedAt` and then rests for `pause`; now, where either is null. */
export const dueAfter = (triedAt: string, pause: string) => dueAt(`greatest(now(), ${triedAt} + ${pause})`)

const sinceEpoch = (time: string) => `${time} - timestamptz '1970-01-01 00:00:00Z'`

/**
 * The same for an UPDATE of rows on a cluster: each of its steps gives the same in any time zone. Now is worked out within its SELECT, as Citus
 * computes an operation on `(SELECT now())` by itself where the statement goes to one shard, and cannot.
 */
export const dueAfterIn = (triedAt: string, pause: string) =>
  `to_timestamp(floor(extract(epoch FROM greatest((SELECT ${sinceEpoch('now()')}), ${sinceEpoch(triedAt)} + ${pause})) * 1000) / 1000)`

/** The longest pause of a dead host, and of a token that its contract announces although its metadata stays as it is. */
export const longestPauseMs = 3_600_000

const longestSeconds = longestPauseMs / 1_000

/** SQL for an interval longer than any pause: metadata that is unchanged after so long does not lengthen the next pause. */
export const beyondPauses = `interval '${2 * longestSeconds} seconds'`

/** SQL for how long a token that waits for a dead host is not read again, whatever its contract announces. */
export const parkedPause = `interval '${longestSeconds} seconds'`

/** Most doublings of a pause: with so many even a cool-off of 4 ms reaches the longest pause. */
export const mostUnchanged = 20

/**
 * SQL of the cool-off of a token: the time after a read in which announcements of its contract start no other read. It doubles with each unchanged
 * read in a row. Both parameters are SQL; `coolOffMs` is in milliseconds, `unchanged` a count.
 */
export function announcedPause(coolOffMs: string, unchanged: string): string {
  const coolOff = `${coolOffMs}::float8 / 1000`
  return `make_interval(secs => greatest(${coolOff}, least(${longestSeconds}, ${coolOff} * 2 ^ ${unchanged})))`
}

/**
 * How long metadata is not requested again after a failure, in milliseconds, where `attempts` failures in a row came before it. Each failure takes
 * the next of the delays, and from the last one on that one. A delay is moved by up to a twentieth, so that tokens of one host
 * do not come together again, and is never shorter than the host requested.
 */
export function retryDelay(
  delaysMs: readonly number[],
  attempts: number,
  retryAfterMs: number | undefined,
  random: () => number = Math.random,
): number {
  const delay = delaysMs[Math.min(attempts, delaysMs.length - 1)] ?? 0
  return Math.max(Math.round(delay * (0.95 + random() / 10)), retryAfterMs ?? 0)
}
