import { z } from 'zod'
import type { CollectionState, HolderPlace, NftQuery } from '../../nft/query.ts'
import type { Address } from '../../util/hex.ts'
import { quantity } from '../../util/hex.ts'
import type { Cursors } from '../pages/cursor.ts'
import { type ListPlace, readList } from '../pages/filteredList.ts'
import { type ApiChain, type CollectionName, chainWithNode } from './chains.ts'
import { hasRecords, noRecords, recordPage } from './recordPage.ts'
import { type RecordFilters, recordDefaults, recordOptions, recordParameters } from './recordParameters.ts'

/** Names the operation inside its cursors, with the version of what they hold. */
const operation = 'nft.owners.1'

/** The query parameters of a page of owners. */
export function ownersQuerySchema(options: { chains: readonly ApiChain[] }) {
  return z.object(
    recordParameters({ ...options, total: 'total counts the owners, one for each token that they hold.' }),
  )
}

/** `chain` is the id in hex, `token_id` decimal; null: of all tokens. */
type OwnersFilters = RecordFilters & { chain: string; address: string; token_id: string | null }

/** Which page of the owners of a collection, or of one of its tokens. */
export type OwnersQuery = CollectionName & { tokenId: bigint | null; place: ListPlace<OwnersFilters> }

/** After whom a page begins, and what was counted when the walk began; null: nothing was. */
type After = [hash: string, holder: Address | null, total: number | null] | null

/** Joins path, query and cursor. Throws BadRequestError. */
export function readOwnersQuery(options: {
  address: Address
  tokenId: bigint | null
  query: z.output<ReturnType<typeof ownersQuerySchema>>
  chains: readonly ApiChain[]
  cursors: Cursors
}): OwnersQuery {
  const { address, tokenId, query, chains, cursors } = options
  const { cursor, chain: named, ...given } = query
  const asked = named || !cursor ? quantity(chainWithNode(named, chains).id) : undefined
  const place = readList({
    operation,
    cursors,
    cursor,
    given: { ...given, chain: asked, address, token_id: tokenId === null ? null : String(tokenId) },
    defaults: { ...recordDefaults, chain: '', address: '', token_id: null } as OwnersFilters,
  })
  const chain = chains.find(({ id }) => quantity(id) === place.filters.chain)
  return { chain: chainWithNode(chain, chains), address, tokenId, place }
}

/** The query as text, for the cache of pages. */
export function ownersName({ place }: OwnersQuery): string {
  return `owners ${JSON.stringify(place)}`
}

/** The body of a page of owners. `state` undefined: nothing is known of the collection yet. */
export async function cutOwners(options: {
  nft: NftQuery
  cursors: Cursors
  query: OwnersQuery
  state: CollectionState | undefined
  status: 'SYNCED' | 'SYNCING'
}): Promise<Buffer> {
  const { nft, cursors, query, state, status } = options
  const { address, tokenId, place } = query
  const { filters, page, walked = 0 } = place
  const after = place.after as After
  const { limit } = filters
  return recordPage<HolderPlace>({
    walk: { page, limit, given: walked, total: after?.[2] ?? null, counts: !filters.disable_total },
    found: hasRecords(state)
      ? await nft.owners({ state, address, tokenId, after: placeOf(after), limit, ...recordOptions(filters) })
      : noRecords(),
    count: async () => (state ? nft.countOwners({ state, address, tokenId }) : 0),
    sign({ after: { hash, holder }, given, total }) {
      const next: After = [hash, holder, total]
      return cursors.sign(operation, { filters, page: page + 1, after: next, walked: given })
    },
    status,
  })
}

function placeOf(after: After): HolderPlace | null {
  return after && { hash: after[0], holder: after[1] }
}
