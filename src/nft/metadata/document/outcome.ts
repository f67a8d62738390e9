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
   * When its contract last announced it, as far as that was stored when it was taken to be read, as the database writes it. Who
   * settles it finds another one where it was announced meanwhile: no time would tell, as a block's transaction that begins
   * earlier may end later.
   */
  announcedAt: string | null
}

/** What came of a token in a turn. `reason` is for people and holds no NUL. */
export type Outcome =
  | { state: 'ok'; uri: string; document: MetadataDocument }
  | { state: 'failed'; uri: string | null; reason: string; retryAt: Date }
  | { state: 'permanent'; uri: string | null; reason: string }
  | Untried

/** Nothing was asked for: of the token is stored when it is due, or what it waits for, and nothing else. */
export type Untried =
  /** Its host is left alone for now. */
  | { state: 'busy'; reason: string; retryAt: Date }
  /** Its host is dead. */
  | { state: 'parked'; reason: string; host: string }

export function isUntried(outcome: Outcome): outcome is Untried {
  return outcome.state === 'busy' || outcome.state === 'parked'
}

/** The token URI that was read; null: none was. */
export function uriOf(outcome: Outcome): string | null {
  return isUntried(outcome) ? null : outcome.uri
}

export type Settled = { token: DueToken; outcome: Outcome; at: Date }
