import { createRequestLimit } from '../../../util/requestLimit.ts'

/** A slot for one request; `release` returns it, exactly once, with the outcome of the request. */
export type Permit = { release(outcome: 'ok' | 'overloaded' | 'neutral'): void }

/** Number of concurrent requests: grows by one per round of successes, halves on overload (AIMD). */
export type Limiter = {
  /** Served in order. Rejects with the signal's reason. */
  acquire(signal?: AbortSignal): Promise<Permit>
  /** Most requests in progress now. */
  limit(): number
  /** Requests in progress and waiting, divided by the limit. */
  load(): number
}

export function createLimiter(options: { max: number }): Limiter {
  const limit = createRequestLimit({ start: Math.ceil(options.max / 2), max: options.max })
  let active = 0
  const waiting: (() => void)[] = []

  const next = () => {
    while (active < limit.most() && waiting.length > 0) waiting.shift()!()
  }

  const permit = (): Permit => {
    active++
    const number = limit.begin()
    return {
      release(outcome) {
        active--
        if (outcome === 'ok') limit.raise()
        if (outcome === 'overloaded') limit.halve(number)
        next()
      },
    }
  }

  return {
    acquire(signal) {
      if (signal?.aborted) return Promise.reject(signal.reason)
      if (active < limit.most() && waiting.length === 0) return Promise.resolve(permit())
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
    limit: limit.most,
    load: () => (active + waiting.length) / limit.most(),
  }
}
