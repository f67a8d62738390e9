import { Counter, Histogram, type Registry } from 'prom-client'

/** Counts an answer of a route and the seconds that it took. */
export type CountRequest = (route: string, status: number, seconds: number) => void

export type RequestMetrics = { count: CountRequest }

/** Told to the histogram at once; by then it takes a fifth of a millisecond. */
const mostPending = 1_000

type Route = { name: string; byStatus: Map<number, { answers: number }>; pendingSeconds: number[] }

/**
 * What was answered, in plain numbers until the registry is read: looking up labels with every answer, each time with
 * cold caches, costs a tenth of a repeated page, and a thousand times in a row a hundredth.
 */
export function createRequestMetrics(options: { registers: Registry[] }): RequestMetrics {
  const { registers } = options
  const routes = new Map<string, Route>()
  const requests = new Counter({
    registers,
    name: 'mintmark_http_requests_total',
    help: 'Requests answered, by route and status.',
    labelNames: ['route', 'status'] as const,
    collect() {
      for (const { name, byStatus } of routes.values())
        for (const [status, counted] of byStatus) {
          requests.labels(name, String(status)).inc(counted.answers)
          counted.answers = 0
        }
    },
  })
  const seconds = new Histogram({
    registers,
    name: 'mintmark_http_seconds',
    help: 'Time to answer a request.',
    labelNames: ['route'] as const,
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    collect() {
      for (const route of routes.values()) settleSeconds(route)
    },
  })

  function settleSeconds({ name, pendingSeconds }: Route): void {
    const ofRoute = seconds.labels(name)
    for (const value of pendingSeconds) ofRoute.observe(value)
    pendingSeconds.length = 0
  }

  return {
    count(name, status, taken) {
      let route = routes.get(name)
      if (!route) {
        route = { name, byStatus: new Map(), pendingSeconds: [] }
        routes.set(name, route)
      }
      const counted = route.byStatus.get(status)
      if (counted) counted.answers++
      else route.byStatus.set(status, { answers: 1 })
      if (route.pendingSeconds.push(taken) >= mostPending) settleSeconds(route)
    },
  }
}
