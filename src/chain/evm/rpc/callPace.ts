/**
 * Call rate that a node accepts, learned from its rejections. Each call of a batch counts, as providers count. Before the first rejection there is no
 * limit.
 */
export type CallPace = {
  /** Milliseconds until this many calls may be sent. They count as sent. */
  reserve(calls: number): number
  /** Most calls of one request. */
  most(): number
  /** The number of a request that starts, for `rejected`. */
  begin(): number
  admitted(calls: number): void
  /** The node rejected a request of this many calls for its rate. Concurrent rejections count once: the first of the requests in progress. */
  rejected(calls: number, number: number): void
}

const windowMs = 1_000
/** Ratio of rejected requests among the latest ones. A higher one shows a limit, and that a known rate is too high; a lower one comes by chance. */
const limitRatio = 0.3
const cutRatio = 0.12
/** Weight of the latest request. */
const weight = 0.15
/** Providers allow more than this. A node that still rejects does so for another reason, which a lower rate does not fix. */
const leastRate = 10
/** Growth per second: before the second rejection, which shows that the rate is near, and after it. */
const searchGrowth = 0.5
const growth = 0.07
/** Growth until the next cut makes up for this cut, so that random rejections do not stop the calls. */
const cut = 0.8
const cutEveryMs = 3_000
/** A request of fewer calls may pass after a rejection; later ones grow by this factor. */
const sizeGrowth = 0.1

export function createCallPace(options: { now?: () => number } = {}): CallPace {
  const { now = () => performance.now() } = options
  let rate = Number.POSITIVE_INFINITY
  let isSearching = true
  let nextAt = 0
  let started = 0
  /** The last request that had started at the last rejection, and the time of that cut. */
  let cutAt = 0
  let cutTime = Number.NEGATIVE_INFINITY
  /** Ratio of rejected requests among the latest ones. */
  let ratio = 0
  /** Most calls of one request, from rejections. */
  let size = Number.POSITIVE_INFINITY
  /** Most calls of an admitted request. */
  let largest = 1
  /** Calls that the node answered recently. */
  let answered: { at: number; calls: number }[] = []

  return {
    reserve(calls) {
      if (rate === Number.POSITIVE_INFINITY) return 0
      const at = Math.max(now(), nextAt)
      nextAt = at + (calls * 1_000) / rate
      return at - now()
    },
    most: () => Math.max(1, Math.floor(Math.min(rate, size))),
    begin: () => ++started,
    admitted(calls) {
      ratio *= 1 - weight
      largest = Math.max(largest, calls)
      if (calls >= Math.floor(size)) size += Math.max(1, size * sizeGrowth)
      if (rate !== Number.POSITIVE_INFINITY) {
        // Calls of this many seconds.
        rate += calls * (isSearching ? searchGrowth : growth)
        return
      }
      const at = now()
      answered = answered.filter((one) => at - one.at < windowMs)
      answered.push({ at, calls })
    },
    rejected(calls, number) {
      ratio = ratio * (1 - weight) + weight
      if (number <= cutAt) return
      cutAt = started
      // It may exceed what the node ever accepts at once, whatever small requests it admits meanwhile.
      if (calls > largest) size = Math.max(1, Math.min(size, calls / 2))
      if (ratio < (rate === Number.POSITIVE_INFINITY ? limitRatio : cutRatio)) return
      size = Math.max(1, calls / 2)
      if (now() - cutTime < cutEveryMs) return
      cutTime = now()
      if (rate === Number.POSITIVE_INFINITY) {
        const at = now()
        const lately = answered.reduce((sum, one) => sum + (at - one.at < windowMs ? one.calls : 0), 0)
        // A request of many calls may exceed what the node ever accepts at once, whatever it answered before.
        rate = Math.max(leastRate, lately, calls / 2)
        answered = []
        return
      }
      isSearching = false
      rate = Math.max(leastRate, rate * cut)
    },
  }
}
