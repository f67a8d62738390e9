import { retryAfterOf } from '../../util/http/retryAfter.ts'
import type { GetOptions, GuardedAnswer } from '../client.ts'
import {
  AddressBlockedError,
  BadUrlError,
  HostUnavailableError,
  HttpStatusError,
  RedirectRefusedError,
  TimeoutError,
  TooManyRedirectsError,
} from '../outboundError.ts'
import { checkUrl } from './checkUrl.ts'
import { type Exchange, exchange } from './exchange.ts'
import type { HostRateLimiter, VisitOutcome } from './hostRateLimiter.ts'
import { type Meter, outcomeOf } from './meter.ts'
import type { GuardedSettings } from './outboundSettings.ts'
import type { Pools } from './pools.ts'
import { acceptedEncodings } from './readBody.ts'

export type GuardedGetOptions = {
  settings: GuardedSettings
  pools: Pools
  hostRateLimiter: HostRateLimiter
  meter: Meter
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const answers: ReadonlySet<number> = new Set([200, 203, 204])

/** `get` of the guarded client. */
export function createGuardedGet({ settings, pools, hostRateLimiter, meter }: GuardedGetOptions) {
  /** One exchange, once its host has a free slot. `ms`: its time without that wait, which does not count against the time limit. */
  async function hop(url: URL, headers: Record<string, string>, options: GetOptions, totalMs: number, spentMs: number) {
    const visit = await hostRateLimiter.enter(url.host, options.signal)
    const began = performance.now()
    options.onSend?.()
    let outcome: VisitOutcome = { kind: 'neutral' }
    try {
      const result = await exchange({
        pool: pools.of(url.origin),
        url,
        headers,
        limits: { connect: settings.connectTimeoutMs, idle: settings.idleTimeoutMs, total: totalMs },
        remainingMs: totalMs - spentMs,
        maxBytes: options.maxBytes ?? settings.maxBytes,
        wants: options.wants,
        signal: options.signal,
        onBytes: meter.bytes,
      })
      outcome = statusOutcome(result)
      return { result, ms: performance.now() - began }
    } catch (error) {
      if (error instanceof HostUnavailableError || error instanceof TimeoutError) outcome = { kind: 'failed' }
      throw error
    } finally {
      visit.release(outcome)
    }
  }

  async function follow(start: URL, options: GetOptions): Promise<GuardedAnswer> {
    const withoutCredentials = requestHeaders(settings, options)
    const headers = { ...withoutCredentials, ...(options.authorization && { authorization: options.authorization }) }
    const totalMs = options.timeoutMs ?? settings.timeoutMs
    let url = start
    let spentMs = 0
    for (let hops = 0; ; hops++) {
      if (spentMs >= totalMs) throw new TimeoutError({ host: url.host, phase: 'total', ms: totalMs })
      const own = url.origin === start.origin ? headers : withoutCredentials
      const { result, ms } = await hop(url, own, options, totalMs, spentMs).catch((error: unknown) => {
        throw hops === 0 ? error : redirectError(start.host, error)
      })
      spentMs += ms
      const location = redirects.has(result.status) ? first(result.headers.location) : undefined
      if (location === undefined) return answerOf(url, result)
      if (hops >= settings.maxRedirects)
        throw new TooManyRedirectsError({ host: start.host, limit: settings.maxRedirects })
      url = redirectTarget(location, url)
    }
  }

  return async (url: string | URL, options: GetOptions = {}): Promise<GuardedAnswer> => {
    const began = performance.now()
    meter.begin()
    try {
      const answer = await follow(checkUrl(url), options)
      meter.end('ok', performance.now() - began)
      return answer
    } catch (error) {
      meter.end(options.signal?.aborted ? 'aborted' : outcomeOf(error), performance.now() - began)
      throw error
    }
  }
}

function redirectTarget(location: string, url: URL): URL {
  try {
    const target = checkUrl(location, url)
    // Content of an https URL is never taken from plain HTTP, where any hop could change it.
    if (url.protocol === 'https:' && target.protocol === 'http:')
      throw new BadUrlError('downgrade', 'http: is not requested after https:')
    return target
  } catch (error) {
    throw redirectError(url.host, error)
  }
}

/** An error after a redirect of this host: that of a refused address does not mean that the requested one is refused. */
function redirectError(host: string, error: unknown): unknown {
  const isRefused = error instanceof BadUrlError || error instanceof AddressBlockedError
  return isRefused ? new RedirectRefusedError({ host, cause: error }) : error
}

function answerOf(url: URL, { status, headers, body }: Exchange): GuardedAnswer {
  if (!answers.has(status))
    throw new HttpStatusError({ host: url.host, status, retryAfterMs: retryAfterOf(headers['retry-after']) })
  return {
    url: url.href,
    status,
    headers,
    body: body ?? Buffer.alloc(0),
    contentType: first(headers['content-type']),
  }
}

/** 429 means that requests come too fast, as does a 503 with Retry-After. Any other 5xx may concern only one path. */
function statusOutcome({ status, headers }: Exchange): VisitOutcome {
  const retryAfterMs = status === 429 || status === 503 ? retryAfterOf(headers['retry-after']) : undefined
  if (status === 429 || retryAfterMs !== undefined) return { kind: 'limited', retryAfterMs }
  return { kind: status >= 500 ? 'neutral' : 'ok' }
}

function requestHeaders(settings: GuardedSettings, options: GetOptions): Record<string, string> {
  return {
    'user-agent': settings.userAgent,
    accept: options.accept ?? '*/*',
    'accept-encoding': acceptedEncodings,
  }
}

function first(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
