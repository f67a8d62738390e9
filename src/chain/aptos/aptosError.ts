import { MintmarkError } from '../../util/errors.ts'

/** What a source of an Aptos-style chain throws. */
export abstract class AptosError extends MintmarkError {}

/** No connection, a cut stream, an answer of 5xx. */
export class AptosUnavailableError extends AptosError {
  readonly code = 'APTOS_UNAVAILABLE'
  override readonly retryable = true
}

/** A stream stopped sending, and the server does not answer a new connection either, or has versions that the stream does not send. */
export class AptosSilentError extends AptosError {
  readonly code = 'APTOS_SILENT'
  override readonly retryable = true
}

/** An answer that cannot be right: versions that repeat or omit others, half a message, a body that is not JSON. */
export class AptosAnswerError extends AptosError {
  readonly code = 'APTOS_ANSWER'
  override readonly retryable = true
}

/** The server says that it has no such version: one past its head, or one that it dropped. */
export class AptosAbsentError extends AptosError {
  readonly code = 'APTOS_ABSENT'
  override readonly retryable = true
  /** The server says that the version is past its head; false: it does not say which. */
  readonly isPastHead: boolean

  constructor(message: string, options: { isPastHead: boolean; cause?: unknown }) {
    super(message, options)
    this.isPastHead = options.isPastHead
  }
}

/** The node repeatedly reports a head at which it has no version. */
export class AptosHeadError extends AptosError {
  readonly code = 'APTOS_HEAD'
}

/** Too many requests. */
export class AptosRateLimitedError extends AptosError {
  readonly code = 'APTOS_RATE_LIMITED'
  override readonly retryable = true
  /** How long the server requested a wait; undefined: it did not say. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, options: { retryAfterMs: number | undefined; cause?: unknown }) {
    super(message, options)
    this.retryAfterMs = options.retryAfterMs
  }
}

/** The node dropped this version; only another node, or a later start, helps. */
export class AptosPrunedError extends AptosError {
  readonly code = 'APTOS_PRUNED'
}

/** The source serves another chain than the one whose data is stored, or two sources of one network serve different ones. */
export class AptosIdentityError extends AptosError {
  readonly code = 'APTOS_IDENTITY'
}

/** No source of a network gives what is requested; the message has the reason of each. */
export class AptosSourcesError extends AptosError {
  readonly code = 'APTOS_SOURCES'
  override readonly retryable: boolean

  constructor(message: string, options: { retryable: boolean; cause: unknown }) {
    super(message, options)
    this.retryable = options.retryable
  }
}

/** The node refuses the token, or is no node of this kind. */
export class AptosRefusedError extends AptosError {
  readonly code = 'APTOS_REFUSED'
}
