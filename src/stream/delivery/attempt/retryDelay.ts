export type RetryDelayOptions = {
  /** Waits before each further attempt, in milliseconds. */
  delaysMs: readonly number[]
  /** What the receiver asked for with 429 or 503, in milliseconds. */
  retryAfterMs: number | undefined
  /** Since the first attempt of the delivery, in milliseconds. */
  sinceFirstMs: number
  /** How long after the first attempt an answer with Retry-After uses up no wait of the schedule, in milliseconds. */
  postponeForMs: number
  /** At least 0, below 1. */
  random: number
}

export type RetryDelay = {
  /** undefined: that was the last attempt. */
  ms: number | undefined
  /** No wait of the schedule is used up. */
  postponed: boolean
}

/** Shortest wait that a receiver can ask for. */
const shortestMs = 1_000

/**
 * How long to wait after an attempt failed of which `used` waits of the schedule had been used up before. The schedule's wait
 * is a tenth more or less, so that what failed together does not come back together. Retry-After is never undercut: the wait
 * is the longer of both, and uses up none of the schedule while `postponeForMs` are not over.
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
