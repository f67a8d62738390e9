import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { performance } from 'node:perf_hooks'

/** How much the HTTP servers of this process have to do. */
export type RequestLoad = {
  /** Requests come in numbers and leave this thread no time to spare: whatever can wait should. */
  high(): boolean
  close(): void
}

const started = 'http.server.request.start'

/** Judged anew no more often. */
const sampleMs = 100

/** By this much of time: five hundred requests a second are no load, three thousand are one whatever they cost. */
const fewestRequests = 50
const manyRequests = 300

/** Between the two the part of time that this thread is busy decides. */
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
