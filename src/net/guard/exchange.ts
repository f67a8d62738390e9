import type { Dispatcher, Pool } from 'undici'
import type { IncomingHttpHeaders } from 'undici/types/header.js'
import { TimeoutError } from '../outboundError.ts'
import { readBody } from './readBody.ts'
import { type Limits, transportError } from './transportError.ts'

export type ExchangeOptions = {
  pool: Pool
  url: URL
  headers: Record<string, string>
  limits: Limits
  /** Remaining total time for this exchange, in milliseconds. */
  remainingMs: number
  /** Most bytes of the decoded body. */
  maxBytes: number
  /** As in GetOptions. */
  wants: ((start: Buffer, size: number | undefined) => boolean) | undefined
  signal: AbortSignal | undefined
  onBytes(count: number): void
}

/** One answer. `body` is undefined and not read if the status is neither 200 nor 203. */
export type Exchange = { status: number; headers: IncomingHttpHeaders; body: Buffer | undefined }

/** Bytes of an unwanted body that are read to keep its connection, for at most a second. */
const worthKeeping = 16_384

/** One GET, limited in time and bytes. Rejects with one of our errors, or the signal's reason. */
export async function exchange(options: ExchangeOptions): Promise<Exchange> {
  const { pool, url, headers, limits, remainingMs, signal } = options
  signal?.throwIfAborted()
  const stop = new AbortController()
  const abort = () => stop.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  const late = (phase: 'total' | 'idle') => stop.abort(new TimeoutError({ host: url.host, phase, ms: limits[phase] }))
  const timer = setTimeout(late, remainingMs, 'total')
  let idle: NodeJS.Timeout | undefined
  try {
    const response = await pool.request({
      method: 'GET',
      path: url.pathname + url.search,
      headers,
      signal: stop.signal,
      // undici's own timers have a precision of only a second.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const { statusCode: status, body } = response
    if (status !== 200 && status !== 203) {
      letGo(body)
      return { status, headers: response.headers, body: undefined }
    }
    idle = setTimeout(late, limits.idle, 'idle')
    const bytes = await readBody({
      body,
      host: url.host,
      encoding: response.headers['content-encoding'],
      contentLength: response.headers['content-length'],
      maxBytes: options.maxBytes,
      wants: options.wants,
      onWireBytes(count) {
        idle?.refresh()
        options.onBytes(count)
      },
    })
    return { status, headers: response.headers, body: bytes }
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    throw transportError(stop.signal.aborted ? stop.signal.reason : cause, url.host, limits)
  } finally {
    clearTimeout(timer)
    clearTimeout(idle)
    signal?.removeEventListener('abort', abort)
  }
}

function letGo(body: Dispatcher.ResponseData['body']): void {
  // It does not matter whether the rest could be read: the connection is kept or closed.
  body.dump({ limit: worthKeeping, signal: AbortSignal.timeout(1_000) }).catch(() => undefined)
}
