/**
 * How many calls a second a node takes, where it limits them: found from its rejections, each call of a batch counted, as providers do. Before the
 * first rejection nothing is limited.
 */
export type CallPace = {
  /** Milliseconds until so many calls may be sent. They count as sent. */
  reserve(calls: number): number
  /** Most calls of one request. */
  most(): number
  /** The number of a request that begins, for `refused`. */
  begin(): number
  admitted(calls: number): void
  /** The node rejected a request of so many calls for its rate. Many rejections of one moment count once: of those in progress together the first. */
  refused(calls: number, number: number): void
}

const windowMs = 1_000
/** Parts of the latest requests that were refused: more than this shows a limit, and that a known rate is too high. Fewer come by chance. */
const limitRatio = 0.3
const cutRatio = 0.12
/** Weight of the latest request. */
const weight = 0.15
/** Providers allow more than this. A node that refuses all the same does so for another reason, against which no rate helps. */
const leastRate = 10
/** Growth a second: until the second rejection, which shows that the rate is near, and after it. */
const searchGrowth = 0.5
const growth = 0.07
/** A cut is made up for by the growth until the next one, so that rejections by chance do not stop the calls. */
const cut = 0.8
const cutEveryMs = 3_000
/** A request of fewer calls may pass where one was refused; the next ones grow by this part. */
const sizeGrowth = 0.1

export function createCallPace(options: { now?: () => number } = {}): CallPace {
  const { now = () => performance.now() } = options
  let rate = Number.POSITIVE_INFINITY
  let isSearching = true
  let nextAt = 0
  let begun = 0
  /** The last request that had begun at the last rejection, and when the rate was cut. */
  let cutAt = 0
  let cutTime = Number.NEGATIVE_INFINITY
  /** Part of the latest requests that were refused. */
  let ratio = 0
  /** Most calls of one request, by what was refused. */
  let size = Number.POSITIVE_INFINITY
  /** Calls that the node answered lately. */
  let answered: { at: number; calls: number }[] = []

  return {
    reserve(calls) {
      if (rate === Number.POSITIVE_INFINITY) return 0
      const at = Math.max(now(), nextAt)
      nextAt = at + (calls * 1_000) / rate
      return at - now()
    },
    most: () => Math.max(1, Math.floor(Math.min(rate, size))),
    begin: () => ++begun,
    admitted(calls) {
      ratio *= 1 - weight
      if (calls >= Math.floor(size)) size += Math.max(1, size * sizeGrowth)
      if (rate !== Number.POSITIVE_INFINITY) {
        // So many seconds' worth of calls.
        rate += calls * (isSearching ? searchGrowth : growth)
        return
      }
      const at = now()
      answered = answered.filter((one) => at - one.at < windowMs)
      answered.push({ at, calls })
    },
    refused(calls, number) {
      ratio = ratio * (1 - weight) + weight
      if (number <= cutAt) return
      cutAt = begun
      if (ratio < (rate === Number.POSITIVE_INFINITY ? limitRatio : cutRatio)) return
      size = Math.max(1, calls / 2)
      if (now() - cutTime < cutEveryMs) return
      cutTime = now()
      if (rate === Number.POSITIVE_INFINITY) {
        const at = now()
        const lately = answered.reduce((sum, one) => sum + (at - one.at < windowMs ? one.calls : 0), 0)
        // A request of many calls may be more than the node ever takes at once, whatever it answered before.
        rate = Math.max(leastRate, lately, calls / 2)
        answered = []
        return
      }
      isSearching = false
      rate = Math.max(leastRate, rate * cut)
    },
  }
}
