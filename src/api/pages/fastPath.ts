import { performance } from 'node:perf_hooks'
import type { Metrics } from '../../metrics/metrics.ts'
import type { CountRequest } from '../../metrics/requestMetrics.ts'
import type { Cors } from '../http/cors.ts'
import { encodingOf } from '../http/encodedBody.ts'
import { matchesEtag } from '../http/etag.ts'
import type { Negotiate } from '../http/negotiate.ts'
import { headAgeHeader } from '../http/pageTarget.ts'
import type { Shortcut } from '../http/server.ts'
import type { Keyring } from '../keys/keyring.ts'
import { type PageCache, validatorHeaders } from './pageCache.ts'

export type FastPathOptions = {
  cache: PageCache
  keyring: Keyring
  cors: Cors
  negotiate: Negotiate
  requestId(incoming: string | undefined): string
  count: CountRequest
  metrics: Pick<Metrics, 'pageCacheHits'>
}

/**
 * Answers a repeated page without routing, Request, Response or a promise. It does what `respond` and `pages` do, for the one case in
 * which nothing has to be awaited and nothing is refused, and leaves every other request to them untouched.
 */
export function createFastPath(options: FastPathOptions): Shortcut {
  const { cache, keyring, cors, negotiate, requestId, count, metrics } = options

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

    const headers = [
      'x-request-id',
      requestId(given['x-request-id'] as string | undefined),
      ...pageHeaders,
      ...state.headers,
      ...(state.confirmedAt === undefined ? [] : headAgeHeader(state.confirmedAt, startedAt)),
      ...(key.rateLimit?.headers() ?? []),
      ...(given.origin === undefined ? [] : cors.headers(given.origin)),
    ]
    response.writeHead(matched ? 304 : 200, headers)
    response.end(matched || method === 'HEAD' ? undefined : body)

    if (!matched) metrics.pageCacheHits.inc()
    count(target.route, method, matched ? 304 : 200, (performance.now() - startedAt) / 1_000)
    return true
  }
}
