import type { TokenMetadata } from './tokenMetadata.ts'

/** A token with due metadata. */
export type DueToken = {
  /** 32 hex digits with or without dashes. */
  hash: string
  tokenId: bigint
  /** Consecutive failures. */
  attempts: number
  dueAt: Date
  /**
   * `announced_at` of its row when the token was taken, as PostgreSQL text. If the contract announced the token meanwhile, settling finds another
   * value. Comparing times would not show that, as transactions may end in another order than they began.
   */
  announcedAt: string | null
}

/** Outcome of a token in a time slice. `reason` is readable text without NUL. */
export type Outcome =
  | { state: 'ok'; uri: string; metadata: TokenMetadata }
  | { state: 'failed'; uri: string | null; reason: string; retryAt: Date }
  | { state: 'permanent'; uri: string | null; reason: string }
  | Untried

/** No metadata was requested. Only the next due time, or the host that the token waits for, is stored. */
export type Untried =
  /** Its host is paused. */
  | { state: 'busy'; reason: string; retryAt: Date }
  /** Its host is dead. */
  | { state: 'parked'; reason: string; host: string }

export function isUntried(outcome: Outcome): outcome is Untried {
  return outcome.state === 'busy' || outcome.state === 'parked'
}

/** The token URI that was read; null: none. */
export function uriOf(outcome: Outcome): string | null {
  return isUntried(outcome) ? null : outcome.uri
}

/** A token with its outcome and time. */
export type Settled = { token: DueToken; outcome: Outcome; at: Date }
