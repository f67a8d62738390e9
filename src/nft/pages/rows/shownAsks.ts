import type { Database } from '../../../db/database.ts'
import { askForMedia, type WantedMedia } from '../../media/mediaStore.ts'
import { makeDue } from '../../metadata/store/metadataStore.ts'
import { askForRanks } from '../../rarity/rankCollections.ts'

type Key = { partition: number; id: bigint }

/** The time before which metadata is too old to be shown as it is; null: none is. */
export function staleBefore(refreshAfterMs: number | null): Date | null {
  return refreshAfterMs === null ? null : new Date(Date.now() - refreshAfterMs)
}

/** What the showing of tokens requests, written to the primary. */
export type ShownAsks = {
  /** Previews that nobody requested yet. */
  media(collection: Key, media: readonly WantedMedia[]): Promise<void>
  /** Metadata that is too old. */
  documents(collection: Key, tokens: readonly { hash: string; tokenId: string }[]): Promise<void>
  /** Places by rarity. */
  ranks(collection: Key): Promise<void>
}

/**
 * `isBehind`: pages may be of long ago, as a replica shows them, and the collection may be removed by now. Its rows are removed permanently
 * a minute after it was, so none may be added then.
 */
export function createShownAsks(primary: Database, { isBehind }: { isBehind: boolean }): ShownAsks {
  const isThere = async ({ partition, id }: Key) =>
    !isBehind ||
    (await primary.rows('SELECT 1 FROM collection WHERE partition = $1 AND id = $2', [partition, id])).length > 0
  return {
    async media(collection, media) {
      if (await isThere(collection)) await askForMedia(primary, collection, media)
    },
    async documents(collection, tokens) {
      if (await isThere(collection)) await makeDue(primary, collection, tokens)
    },
    // Changes the row of the collection alone.
    ranks: (collection) => askForRanks(primary, collection),
  }
}
