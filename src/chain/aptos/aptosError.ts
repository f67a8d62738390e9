import { MintmarkError } from '../../util/errors.ts'

/** An error of a source of an Aptos-style chain. */
export abstract class AptosError extends MintmarkError {}

/** No connection, a broken stream, or a 5xx response. */
export class AptosUnavailableError extends AptosError {
  readonly code = 'APTOS_UNAVAILABLE'
  override readonly retryable = true
}

/** A stream stopped sending, and a new connection gets no answer either or shows versions that the stream does not send. */
export class AptosUnresponsiveError extends AptosError {
  readonly code = 'APTOS_SILENT'
  override readonly retryable = true
}

/** An invalid answer: repeated or missing versions, a truncated message, or a body that is not JSON. */
export class AptosAnswerError extends AptosError {
  readonly code = 'APTOS_ANSWER'
  override readonly retryable = true
}

/** The server reports that it does not have the version: it is past the head, or pruned. */
export class AptosAbsentError extends AptosError {
  readonly code = 'APTOS_ABSENT'
  override readonly retryable = true
  /** True: the server reports that the version is past its head; false: it does not say. */
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
  /** The wait that the server requested; undefined: none. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, options: { retryAfterMs: number | undefined; cause?: unknown }) {
    super(message, options)
    this.retryAfterMs = options.retryAfterMs
  }
}

/** The node pruned this version. Only another node or a later start version helps. */
export class AptosPrunedError extends AptosError {
  readonly code = 'APTOS_PRUNED'
}

/** The source serves another chain than the stored one, or two sources of one network serve different chains. */
export class AptosIdentityError extends AptosError {
  readonly code = 'APTOS_IDENTITY'
}

/** All sources of a network failed; the message has the reason of each. */
export class AptosSourcesError extends AptosError {
  readonly code = 'APTOS_SOURCES'
  override readonly retryable: boolean

  constructor(message: string, options: { retryable: boolean; cause: unknown }) {
    super(message, options)
    this.retryable = options.retryable
  }
}

/** The node rejects the token, or is not a node of this kind. */
export class AptosRejectedError extends AptosError {
  readonly code = 'APTOS_REFUSED'
}
