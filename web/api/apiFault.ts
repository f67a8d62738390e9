import type { ApiCall } from './apiCall.ts'

/** Client errors that may pass: a timeout, a conflict with the current state, a rate limit. */
const passing: ReadonlySet<number> = new Set([408, 409, 429])

/** A failed request: the API's error, or no response at all (status 0). */
export class ApiFault extends Error {
  override readonly name = 'ApiFault'
  readonly status: number
  /** Id of the request in the server's log; null: not logged. */
  readonly requestId: string | null
  /** The server's `Retry-After`; null: none. */
  readonly retryAfterMs: number | null

  constructor(message: string, options: { status: number; requestId?: string | null; retryAfterMs?: number | null }) {
    super(message)
    this.status = options.status
    this.requestId = options.requestId ?? null
    this.retryAfterMs = options.retryAfterMs ?? null
  }

  /** Whether the same request may succeed at once. After other client errors it is the request that has to change. */
  get isRetryable(): boolean {
    return this.status < 400 || this.status >= 500 || passing.has(this.status)
  }
}

/** Requests that change nothing, although they use POST: a sign-in and a preview. */
const withoutChange = /^\/session\b|\/preview$/

/** The error of a request whose response is lost. After a change, it warns that the same request may change something twice. */
export function lostAnswer({ method, target }: ApiCall<unknown>, message: string): ApiFault {
  const isChange = method !== 'GET' && !withoutChange.test(target)
  return new ApiFault(isChange ? `${message}, but may have made the change` : message, { status: 0 })
}

/** Converts any thrown value to the error of a request. */
export function faultOf(error: unknown): ApiFault {
  if (error instanceof ApiFault) return error
  const isTimeout = error instanceof DOMException && error.name === 'TimeoutError'
  return new ApiFault(isTimeout ? 'the server did not respond in time' : String(error), { status: 0 })
}
