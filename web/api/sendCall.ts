import type { ApiCall } from './apiCall.ts'
import { ApiFault } from './apiFault.ts'

export type Answered<T> = { data: T; etag: string | null; headers: Headers }

export type SendOptions = {
  key: string
  /** Tag of the answer that is known already. */
  etag?: string | null
  signal?: AbortSignal
  fetch?: typeof fetch
}

/** Sends a request with a key. `unchanged`: the answer is still the one that `etag` names. Throws ApiFault. */
export async function sendCall<T>(call: ApiCall<T>, options: SendOptions): Promise<Answered<T> | 'unchanged'> {
  const { key, etag, signal, fetch: ask = fetch } = options
  const headers = new Headers({ accept: 'application/json', 'x-api-key': key })
  if (etag) headers.set('if-none-match', etag)
  if (call.body !== undefined) headers.set('content-type', 'application/json')
  const body = call.body === undefined ? null : JSON.stringify(call.body)
  let response: Response
  let text: string
  try {
    // Answers are kept here, by their tags: a second copy in the browser's cache would outlive the session.
    response = await ask(call.target, { method: call.method, headers, body, cache: 'no-store', signal: signal ?? null })
    if (response.status === 304) return 'unchanged'
    text = await response.text()
  } catch (error) {
    signal?.throwIfAborted()
    throw new ApiFault(`the server does not answer: ${(error as Error).message}`, { status: 0 })
  }
  const json = parsed(text)
  if (response.ok && json !== undefined)
    return { data: json as T, etag: response.headers.get('etag'), headers: response.headers }
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  throw new ApiFault(messageOf(json) ?? `the server answered ${response.status} ${response.statusText}`.trim(), {
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : null,
  })
}

/** undefined: no JSON, as a proxy's page of an error. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function messageOf(json: unknown): string | undefined {
  const message = (json as { message?: unknown } | null | undefined)?.message
  return typeof message === 'string' ? message : undefined
}
