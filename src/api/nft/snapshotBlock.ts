import type { NftFiles } from '../../nft/fileQuery.ts'
import { NotCoveredError } from '../http/errors.ts'
import type { Exchange } from '../http/route.ts'
import type { Collection, Collections } from './collections/collections.ts'
import { reportedNow } from './collections/reportCollection.ts'
import { collectionSnapshot } from './pages.ts'

/** The block of a snapshot: the requested one, else the last final covered one. Throws NotCoveredError. */
export async function snapshotBlock(
  { collections, files }: { collections: Collections; files: NftFiles },
  { requested, collection, exchange }: { requested: number | undefined; collection: Collection; exchange: Exchange },
): Promise<number> {
  if (requested !== undefined) return requested
  const { state, report } = await collectionSnapshot({ collections, collection, exchange })
  const last = state ? await files.finalBlock(collection.chainId, state) : null
  if (last === null)
    throw new NotCoveredError('as_of_block is omitted, and no final block is covered yet; retry later', {
      headers: reportedNow(report),
    })
  return Number(last)
}
