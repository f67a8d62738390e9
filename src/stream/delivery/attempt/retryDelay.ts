export type RetryDelayOptions = {
  /** Waits before each further attempt, in milliseconds. */
  delaysMs: readonly number[]
  /** What the receiver requested with 429 or 503, in milliseconds. */
  retryAfterMs: number | undefined
  /** Since the first attempt of the delivery, in milliseconds. */
  sinceFirstMs: number
  /** How long after the first attempt an answer with Retry-After uses up no wait of the schedule, in milliseconds. */
  postponeForMs: number
  /** At least 0, below 1. */
  random: number
}

export type RetryDelay = {
  /** Milliseconds until the next attempt; undefined: the schedule is used up, and there is none. */
  ms: number | undefined
  /** The failed attempt uses up no wait of the schedule. */
  postponed: boolean
}

/** Shortest wait that a receiver can request. */
const shortestMs = 1_000

/**
 * How long to wait after a failed attempt. `used`: the waits of the schedule that the delivery had used up before it. The
 * schedule's wait varies by a tenth, so that webhooks that failed together are not sent again together. If the receiver sent
 * Retry-After, the wait is the longer of both, and for `postponeForMs` after the first attempt it uses up none of the schedule.
 */
export function retryDelay(used: number, options: RetryDelayOptions): RetryDelay {
  const { delaysMs, retryAfterMs, sinceFirstMs, postponeForMs, random } = options
  const postponed = retryAfterMs !== undefined && sinceFirstMs < postponeForMs && delaysMs.length > 0
  const delay = postponed ? delaysMs[Math.min(used, delaysMs.length - 1)] : delaysMs[used]
  if (delay === undefined) return { ms: undefined, postponed }
  const scheduled = Math.max(1, Math.round(delay * (0.9 + random / 5)))
  const asked = retryAfterMs === undefined ? 0 : Math.round(Math.max(shortestMs, retryAfterMs) * (1 + random / 10))
  return { ms: Math.max(scheduled, asked), postponed }
}
