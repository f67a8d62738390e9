/** Circuit breaker of one endpoint: its health, and when it may be queried next. Times are `performance.now()`, in milliseconds. */
export type EndpointHealth = {
  /** Milliseconds until the endpoint may be queried; 0: now. `alone`: no other endpoint may be queried now, so the wait is shorter. */
  waitMs(now: number, alone: boolean): number
  /** A request starts. After an outage the first request is a probe, and others wait for its result. */
  begin(): void
  success(ms: number): void
  /**
   * `hard`: nothing listens at the address. The first such error, or the third other one in a row, disables the endpoint. So does the second in a row if
   * most of the latest requests failed: some nodes answer cheap calls only.
   */
  failure(now: number, hard: boolean): void
  /** The request ended without information about the endpoint. */
  neutral(): void
  /** The endpoint requested a pause. Without a given time, each consecutive pause is longer. */
  rateLimited(now: number, retryAfterMs: number | undefined): void
  /** Disables the endpoint for this time. */
  block(now: number, ms: number): void
  /** Lower is healthier: recent errors first, then response time by powers of four from 50 ms. */
  score(): number
  isOpen(): boolean
  /** Average time of an exchange, weighted towards the latest ones; null before the first success. */
  averageMs(): number | null
}

const firstPauseMs = 500
const longestPauseMs = 60_000
/** While all endpoints are unreachable, each is probed at least this often, so that a recovery is noticed soon. */
const longestPauseAloneMs = 5_000
const probeWaitMs = 50
/** Share of failed requests, weighted towards the latest ones, from which two in a row disable the endpoint. */
const mostlyFailing = 0.6

export function createEndpointHealth(options: { random?: () => number } = {}): EndpointHealth {
  const random = options.random ?? Math.random
  let failures = 0
  let pauses = 0
  let openedAt = 0
  let pauseMs = 0
  let open = false
  let probing = false
  let limitedUntil = 0
  let strikes = 0
  let blockedUntil = 0
  let faultRate = 0
  let averageMs = 0

  return {
    waitMs(now, alone) {
      const pause = alone ? Math.min(pauseMs, longestPauseAloneMs) : pauseMs
      const closed = open ? (probing ? probeWaitMs : openedAt + pause - now) : 0
      return Math.max(0, closed, limitedUntil - now, blockedUntil - now)
    },
    begin() {
      if (open) probing = true
    },
    success(ms) {
      failures = 0
      pauses = 0
      strikes = 0
      open = false
      probing = false
      faultRate *= 0.8
      averageMs = averageMs === 0 ? ms : averageMs * 0.8 + ms * 0.2
    },
    failure(now, hard) {
      failures++
      faultRate = faultRate * 0.8 + 0.2
      const reopened = open && probing
      probing = false
      const most = faultRate > mostlyFailing ? 2 : 3
      if (!hard && failures < most && !reopened) return
      // Requests in progress when the endpoint became unreachable must not lengthen the pause.
      if (open && !reopened) return
      open = true
      openedAt = now
      pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** pauses++) * (0.75 + random() / 2)
    },
    neutral() {
      probing = false
    },
    rateLimited(now, retryAfterMs) {
      probing = false
      faultRate = faultRate * 0.9 + 0.1
      const wait = retryAfterMs ?? Math.min(30_000, 250 * 2 ** strikes) * (0.75 + random() / 2)
      if (limitedUntil < now) strikes++
      limitedUntil = Math.max(limitedUntil, now + wait)
    },
    block(now, ms) {
      probing = false
      blockedUntil = now + ms
    },
    score: () =>
      Math.round(faultRate * 4) * 100 + Math.max(0, Math.floor(Math.log(averageMs / 50 + 1e-9) / Math.log(4))),
    isOpen: () => open,
    averageMs: () => (averageMs === 0 ? null : averageMs),
  }
}
