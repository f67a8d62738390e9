import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { performance } from 'node:perf_hooks'

/** Measures the load of the HTTP servers of this process. */
export type RequestLoad = {
  /** Whether many requests keep this thread busy: then deferrable work should wait. */
  high(): boolean
  close(): void
}

const started = 'http.server.request.start'

/** Milliseconds for which a result is valid. */
const sampleMs = 100

/** Requests in that time: below 50 (500 a second) the load is not high; from 300 (3,000 a second) it is, whatever they cost. */
const fewestRequests = 50
const manyRequests = 300

/** Between these, the load is high if this thread is busy for more than this ratio of the time. */
const busyPart = 0.6

export function createRequestLoad(): RequestLoad {
  let requests = 0
  let high = false
  let sampledAt = performance.now()
  let utilization = performance.eventLoopUtilization()
  const count = () => {
    requests++
  }
  subscribe(started, count)

  return {
    high() {
      const now = performance.now()
      const ms = now - sampledAt
      if (ms < sampleMs) return high
      const since = performance.eventLoopUtilization(utilization)
      const rate = (requests * sampleMs) / ms
      high = rate >= manyRequests || (rate >= fewestRequests && since.utilization > busyPart)
      utilization = performance.eventLoopUtilization()
      sampledAt = now
      requests = 0
      return high
    },
    close() {
      unsubscribe(started, count)
    },
  }
}
