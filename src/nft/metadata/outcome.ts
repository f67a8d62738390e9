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

/** What came of one try. `reason` is for people and holds no NUL. */
export type Outcome =
  | { state: 'ok'; uri: string; document: MetadataDocument }
  | { state: 'failed'; uri: string | null; reason: string; retryAt: Date; counted: boolean }
  /** Its host is dead: it waits for it, and nothing else of it is stored. */
  | { state: 'parked'; uri: string; reason: string; host: string }
  | { state: 'permanent'; uri: string | null; reason: string }

export type Settled = { token: DueToken; outcome: Outcome; at: Date }
