import type { RateLimitOptions } from './rateLimit.ts'

/** The part of the configuration that this floor needs. */
export type ApiConfig = {
  /** An admin key that exists from the start. */
  apiKey: string | null
  /** null: none. */
  apiKeyRateLimit: RateLimitOptions | null
  /** Of every key that has none of its own. */
  rateLimit: RateLimitOptions
  cors: { origins: readonly string[] }
  pageCache: { maxBytes: number; freshMs: number }
  /** /metrics needs no key. */
  metricsPublic: boolean
  shutdownTimeoutMs: number
}
