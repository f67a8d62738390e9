import { performance } from 'node:perf_hooks'
import type { Metrics } from '../metrics.ts'
import type { Cors } from './cors.ts'
import { encodingOf } from './encodedBody.ts'
import { matchesEtag } from './etag.ts'
import type { Keyring } from './keyring.ts'
import type { Negotiate } from './negotiate.ts'
import { type PageCache, validatorHeaders } from './pageCache.ts'
import type { Shortcut } from './server.ts'

export type FastPathOptions = {
  cache: PageCache
  keyring: Keyring
  cors: Cors
  negotiate: Negotiate
  requestId(incoming: string | undefined): string
  metrics: Pick<Metrics, 'httpRequests' | 'httpSeconds' | 'pageCacheHits'>
}

/**
 * A repeated page without routing, Request, Response or a promise: what `respond` and `pages` do, for the one case in
 * which nothing has to be awaited and nothing is refused. Whatever else, it leaves to them untouched.
 */
export function createFastPath(options: FastPathOptions): Shortcut {
  const { cache, keyring, cors, negotiate, requestId, metrics } = options
  const countersOf = createCounters(metrics)

  return (request, response) => {
    const { method } = request
    if (method !== 'GET' && method !== 'HEAD') return false
    const target = cache.target(request.url!)
    if (!target) return false
    const startedAt = performance.now()
    const state = target.current(startedAt)
    if (!state) return false
    const given = request.headers
    const ifNoneMatch = given['if-none-match']
    const matched = ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, state.etag)
    const page = matched ? undefined : cache.get(state.name, state.version)
    const encoding = page && encodingOf(page.body, negotiate.encoding(given['accept-encoding'] as string | undefined))
    const pageHeaders = matched ? validatorHeaders(state.etag) : encoding && page.headers[encoding]
    const body = encoding && page.body[encoding]
    if (!pageHeaders || (!matched && !body)) return false
    if (given['content-length'] !== undefined || given['transfer-encoding'] !== undefined) return false
    if (!negotiate.admitsJson(given.accept)) return false
    const key = keyring.known({
      apiKey: given['x-api-key'] as string | undefined,
      authorization: given.authorization,
    })
    if (!key || (key.rateLimit && !key.rateLimit.take())) return false

    const headers = ['x-request-id', requestId(given['x-request-id'] as string | undefined)]
    headers.push(...pageHeaders, ...state.headers)
    if (key.rateLimit) headers.push(...key.rateLimit.headers())
    if (given.origin !== undefined) headers.push(...cors.headers(given.origin))
    response.writeHead(matched ? 304 : 200, headers)
    response.end(matched || method === 'HEAD' ? undefined : body)

    const counters = countersOf(target.route)
    if (matched) counters.notModified.inc()
    else {
      counters.whole.inc()
      metrics.pageCacheHits.inc()
    }
    counters.seconds.observe((performance.now() - startedAt) / 1_000)
    return true
  }
}

type RouteMetrics = Pick<Metrics, 'httpRequests' | 'httpSeconds'>

/** The counters of each route, looked up by their labels once. */
function createCounters(metrics: RouteMetrics): (route: string) => ReturnType<typeof countersOfRoute> {
  const known = new Map<string, ReturnType<typeof countersOfRoute>>()
  return (route) => {
    let counters = known.get(route)
    if (!counters) {
      counters = countersOfRoute(metrics, route)
      known.set(route, counters)
    }
    return counters
  }
}

function countersOfRoute(metrics: RouteMetrics, route: string) {
  return {
    whole: metrics.httpRequests.labels(route, '200'),
    notModified: metrics.httpRequests.labels(route, '304'),
    seconds: metrics.httpSeconds.labels(route),
  }
}
