import { TokenBucket } from 'limiter'
import { TooManyRequestsError } from '../../util/errors.ts'

/** The token bucket of one key, in this process. */
export type RateLimit = {
  /** Takes a token; false: the bucket is empty. */
  take(): boolean
  /** Whether `take` would succeed. */
  has(): boolean
  /** Whole seconds until the next token. */
  retryAfterSeconds(): number
  /** The error for a request without a token. */
  tooFast(): TooManyRequestsError
  /** x-rate-limit-limit (the burst), -remaining, and -reset (seconds until the bucket is full again). */
  headers(): string[]
}

export type RateLimitOptions = { requestsPerSecond: number; burst: number }

export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { requestsPerSecond, burst } = options
  const bucket = new TokenBucket({ bucketSize: burst, tokensPerInterval: requestsPerSecond, interval: 1_000 })
  bucket.content = burst
  const limit = String(burst)
  const waitSeconds = () => Math.max(1, Math.ceil(bucket.getWaitTime(1) / 1_000))
  return {
    take: () => bucket.tryRemoveTokens(1),
    has: () => bucket.getWaitTime(1) <= 0,
    retryAfterSeconds: waitSeconds,
    tooFast() {
      const retryAfterSeconds = waitSeconds()
      const message = `this key sends requests faster than its rate limit allows; retry in ${retryAfterSeconds} s`
      return new TooManyRequestsError(message, { retryAfterSeconds })
    },
    headers: () => [
      'x-rate-limit-limit',
      limit,
      'x-rate-limit-remaining',
      String(Math.floor(bucket.content)),
      'x-rate-limit-reset',
      String(Math.ceil((burst - bucket.content) / requestsPerSecond)),
    ],
  }
}
