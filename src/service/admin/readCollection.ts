import type { Database } from '../../db/database.ts'
import { type CollectionDetail, readCollectionDetail } from '../../nft/pages/collectionDetail.ts'
import type { CollectionState } from '../../nft/query.ts'
import { type ChainAddress, ofCollection } from './ofCollection.ts'

/**
 * Where a collection stands, with all that is known of it besides. What is counted over its tokens is null where it takes longer
 * than `countMs`. undefined: the collection was never asked for.
 */
export function readCollection(
  db: Database,
  place: ChainAddress,
  options: { countMs: number },
): Promise<{ state: CollectionState; detail: CollectionDetail } | undefined> {
  return ofCollection(db, place, async (state) => {
    const detail = await readCollectionDetail(db, state, options)
    return detail && { state, detail }
  })
}
