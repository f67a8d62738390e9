import type { Collection } from './collections.ts'
import { type CollectionTarget, createCollectionTarget } from './collectionTarget.ts'
import { type PageQuery, pagePayload } from './pageQuery.ts'

/** A page of a collection, whatever the state of the collection. */
export type NftPageTarget = CollectionTarget & { query: PageQuery }

export const nftPageRoute = '/api/v2/nft/{address}'

export function createPageTarget(options: { collection: Collection; query: PageQuery; salt: string }): NftPageTarget {
  const { query } = options
  const name = JSON.stringify(pagePayload(query))
  return { ...createCollectionTarget({ ...options, route: nftPageRoute, name }), query }
}
