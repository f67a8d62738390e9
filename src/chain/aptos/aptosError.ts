import { MintmarkError } from '../../errors.ts'

/** What a source of an Aptos-style chain throws. */
export abstract class AptosError extends MintmarkError {}

/** No connection, a cut stream, an answer of 5xx. */
export class AptosUnavailableError extends AptosError {
  readonly code = 'APTOS_UNAVAILABLE'
  override readonly retryable = true
}

/** A stream that said nothing for so long that it counts as dead; at the head of a quiet chain that is nothing wrong. */
export class AptosSilentError extends AptosError {
  readonly code = 'APTOS_SILENT'
  override readonly retryable = true
}

/** Versions that repeat or leave out others, a half message, a body that is no JSON. */
export class AptosAnswerError extends AptosError {
  readonly code = 'APTOS_ANSWER'
  override readonly retryable = true
}

/** The node says that its head is where it has nothing, again and again. */
export class AptosHeadError extends AptosError {
  readonly code = 'APTOS_HEAD'
}

/** Too many requests. */
export class AptosRateLimitedError extends AptosError {
  readonly code = 'APTOS_RATE_LIMITED'
  override readonly retryable = true
  /** How long the server asked to wait; undefined: it did not say. */
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

/** The node refuses the token, or is no node of this kind. */
export class AptosRefusedError extends AptosError {
  readonly code = 'APTOS_REFUSED'
}
