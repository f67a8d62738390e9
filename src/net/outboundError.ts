import { MintmarkError } from '../util/errors.ts'

/** A request to an untrusted URL failed. `host` is host:port, never a path: paths may contain keys. */
export abstract class OutboundError extends MintmarkError {}

/** The fault of a URL, before its host is looked up. */
export type UrlFault =
  | 'syntax'
  | 'scheme'
  | 'credentials'
  | 'port'
  | 'host'
  | 'too_long'
  /** http after https. */
  | 'downgrade'

/** The server never requests such a URL. Not retryable. */
export class BadUrlError extends OutboundError {
  readonly code = 'BAD_URL'
  readonly fault: UrlFault

  constructor(fault: UrlFault, detail: string) {
    super(detail, { details: { fault } })
    this.fault = fault
  }
}

/** The host has an address that this server does not connect to. Not retryable. */
export class AddressBlockedError extends OutboundError {
  readonly code = 'ADDRESS_BLOCKED'
  readonly host: string
  readonly address: string
  /** The kind of the address, such as `private`. */
  readonly reason: string

  constructor(options: { host: string; address: string; reason: string }) {
    super(`${options.host} is at ${options.address}, a ${options.reason} address: requests to it are blocked`, {
      details: options,
    })
    this.host = options.host
    this.address = options.address
    this.reason = options.reason
  }
}

/** The host redirects to an address that this server never requests. Retryable, as the redirect may end, unlike that address itself. */
export class RedirectRefusedError extends OutboundError {
  readonly code = 'REDIRECT_REFUSED'
  override readonly retryable = true
  override readonly cause: BadUrlError | AddressBlockedError

  constructor({ host, cause }: { host: string; cause: BadUrlError | AddressBlockedError }) {
    super(`${host} redirects to an address that is not requested`, { details: { host } })
    this.cause = cause
  }
}

/** The caller withdrew a POST before its first byte was sent. */
export class NotSentError extends OutboundError {
  readonly code = 'NOT_SENT'
}

/** The answer exceeds a limit: its decoded body, its headers, or the compression ratio of its body. Not retryable. */
export class TooLargeError extends OutboundError {
  readonly code = 'TOO_LARGE'
  readonly what: 'body' | 'headers' | 'ratio'

  constructor(options: { host: string; what: 'body' | 'headers' | 'ratio'; limit: number; cause?: unknown }) {
    const unit = options.what === 'ratio' ? ' times its packed size' : ' bytes'
    const [part, verb] = options.what === 'headers' ? ['headers', 'exceed'] : ['body', 'exceeds']
    super(`the ${part} of ${options.host} ${verb} ${options.limit}${unit}`, {
      cause: options.cause,
      details: { host: options.host, what: options.what, limit: options.limit },
    })
    this.what = options.what
  }
}

/** The start of the body shows that it is not wanted; the rest was not read. Not retryable. */
export class UnwantedBodyError extends OutboundError {
  readonly code = 'UNWANTED_BODY'
  readonly start: Buffer
  /** Bytes of the whole body by the host's announcement; undefined if there was none. */
  readonly size: number | undefined

  constructor({ host, start, size }: { host: string; start: Buffer; size: number | undefined }) {
    super(`the body of ${host} is of an unwanted type by its first bytes`, { details: { host } })
    this.start = start
    this.size = size
  }
}

/** Redirected more often than allowed. Not retryable. */
export class TooManyRedirectsError extends OutboundError {
  readonly code = 'TOO_MANY_REDIRECTS'

  constructor(options: { host: string; limit: number }) {
    super(`${options.host} redirects more than ${options.limit} times`, { details: options })
  }
}

/** The phase that took too long: connecting (with DNS lookup), the next bytes of a body, or the whole request. */
export type TimeoutPhase = 'connect' | 'idle' | 'total'

/** A time limit was exceeded. */
export class TimeoutError extends OutboundError {
  readonly code = 'TIMEOUT'
  override readonly retryable = true
  readonly phase: TimeoutPhase

  constructor(options: { host: string; phase: TimeoutPhase; ms: number; cause?: unknown }) {
    super(`${options.host} took longer than ${options.ms} ms (${options.phase})`, {
      cause: options.cause,
      details: { host: options.host, phase: options.phase, ms: options.ms },
    })
    this.phase = options.phase
  }
}

/** Why the exchange with the host failed. */
export type UnavailableKind = 'dns' | 'refused' | 'reset' | 'unreachable' | 'tls'

/** The host cannot be reached, or closed the connection. */
export class HostUnavailableError extends OutboundError {
  readonly code = 'HOST_UNAVAILABLE'
  override readonly retryable = true
  readonly kind: UnavailableKind

  constructor(options: { host: string; kind: UnavailableKind; cause?: unknown }) {
    super(`${options.host} cannot be reached (${options.kind})`, {
      cause: options.cause,
      details: { host: options.host, kind: options.kind },
    })
    this.kind = options.kind
  }
}

/** The response is not HTTP, or its body does not have the declared encoding. */
export class BadAnswerError extends OutboundError {
  readonly code = 'BAD_ANSWER'
  override readonly retryable = true

  constructor(options: { host: string; detail: string; cause?: unknown }) {
    super(`${options.host} answered ${options.detail}`, { cause: options.cause, details: { host: options.host } })
  }
}

const passing: ReadonlySet<number> = new Set([408, 421, 425, 429])

/** The host answered with a status without content. `retryAfterMs`: the requested wait, if any. */
export class HttpStatusError extends OutboundError {
  readonly code = 'HTTP_STATUS'
  override readonly retryable: boolean
  readonly status: number
  readonly retryAfterMs: number | undefined

  constructor(options: { host: string; status: number; retryAfterMs?: number | undefined }) {
    super(`${options.host} answered ${options.status}`, { details: { host: options.host, status: options.status } })
    this.status = options.status
    this.retryAfterMs = options.retryAfterMs
    this.retryable = passing.has(options.status) || (options.status >= 500 && options.status !== 501)
  }
}

/** The host is paused, or too many requests wait for it: nothing was sent. Retry after `retryAfterMs`. */
export class HostBusyError extends OutboundError {
  readonly code = 'HOST_BUSY'
  override readonly retryable = true
  readonly retryAfterMs: number

  constructor(options: { host: string; retryAfterMs: number; detail: string }) {
    super(`${options.host} ${options.detail}`, { details: { host: options.host, retryAfterMs: options.retryAfterMs } })
    this.retryAfterMs = options.retryAfterMs
  }
}
