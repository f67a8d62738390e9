import { Counter, Histogram, type Registry } from 'prom-client'

/** Counts an answer by route and method, and the seconds that it took. */
export type CountRequest = (route: string, method: string, status: number, seconds: number) => void

export type RequestMetrics = {
  count: CountRequest
  /** Requests answered since the start. */
  answered: Counter<'method' | 'route' | 'status'>
}

/** Durations of an operation that are collected before the histogram gets them all, which takes a fifth of a millisecond. */
const mostPending = 1_000

type Operation = { route: string; method: string; byStatus: Map<number, { answers: number }>; pendingSeconds: number[] }

/**
 * Counts answers in plain numbers until the registry is read. Looking up labels for every answer, with cold caches, costs a tenth of a repeated page;
 * a thousand lookups in a row cost a hundredth.
 */
export function createRequestMetrics(options: { registers: Registry[] }): RequestMetrics {
  const { registers } = options
  const routes = new Map<string, Map<string, Operation>>()
  const operations: Operation[] = []
  const requests = new Counter({
    registers,
    name: 'mintmark_http_requests_total',
    help: 'HTTP requests, by method, route and status. 499: not started, as the client closed the connection while the request waited.',
    labelNames: ['method', 'route', 'status'] as const,
    collect() {
      for (const { method, route, byStatus } of operations)
        for (const [status, counted] of byStatus) {
          requests.labels(method, route, String(status)).inc(counted.answers)
          counted.answers = 0
        }
    },
  })
  const seconds = new Histogram({
    registers,
    name: 'mintmark_http_seconds',
    help: 'Duration of an HTTP request.',
    labelNames: ['method', 'route'] as const,
    buckets: durationBuckets,
    collect() {
      for (const operation of operations) settleSeconds(operation)
    },
  })

  function settleSeconds({ method, route, pendingSeconds }: Operation): void {
    const ofOperation = seconds.labels(method, route)
    for (const value of pendingSeconds) ofOperation.observe(value)
    pendingSeconds.length = 0
  }

  function operationOf(route: string, method: string): Operation {
    const known = routes.get(route)?.get(method)
    if (known) return known
    const ofRoute = routes.get(route) ?? new Map<string, Operation>()
    routes.set(route, ofRoute)
    const operation: Operation = { route, method, byStatus: new Map(), pendingSeconds: [] }
    ofRoute.set(method, operation)
    operations.push(operation)
    return operation
  }

  return {
    answered: requests,
    count(route, method, status, taken) {
      const operation = operationOf(route, method)
      const counted = operation.byStatus.get(status)
      if (counted) counted.answers++
      else operation.byStatus.set(status, { answers: 1 })
      if (operation.pendingSeconds.push(taken) >= mostPending) settleSeconds(operation)
    },
  }
}

/**
 * Buckets of a histogram of seconds: a page takes a millisecond, a repeated one a tenth of that, and a request of ten seconds is an error. Each bound
 * is at most 2.5 times the previous one, so that a quantile is wrong by at most that factor.
 */
export const durationBuckets = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]

/** Buckets for work that may take longer than ten seconds: requests to nodes and third-party hosts, previews. */
export const longDurationBuckets = [...durationBuckets, 20, 50]
