export type RetryDelayOptions = {
  /** Delays before further attempts, in milliseconds. */
  delaysMs: readonly number[]
  /** Retry-After of a 429 or 503, in milliseconds. */
  retryAfterMs: number | undefined
  /** Time since the first attempt of the delivery, in milliseconds. */
  sinceFirstMs: number
  /**
   * How long after the first attempt a response with Retry-After does not count against the schedule, in milliseconds.
   */
  postponeForMs: number
  /** From 0 to below 1. */
  random: number
}

export type RetryDelay = {
  /** Milliseconds until the next attempt; undefined: the schedule is used up. */
  ms: number | undefined
  /** The failed attempt does not count against the schedule. */
  postponed: boolean
}

/** Shortest wait that a receiver can request. */
const shortestMs = 1_000

/**
 * Delay after a failed attempt. `used`: delays of the schedule that the delivery used before. The scheduled delay
 * varies by a tenth, so that webhooks that failed together are not retried together. With Retry-After, the longer delay
 * wins, and for `postponeForMs` after the first attempt the schedule does not advance.
 */
export function retryDelay(used: number, options: RetryDelayOptions): RetryDelay {
  const { delaysMs, retryAfterMs, sinceFirstMs, postponeForMs, random } = options
  const postponed = retryAfterMs !== undefined && sinceFirstMs < postponeForMs && delaysMs.length > 0
  const delay = postponed ? delaysMs[Math.min(used, delaysMs.length - 1)] : delaysMs[used]
  if (delay === undefined) return { ms: undefined, postponed }
  const scheduled = Math.max(1, Math.round(delay * (0.9 + random / 5)))
  const requested = retryAfterMs === undefined ? 0 : Math.round(Math.max(shortestMs, retryAfterMs) * (1 + random / 10))
  return { ms: Math.max(scheduled, requested), postponed }
}
