/** A place under the limit; give it back exactly once, saying how the request went. */
export type Permit = { release(outcome: 'ok' | 'overloaded' | 'neutral'): void }

/** How many requests are under way at once: grows by one a round of successes, halves on overload (AIMD). */
export type Limiter = {
  /** Served in order. Rejects with the signal's reason. */
  acquire(signal?: AbortSignal): Promise<Permit>
  /** Requests that may be under way now. */
  limit(): number
  /** Under way and waiting, as a part of the limit. */
  load(): number
}

export function createLimiter(options: { max: number }): Limiter {
  let limit = Math.ceil(options.max / 2)
  let active = 0
  let issued = 0
  let shrunkAt = 0
  const waiting: (() => void)[] = []

  const next = () => {
    while (active < Math.floor(limit) && waiting.length > 0) waiting.shift()!()
  }

  const permit = (): Permit => {
    active++
    const number = ++issued
    return {
      release(outcome) {
        active--
        if (outcome === 'ok') limit = Math.min(options.max, limit + 1 / limit)
        // Sixteen refusals of one moment are one overload: only a request begun after the last cut cuts again.
        if (outcome === 'overloaded' && number > shrunkAt) {
          limit = Math.max(1, limit / 2)
          shrunkAt = issued
        }
        next()
      },
    }
  }

  return {
    acquire(signal) {
      if (signal?.aborted) return Promise.reject(signal.reason)
      if (active < Math.floor(limit) && waiting.length === 0) return Promise.resolve(permit())
      return new Promise((resolve, reject) => {
        const start = () => {
          signal?.removeEventListener('abort', abort)
          resolve(permit())
        }
        const abort = () => {
          waiting.splice(waiting.indexOf(start), 1)
          reject(signal?.reason)
        }
        waiting.push(start)
        signal?.addEventListener('abort', abort, { once: true })
      })
    },
    limit: () => Math.floor(limit),
    load: () => (active + waiting.length) / Math.floor(limit),
  }
}
