import { connectionWords } from './faults/connectionWords.ts'

/** A node, the database or its read replica is unreachable. Its watcher logs that once, and once that it is back; other parts that meet the outage log nothing. */
export type Outage = 'node' | 'database' | 'replica'

/** The outage that an error or one of its causes is about; undefined: the error has another reason. */
export function outageOf(error: unknown): Outage | undefined {
  for (let e: unknown = error, depth = 0; e instanceof Error && depth < 5; e = e.cause, depth++) {
    const { outage } = e as { outage?: Outage }
    if (outage !== undefined) return outage
  }
  return undefined
}

/** Every code of an error of Mintmark: what `nextStep` and `errorAnswer` know them by. */
export type ErrorCode =
  | 'ADDRESS_BLOCKED'
  | 'ADDRESS_LIST'
  | 'ANVIL_START'
  | 'APTOS_ABSENT'
  | 'APTOS_ANSWER'
  | 'APTOS_HEAD'
  | 'APTOS_IDENTITY'
  | 'APTOS_PRUNED'
  | 'APTOS_RATE_LIMITED'
  | 'APTOS_REFUSED'
  | 'APTOS_SILENT'
  | 'APTOS_SOURCES'
  | 'APTOS_UNAVAILABLE'
  | 'BACKUP_EXISTS'
  | 'BACKUP_FILE'
  | 'BAD_ANSWER'
  | 'BAD_REQUEST'
  | 'BAD_URL'
  | 'BLOCK_MOVED'
  | 'BLOCK_UNSETTLED'
  | 'CHAIN_IDENTITY'
  | 'COIN_FILE'
  | 'COIN_RECORD'
  | 'COMPARE'
  | 'CONFIG'
  | 'CONFLICT'
  | 'CONTENT_MISMATCH'
  | 'CONTENT_MISSING'
  | 'CURSOR_LOST'
  | 'DATABASE_BEHIND'
  | 'DATABASE_NOT_EMPTY'
  | 'DATABASE_POOLED'
  | 'DATABASE_RIGHT'
  | 'DATABASE_TOO_NEW'
  | 'DATABASE_TOO_OLD'
  | 'DATABASE_UNAVAILABLE'
  | 'DATA_DIR'
  | 'DATA_DIR_IN_USE'
  | 'DATA_VERSION'
  | 'DEEP_REORG'
  | 'INCONSISTENT_RESPONSE'
  | 'DISTRIBUTION_UNFINISHED'
  | 'EMBEDDED_POSTGRES_UNAVAILABLE'
  | 'FORBIDDEN'
  | 'FRAME'
  | 'GATEWAYS_FAILED'
  | 'GONE'
  | 'HISTORY_LAGGING'
  | 'HISTORY_LOST'
  | 'HOST_BUSY'
  | 'NOT_SENT'
  | 'HOST_UNAVAILABLE'
  | 'HTTP_STATUS'
  | 'INDEXING_FAILED'
  | 'INITDB_FAILED'
  | 'INVALID_PREVIEW_KEY'
  | 'LISTEN'
  | 'LOG_RANGE'
  | 'METHOD_NOT_ALLOWED'
  | 'NETWORK_LOST'
  | 'NOTHING_TO_BACK_UP'
  | 'NOT_ACCEPTABLE'
  | 'NODES_UNREACHABLE'
  | 'NODE_LANGUAGE'
  | 'NOT_COMPARABLE'
  | 'NOT_DISTRIBUTABLE'
  | 'NOT_FOUND'
  | 'NO_DATABASE'
  | 'NO_ENDPOINT'
  | 'OTHER_TIMELINE'
  | 'PAYLOAD_TOO_LARGE'
  | 'POSTGRES_START'
  | 'POSTGRES_STOP'
  | 'PREVIEWER_CLOSED'
  | 'PREVIEW_WORKER'
  | 'QUANTITY'
  | 'RANGE'
  | 'RANGE_ERROR'
  | 'READ_AGAIN'
  | 'REPLICA'
  | 'RPC'
  | 'SCHEMA_DIFFERS'
  | 'SERVER_VERSION'
  | 'STATE_UNAVAILABLE'
  | 'TIMEOUT'
  | 'TOO_LARGE'
  | 'TOO_MANY_REDIRECTS'
  | 'THREAD_FAILED'
  | 'TOO_MANY_REQUESTS'
  | 'TRACES_UNAVAILABLE'
  | 'TURN_LOST'
  | 'UNAUTHORIZED'
  | 'UNAVAILABLE'
  | 'UNMATCHABLE'
  | 'UNWANTED_BODY'
  | 'URI_TOO_LONG'
  | 'VERIFICATION'
  | 'WORKER_ADDRESS'

