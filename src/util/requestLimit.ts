/**
 * Limit of concurrent requests to a host: more with successes, half as many after an overload (AIMD, Chiu and Jain 1989), with TCP's slow start up to
 * the threshold. It only counts; its users decide which requests wait and which one is next.
 */
export type RequestLimit = {
  /** The limit in whole requests, at least one. */
  most(): number
  /** Starts a request, and returns its number for `halve`. */
  begin(): number
  /** A request succeeded. */
  raise(): void
  /** A request met an overload. Concurrent rejections are one overload: only a request that started after the last cut cuts again. */
  halve(number: number): void
  /** Restarts with one request, and grows by one per success up to `threshold`. */
  restart(threshold: number): void
}

export type RequestLimitOptions = {
  start: number
  max: number
  /** Below it the limit grows by one with each success, above it by one with as many successes as the limit is. Omitted: 0. */
  threshold?: number
}

export function createRequestLimit(options: RequestLimitOptions): RequestLimit {
  const { max } = options
  let limit = options.start
  let threshold = options.threshold ?? 0
  let started = 0
  let cutAt = 0
  return {
    most: () => Math.floor(limit),
    begin: () => ++started,
    raise() {
      limit = Math.min(max, limit + (limit < threshold ? 1 : 1 / limit))
    },
    halve(number) {
      if (number <= cutAt) return
      cutAt = started
      threshold = limit = Math.max(1, limit / 2)
    },
    restart(next) {
      threshold = next
      limit = 1
    },
  }
}
