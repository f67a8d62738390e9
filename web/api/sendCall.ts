import type { ApiCall } from './apiCall.ts'
import { ApiFault, lostAnswer } from './apiFault.ts'
import { noteServerTime } from './serverTime.ts'

export type Answered<T> = { data: T; etag: string | null; headers: Headers }

/** The response is unchanged (304). Its headers, such as the indexing progress, are current. */
export type Unchanged = { unchanged: true; headers: Headers }

export type SendOptions = {
  /** A key, or the token of a session; empty for a request that needs none. */
  key: string
  /** ETag of the known response. */
  etag?: string | null
  signal?: AbortSignal
  fetch?: typeof fetch
}

/** Sends a request with a key. Throws ApiFault. */
export async function sendCall<T>(call: ApiCall<T>, options: SendOptions): Promise<Answered<T> | Unchanged> {
  const response = await openCall(call, { ...options, accept: 'application/json' })
  if (response.status === 304) return { unchanged: true, headers: response.headers }
  const json = parsed(await readPart(call, response.text()))
  if (json === undefined) throw new ApiFault('the response of the server is not JSON', faultOptions(response))
  return { data: json as T, etag: response.headers.get('etag'), headers: response.headers }
}

/** The same for a file: returns when the headers arrive. */
export async function openCall(call: ApiCall<unknown>, options: SendOptions & { accept?: string }): Promise<Response> {
  const { key, etag, signal, fetch: request = fetch, accept = '*/*' } = options
  const headers = headersOf({ accept, ...(key !== '' && { 'x-api-key': key }) })
  if (etag) headers.set('if-none-match', etag)
  if (call.body !== undefined) headers.set('content-type', 'application/json')
  const body = call.body === undefined ? null : JSON.stringify(call.body)
  let response: Response
  try {
    // The poller keeps responses: a copy in the browser's cache would outlive the session.
    response = await request(call.target, {
      method: call.method,
      headers,
      body,
      cache: 'no-store',
      signal: signal ?? null,
    })
  } catch {
    throw notAnswered(call, signal)
  }
  noteServerTime(response.headers)
  if (response.ok || response.status === 304) return response
  // The status says that nothing was changed, even if the connection breaks then.
  const text = await response.text().catch((error: unknown) => {
    if (error instanceof TypeError) return ''
    throw error
  })
  const message = messageOf(parsed(text))
  throw new ApiFault(
    message ?? `the server returned ${response.status} ${response.statusText}`.trim(),
    faultOptions(response),
  )
}

/** A pasted key can be any text. */
function headersOf(values: Record<string, string>): Headers {
  try {
    return new Headers(values)
  } catch (cause) {
    if (cause instanceof TypeError) throw new ApiFault('the API key contains invalid characters', { status: 401 })
    throw cause
  }
}

/** Waits for a part of a body. Throws ApiFault if the connection breaks, and the reason of an abort as it is. */
export async function readPart<T>(call: ApiCall<unknown>, part: Promise<T>): Promise<T> {
  try {
    return await part
  } catch (error) {
    // An abort is a DOMException. Browsers have their own texts for a broken connection.
    if (!(error instanceof TypeError)) throw error
    throw lostAnswer(call, 'the server did not finish its response')
  }
}

function notAnswered(call: ApiCall<unknown>, signal: AbortSignal | undefined): ApiFault {
  signal?.throwIfAborted()
  return lostAnswer(call, 'the server does not respond')
}

function faultOptions({ status, headers }: Response) {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return {
    status,
    // The server logs request ids of 500 responses only.
    requestId: status === 500 ? headers.get('x-request-id') : null,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : null,
  }
}

/** undefined: no JSON, such as a proxy's error page. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text, withDigits as (key: string, value: unknown) => unknown)
  } catch {
    return undefined
  }
}

/** An integer above 2^53, as attributes may have, is parsed rounded. So it becomes its digits, which the browser passes as `source`. */
function withDigits(_key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? (source ?? value) : value
}

function messageOf(json: unknown): string | undefined {
  const message = (json as { message?: unknown } | null | undefined)?.message
  return typeof message === 'string' ? message : undefined
}