/**
 * The root of every error that Mintmark itself throws. `code` is stable and is what programs compare;
 * `retryable` says whether the same call may succeed later without anyone changing anything.
 */
export abstract class MintmarkError extends Error {
  abstract readonly code: ErrorCode
  readonly retryable: boolean = false
  /** The node or database that is unreachable, where the error says nothing else. */
  readonly outage: Outage | undefined = undefined
  /** Facts that help the reader, never secrets. Sent to API clients where the error is theirs. */
  readonly details?: Record<string, unknown>

  constructor(message: string, options: { cause?: unknown; details?: Record<string, unknown> } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.name = new.target.name
    if (options.details) this.details = options.details
  }
}

/** An invalid request: the parameter, its error and what is allowed. HTTP 400. */
export class BadRequestError extends MintmarkError {
  readonly code = 'BAD_REQUEST'
}

/** No such thing. HTTP 404. */
export class NotFoundError extends MintmarkError {
  readonly code = 'NOT_FOUND'
}

/** There is no stream of an id. HTTP 404. */
export class UnknownStreamError extends NotFoundError {
  constructor(id: string) {
    super(`there is no stream ${id}`)
  }
}

/** The request cannot be done in the present state; the message has the reason. HTTP 409. */
export class ConflictError extends MintmarkError {
  readonly code = 'CONFLICT'
}

/** It was here and is not any more, and the message says why. HTTP 410. */
export class GoneError extends MintmarkError {
  readonly code = 'GONE'
}

/** A bound of the server is reached; the caller may try again after `retryAfterSeconds`. HTTP 429. */
export class TooManyRequestsError extends MintmarkError {
  readonly code = 'TOO_MANY_REQUESTS'
  override readonly retryable = true
  readonly retryAfterSeconds: number

  constructor(message: string, options: { retryAfterSeconds: number; cause?: unknown }) {
    super(message, options)
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** The server cannot answer now: it starts, or its database is unreachable. HTTP 503. */
export class UnavailableError extends MintmarkError {
  readonly code = 'UNAVAILABLE'
  override readonly retryable = true
}

/** What is requested is being made, and nothing is wrong: retry. HTTP 503, and no line in the log. */
export class BeingMadeError extends UnavailableError {}

/** A page is of another block than the state of its collection that was read before it: both are to be read again. HTTP 503. */
export class CollectionMovedError extends UnavailableError {}

/** The configuration has errors: all of them, not only the first. */
export class ConfigError extends MintmarkError {
  readonly code = 'CONFIG'
}

/**
 * The message of anything that was thrown, with what its causes add to it, on one line. For the log and the terminal, which
 * mask secrets: what nodes, drivers and the runtime say may repeat an address with its key.
 */
export function describeError(error: unknown): string {
  return joinMessages(error, (e) => (e instanceof Error ? e.message || e.name : String(e)))
}

/** The same for clients and the database: our own errors in their words, of any other nothing but what its code says. */
export function describeOwnError(error: MintmarkError): string {
  return joinMessages(error, (e) => (e instanceof MintmarkError ? e.message : codeWords(e)))
}

function codeWords(error: unknown): string | undefined {
  const code = errorCode(error)
  return code && connectionWords(code)
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

/** The code of what was thrown, such as ECONNREFUSED or 22P05; of several errors that of the first. Undefined where it has none. */
export function errorCode(error: unknown): string | undefined {
  const { code, errors } = (error ?? {}) as { code?: unknown; errors?: { code?: unknown }[] }
  const found = code ?? (Array.isArray(errors) ? (errors[0] as { code?: unknown } | undefined)?.code : undefined)
  return typeof found === 'string' && /^[A-Z0-9_]{2,50}$/.test(found) ? found : undefined
}
