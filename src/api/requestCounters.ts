import type { Metrics } from '../metrics.ts'

/** Counts an answer of a route and the seconds that it took. */
export type CountRequest = (route: string, status: number, seconds: number) => void

/** Looks up the counters of a route by their labels once: doing so for each request costs more than counting. */
export function createRequestCounters(metrics: Pick<Metrics, 'httpRequests' | 'httpSeconds'>): CountRequest {
  const routes = new Map<string, ReturnType<typeof countersOf>>()

  function countersOf(route: string) {
    return {
      seconds: metrics.httpSeconds.labels(route),
      byStatus: new Map<number, ReturnType<typeof metrics.httpRequests.labels>>(),
    }
  }

  return (route, status, seconds) => {
    let counters = routes.get(route)
    if (!counters) {
      counters = countersOf(route)
      routes.set(route, counters)
    }
    let requests = counters.byStatus.get(status)
    if (!requests) {
      requests = metrics.httpRequests.labels(route, String(status))
      counters.byStatus.set(status, requests)
    }
    requests.inc()
    counters.seconds.observe(seconds)
  }
}
