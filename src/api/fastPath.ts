import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { Metrics } from '../metrics.ts'
import type { Cors } from './cors.ts'
import { encodingOf } from './encodedBody.ts'
import { matchesEtag } from './etag.ts'
import type { Keyring } from './keyring.ts'
import type { Negotiate } from './negotiate.ts'
import type { Collections } from './nft/collections.ts'
import { type PageCache, validatorHeaders } from './nft/pageCache.ts'
import { etagOf } from './nft/pageTarget.ts'

/** Answers at once where everything needed is at hand; false: nothing was done, and the whole way is to be gone. */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => boolean

export type FastPathOptions = {
  cache: PageCache
  collections: Collections
  keyring: Keyring
  cors: Cors
  negotiate: Negotiate
  requestId(incoming: string | undefined): string
  metrics: Pick<Metrics, 'httpRequests' | 'httpSeconds' | 'pageCacheHits'>
  /** Label of the metrics. */
  route: string
}

/**
 * A repeated page without routing, Request, Response or a promise: what `respond` and `pages` do, for the one case in
 * which nothing has to be awaited and nothing is refused. Whatever else, it leaves to them untouched.
 */
export function createFastPath(options: FastPathOptions): FastPath {
  const { cache, collections, keyring, cors, negotiate, requestId, metrics, route } = options
  const whole = metrics.httpRequests.labels(route, '200')
  const notModified = metrics.httpRequests.labels(route, '304')
  const seconds = metrics.httpSeconds.labels(route)

  return (request, response) => {
    const { method } = request
    if (method !== 'GET' && method !== 'HEAD') return false
    const target = cache.target(request.url!)
    if (!target) return false
    const startedAt = performance.now()
    const snapshot = collections.fresh(target.collection, startedAt)
    if (snapshot?.kind !== 'page' || snapshot.due) return false
    const given = request.headers
    const ifNoneMatch = given['if-none-match']
    const etag = ifNoneMatch === undefined ? undefined : etagOf(target, snapshot)
    const matched = etag !== undefined && matchesEtag(ifNoneMatch!, etag)
    const page = matched ? undefined : cache.get(target.names[snapshot.status], snapshot.version)
    const encoding = page && encodingOf(page.body, negotiate.encoding(given['accept-encoding'] as string | undefined))
    const pageHeaders = matched ? validatorHeaders(etag) : encoding && page.headers[encoding]
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
    headers.push(...pageHeaders, ...snapshot.headers)
    if (key.rateLimit) headers.push(...key.rateLimit.headers())
    if (given.origin !== undefined) headers.push(...cors.headers(given.origin))
    response.writeHead(matched ? 304 : 200, headers)
    response.end(matched || method === 'HEAD' ? undefined : body)

    if (matched) notModified.inc()
    else {
      whole.inc()
      metrics.pageCacheHits.inc()
    }
    seconds.observe((performance.now() - startedAt) / 1_000)
    return true
  }
}
