import { TokenBucket } from 'limiter'

/** The token bucket of one key, in this process. */
export type RateLimit = {
  /** Takes a token; false: the bucket is empty. */
  take(): boolean
  /** Whether `take` would succeed. */
  has(): boolean
  /** Whole seconds until the next token. */
  retryAfterSeconds(): number
  /** x-rate-limit-limit (the burst), -remaining, and -reset (seconds until the bucket is full again). */
  headers(): string[]
}

export type RateLimitOptions = { requestsPerSecond: number; burst: number }

export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { requestsPerSecond, burst } = options
  const bucket = new TokenBucket({ bucketSize: burst, tokensPerInterval: requestsPerSecond, interval: 1_000 })
  bucket.content = burst
  const limit = String(burst)
  return {
    take: () => bucket.tryRemoveTokens(1),
    has: () => bucket.getWaitTime(1) <= 0,
    retryAfterSeconds: () => Math.max(1, Math.ceil(bucket.getWaitTime(1) / 1_000)),
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
