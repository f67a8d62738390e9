import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { Metrics } from '../../metrics/metrics.ts'
import type { CountRequest } from '../../metrics/requestMetrics.ts'
import type { Cors } from '../http/cors.ts'
import { encodingOf } from '../http/encodedBody.ts'
import { matchesEtag } from '../http/etag.ts'
import type { Negotiate } from '../http/negotiate.ts'
import { headAgeHeader, type PageTarget } from '../http/pageTarget.ts'
import type { Operations, Respond } from '../http/respond.ts'
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
  /** By route path. */
  operations: ReadonlyMap<string, Operations>
  respond: Respond
}

/**
 * Answers pages whose request target was validated before, without the router and without Request and Response objects.
 * A cached, fresh page is answered synchronously, by the rules of `respond` and `pages`. All other requests go to
 * `respond`.
 */
export function createFastPath(options: FastPathOptions): Shortcut {
  const { cache, keyring, cors, negotiate, requestId, count, metrics, operations, respond } = options

  function answerCached(request: IncomingMessage, response: ServerResponse, target: PageTarget): boolean {
    const startedAt = performance.now()
    const state = target.current(startedAt)
    if (!state) return false
    const { method, headers: given } = request
    const matched = matchesEtag(given['if-none-match'], state.etag)
    const page = matched ? undefined : cache.get(state.name, state.version)
    const encoding = page && encodingOf(page.body, negotiate.encoding(given['accept-encoding'] as string | undefined))
    const pageHeaders = matched ? validatorHeaders(state.etag) : encoding && page.headers[encoding]
    const body = encoding && page.body[encoding]
    if (!pageHeaders || (!matched && !body)) return false
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
    count(target.route, method!, matched ? 304 : 200, (performance.now() - startedAt) / 1_000)
    return true
  }

  return (request, response) => {
    const { method, url: target, headers: given } = request
    if ((method !== 'GET' && method !== 'HEAD') || target === undefined) return false
    const page = cache.target(target)
    if (!page) return false
    if (given['content-length'] !== undefined || given['transfer-encoding'] !== undefined) return false
    if (answerCached(request, response, page)) return true
    if (method === 'HEAD') return false
    const header = (name: string) => given[name] as string | undefined
    const search = target.slice(target.indexOf('?'))
    const address = request.socket.remoteAddress ?? ''
    const { params = {} } = page
    const isGone = () => request.socket.destroyed
    const incoming = { method, target, search, params, header, address, isGone, body: null, page }
    void respond(incoming, operations.get(page.route)).then(({ status, headers, body }) => {
      response.writeHead(status, headers as string[])
      response.end(body)
    })
    return true
  }
}
