/**
 * How many requests are given to somebody at once: more with successes, half as many after an overload (AIMD, Chiu and Jain 1989, begun
 * with the slow start of TCP up to the threshold). Arithmetic alone: who waits, and whose turn it is, differs with each of its users.
 */
export type RequestLimit = {
  /** Whole requests, one at least. */
  most(): number
  /** A request is begun: its number, for what came of it. */
  begin(): number
  /** A request succeeded. */
  raise(): void
  /** Request `number` met an overload. Many refusals of one moment are one overload: only a request begun after the last cut cuts again. */
  halve(number: number): void
  /** Begins anew with one request, and grows by single ones up to `threshold`. */
  restart(threshold: number): void
}

export type RequestLimitOptions = {
  start: number
  max: number
  /** Up to here the limit grows by one with each success, above it by one with each round of them. Left out: by rounds from the start. */
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
