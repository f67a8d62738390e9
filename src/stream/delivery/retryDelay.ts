export type RetryDelayOptions = {
  /** Waits before each further attempt, in milliseconds. */
  delaysMs: readonly number[]
  /** What the receiver asked for with 429 or 503, in milliseconds. */
  retryAfterMs: number | undefined
  /** At least 0, below 1. */
  random: number
}

/** Shortest wait that a receiver can ask for. */
const shortestMs = 1_000

/**
 * How long to wait after the `attempt`-th attempt (from 1) failed, in milliseconds; undefined: that was the last one. Retry-After
 * is kept to, and never undercut. Otherwise a tenth more or less, so that what failed together does not come back together.
 */
export function retryDelay(attempt: number, { delaysMs, retryAfterMs, random }: RetryDelayOptions): number | undefined {
  const delay = delaysMs[attempt - 1]
  if (delay === undefined) return undefined
  if (retryAfterMs !== undefined) return Math.round(Math.max(shortestMs, retryAfterMs) * (1 + random / 10))
  return Math.max(1, Math.round(delay * (0.9 + random / 5)))
}
