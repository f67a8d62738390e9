import type { Database } from '../../../db/database.ts'
import { requestMedia, type WantedMedia } from '../../media/mediaStore.ts'
import { queueTokens } from '../../metadata/store/metadataStore.ts'
import { requestRanks } from '../../rarity/rankCollections.ts'

type Key = { partition: number; id: bigint }

/** Metadata read before this time is stale; null: never. */
export function staleBefore(refreshAfterMs: number | null): Date | null {
  return refreshAfterMs === null ? null : new Date(Date.now() - refreshAfterMs)
}

/** Requests that showing tokens causes, written to the primary. */
export type ShownRequests = {
  /** Unrequested previews. */
  media(collection: Key, media: readonly WantedMedia[]): Promise<void>
  /** Stale metadata. */
  metadata(collection: Key, tokens: readonly { hash: string; tokenId: string }[]): Promise<void>
  /** Rarity ranks. */
  ranks(collection: Key): Promise<void>
}

/**
 * `isBehind`: pages may be old, as a replica shows them, and the collection may be removed by now. Its rows are removed permanently a minute later,
 * so none may be added then.
 */
export function createShownRequests(primary: Database, { isBehind }: { isBehind: boolean }): ShownRequests {
  const isThere = async ({ partition, id }: Key) =>
    !isBehind ||
    (await primary.rows('SELECT 1 FROM collection WHERE partition = $1 AND id = $2', [partition, id])).length > 0
  return {
    async media(collection, media) {
      if (await isThere(collection)) await requestMedia(primary, collection, media)
    },
    async metadata(collection, tokens) {
      const { partition, id } = collection
      if (await isThere(collection))
        await queueTokens(
          primary,
          tokens.map((token) => ({ partition, id, ...token })),
        )
    },
    // Changes only the collection's row.
    ranks: (collection) => requestRanks(primary, collection),
  }
}
