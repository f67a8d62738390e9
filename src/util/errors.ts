import { connectionMessages } from './faults/connectionMessages.ts'

/** A node, the database or its read replica is unreachable. Its watcher logs the begin and the end once; other parts with such errors log nothing. */
export type Outage = 'node' | 'database' | 'replica'

/** The outage that caused an error, also through its causes; undefined: another reason. */
export function outageOf(error: unknown): Outage | undefined {
  for (let e: unknown = error, depth = 0; e instanceof Error && depth < 5; e = e.cause, depth++) {
    const { outage } = e as { outage?: Outage }
    if (outage !== undefined) return outage
  }
  return undefined
}

/**
 * The base class of every error that Mintmark itself throws. `code` is stable and for programs; `retryable` says whether the same call may succeed
 * later without any change.
 */
export abstract class MintmarkError extends Error {
  abstract readonly code: string
  readonly retryable: boolean = false
  /** The unreachable node or database, if that is all that the error means. */
  readonly outage: Outage | undefined = undefined
  /** Helpful facts, never secrets. Sent to API clients if they caused the error. */
  readonly details?: Record<string, unknown>

  constructor(message: string, options: { cause?: unknown; details?: Record<string, unknown> } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.name = new.target.name
    if (options.details) this.details = options.details
  }
}

/** An invalid request: the parameter, its fault and the allowed values. HTTP 400. */
export class BadRequestError extends MintmarkError {
  readonly code = 'BAD_REQUEST'
}

/** The resource does not exist. HTTP 404. */
export class NotFoundError extends MintmarkError {
  readonly code = 'NOT_FOUND'
}

/** There is no stream with an id. HTTP 404. */
export class UnknownStreamError extends NotFoundError {
  constructor(id: string) {
    super(`there is no stream ${id}`)
  }
}

/** The request is not possible in the current state; the message has the reason. HTTP 409. */
export class ConflictError extends MintmarkError {
  readonly code = 'CONFLICT'
}

/** The resource existed but was removed; the message has the reason. HTTP 410. */
export class GoneError extends MintmarkError {
  readonly code = 'GONE'
}

/** A limit of the server is reached; the caller may retry after `retryAfterSeconds`. HTTP 429. */
export class TooManyRequestsError extends MintmarkError {
  readonly code = 'TOO_MANY_REQUESTS'
  override readonly retryable = true
  readonly retryAfterSeconds: number

  constructor(message: string, options: { retryAfterSeconds: number; cause?: unknown }) {
    super(message, options)
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** The server cannot answer now: it is starting, or its database is unreachable. HTTP 503. */
export class UnavailableError extends MintmarkError {
  readonly code = 'UNAVAILABLE'
  override readonly retryable = true
}

/** The requested resource is being created, which is normal: retry. HTTP 503, without a log line. */
export class BeingMadeError extends UnavailableError {}

/** A page is of another block than its collection's state that was read before: both must be read again. HTTP 503. */
export class CollectionMovedError extends UnavailableError {}

/** All errors of the configuration, not only the first. */
export class ConfigError extends MintmarkError {
  readonly code = 'CONFIG'
}

/**
 * The message of anything thrown, with the messages of its causes, on one line. For the log and the terminal, which mask secrets: messages of nodes,
 * drivers and the runtime may repeat a URL with its key.
 */
export function describeError(error: unknown): string {
  return joinMessages(error, (e) => (e instanceof Error ? e.message || e.name : String(e)))
}

/** The same for clients and the database: our own errors with their messages, all others only by their code. */
export function describeOwnError(error: MintmarkError): string {
  return joinMessages(error, (e) => (e instanceof MintmarkError ? e.message : codeNames(e)))
}

function codeNames(error: unknown): string | undefined {
  const code = errorCode(error)
  return code && connectionMessages(code)
}

function joinMessages(error: unknown, textOf: (e: unknown) => string | undefined): string {
  const parts: string[] = []
  for (
    let e: unknown = error, depth = 0;
    e !== undefined && e !== null && depth < 5;
    e = e instanceof Error ? e.cause : undefined, depth++
  ) {
    const text = textOf(e)
    if (text !== undefined && !parts.some((part) => part.includes(text))) parts.push(text)
  }
  return parts.join(': ')
}

/** The code of a thrown value, such as ECONNREFUSED or 22P05; of several errors that of the first. Undefined if it has none. */
export function errorCode(error: unknown): string | undefined {
  const { code, errors } = (error ?? {}) as { code?: unknown; errors?: { code?: unknown }[] }
  const found = code ?? (Array.isArray(errors) ? (errors[0] as { code?: unknown } | undefined)?.code : undefined)
  return typeof found === 'string' && /^[A-Z0-9_]{2,50}$/.test(found) ? found : undefined
}
