/**
 * How many requests a host gets at once: more with successes, half as many after an overload (AIMD, Chiu and Jain 1989, which begins with
 * the slow start of TCP up to the threshold). It counts only; its users decide which requests wait and which one is next.
 */
export type RequestLimit = {
  /** The limit in whole requests, at least one. */
  most(): number
  /** Begins a request, and returns its number for `halve`. */
  begin(): number
  /** A request succeeded. */
  raise(): void
  /** A request met an overload. Many rejections of one moment are one overload: only a request that began after the last cut cuts again. */
  halve(number: number): void
  /** Restarts with one request, and grows by single ones up to `threshold`. */
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
  let begun = 0
  let cutAt = 0
  return {
    most: () => Math.floor(limit),
    begin: () => ++begun,
    raise() {
      limit = Math.min(max, limit + (limit < threshold ? 1 : 1 / limit))
    },
    halve(number) {
      if (number <= cutAt) return
      cutAt = begun
      threshold = limit = Math.max(1, limit / 2)
    },
    restart(next) {
      threshold = next
      limit = 1
    },
  }
}
