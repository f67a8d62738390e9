import type { MetadataDocument } from './metadataDocument.ts'

/** A token whose metadata is due. */
export type DueToken = {
  /** 32 hex digits with or without dashes. */
  hash: string
  tokenId: bigint
  /** Tries that failed in a row. */
  attempts: number
  dueAt: Date
  /**
   * `announced_at` of its row when the token was taken to be read, as text of the database. The settling finds another value there where the
   * contract announced the token meanwhile. Comparing times would not show that, as a block's transaction that begins earlier may end
   * later.
   */
  announcedAt: string | null
}

/** Outcome of a token in a time slice. `reason` is as readable text and holds no NUL. */
export type Outcome =
  | { state: 'ok'; uri: string; document: MetadataDocument }
  | { state: 'failed'; uri: string | null; reason: string; retryAt: Date }
  | { state: 'permanent'; uri: string | null; reason: string }
  | Untried

/** No metadata was requested: only when the token is due again, or for which host it waits, is stored. */
export type Untried =
  /** Its host is paused for now. */
  | { state: 'busy'; reason: string; retryAt: Date }
  /** Its host is dead. */
  | { state: 'parked'; reason: string; host: string }

export function isUntried(outcome: Outcome): outcome is Untried {
  return outcome.state === 'busy' || outcome.state === 'parked'
}

/** The token URI that was read; null if none was. */
export function uriOf(outcome: Outcome): string | null {
  return isUntried(outcome) ? null : outcome.uri
}

/** A token with its outcome, and when that came. */
export type Settled = { token: DueToken; outcome: Outcome; at: Date }
