/** Priorities of a collection's due tokens, highest first; within one, longest due first. */
export const tokenPriority = {
  /** Unread, stale when requested, or retried after a failure. */
  none: 0,
  /** Found by a sweep: one of many announced ids. */
  swept: 1,
  /** Announced by an event of its contract, or requested by a client. */
  named: 2,
} as const

/** All priorities, highest first. */
export const tokenPriorities = [tokenPriority.named, tokenPriority.swept, tokenPriority.none] as const

/**
 * SQL of a time for `metadata_due.due_at`: in whole milliseconds, the precision of Date. So a `due_at` that this program read equals the one in the
 * row. Every `due_at` must be truncated by this.
 */
export const dueAt = (time: string) => `date_trunc('milliseconds', ${time})`

/** SQL of the current time as a due time. */
export const dueNow = dueAt('now()')

/** SQL of the due time of a token that was last tried at `triedAt` and then pauses for `pause`; now if either is null. */
export const dueAfter = (triedAt: string, pause: string) => dueAt(`greatest(now(), ${triedAt} + ${pause})`)

const sinceEpoch = (time: string) => `${time} - timestamptz '1970-01-01 00:00:00Z'`

/**
 * The same for an UPDATE of rows on a cluster: each step is independent of the time zone. Now is computed within its SELECT, as Citus evaluates an
 * operation on `(SELECT now())` itself if the statement goes to one shard, and fails.
 */
export const dueAfterOnCluster = (triedAt: string, pause: string) =>
  `to_timestamp(floor(extract(epoch FROM greatest((SELECT ${sinceEpoch('now()')}), ${sinceEpoch(triedAt)} + ${pause})) * 1000) / 1000)`

/** Longest pause of a dead host, and of an announced token with unchanged metadata. */
export const longestPauseMs = 3_600_000

const longestSeconds = longestPauseMs / 1_000

/** SQL of an interval longer than any pause: metadata that is unchanged after this time does not lengthen the next pause. */
export const beyondPauses = `interval '${2 * longestSeconds} seconds'`

/** SQL of how long a token of a dead host is not read again, whatever its contract announces. */
export const backoffInterval = `interval '${longestSeconds} seconds'`

/** Most doublings of a pause: even a cool-off of 4 ms reaches the longest pause. */
export const mostUnchanged = 20

/**
 * SQL of a token's cool-off: the time after a read during which announcements start no other read. It doubles with each consecutive unchanged read.
 * Both parameters are SQL; `coolOffMs` is in milliseconds, `unchanged` a count.
 */
export function announcedPause(coolOffMs: string, unchanged: string): string {
  const coolOff = `${coolOffMs}::float8 / 1000`
  return `make_interval(secs => greatest(${coolOff}, least(${longestSeconds}, ${coolOff} * 2 ^ ${unchanged})))`
}

/**
 * Delay after a failure, in milliseconds, with `attempts` consecutive earlier failures. Each failure takes the next delay of the list, and finally
 * the last one. A delay varies by up to a twentieth, so that tokens of one host spread out, and is never shorter than the host requested.
 */
export function metadataRetryDelay(
  delaysMs: readonly number[],
  attempts: number,
  retryAfterMs: number | undefined,
): number {
  const delay = delaysMs[Math.min(attempts, delaysMs.length - 1)] ?? 0
  return Math.max(Math.round(delay * (0.95 + Math.random() / 10)), retryAfterMs ?? 0)
}
