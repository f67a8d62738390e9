import { z } from 'zod'
import type { AsOf, AsOfQuery } from '../../nft/asOfQuery.ts'
import type { CollectionState, HolderPlace, NftQuery } from '../../nft/query.ts'
import type { Address, Hex } from '../../util/hex.ts'
import type { Cursors } from '../pages/cursor.ts'
import type { ListPlace } from '../pages/filteredList.ts'
import { asOfParameter } from './asOf.ts'
import { type ChainFilters, readChainList } from './chainList.ts'
import type { ApiChain, CollectionName } from './chains.ts'
import { type FoundRecords, hasRecords, noRecords, recordPage } from './recordPage.ts'
import { type RecordFilters, recordDefaults, recordOptions, recordParameters } from './recordParameters.ts'

/** Operation id in cursors, with the version of their format. */
const operation = 'nft.owners.1'

/** The query parameters of a page of owners. */
export function ownersQuerySchema(options: { chains: readonly ApiChain[] }) {
  const total = 'total counts the owners, one for each token that they hold.'
  return z.object({ ...recordParameters({ ...options, total }), as_of_block: asOfParameter().optional() })
}

/** `chain` is the id in hex, `token_id` decimal; null: all tokens. */
type OwnersFilters = RecordFilters &
  ChainFilters & {
    address: string
    token_id: string | null
    as_of_block: number | null
  }

/** A page of the owners of a collection or of one token. */
export type OwnersQuery = CollectionName & { tokenId: bigint | null; place: ListPlace<OwnersFilters> }

/**
 * The owner before the page, and the count at the start of the walk; null: not counted. `blockHash`: hash of
 * `as_of_block` on the previous page, if one is requested.
 */
type After = [hash: string, holder: Address | null, total: number | null, blockHash?: Hex] | null

/** Combines path, query and cursor. Throws BadRequestError. */
export function readOwnersQuery(options: {
  address: Address
  tokenId: bigint | null
  query: z.output<ReturnType<typeof ownersQuerySchema>>
  chains: readonly ApiChain[]
  cursors: Cursors
}): OwnersQuery {
  const { address, tokenId, query, chains, cursors } = options
  const { cursor: _, chain: __, ...given } = query
  const filters = { ...given, address, token_id: tokenId === null ? null : String(tokenId) }
  const defaults: OwnersFilters = {
    ...recordDefaults,
    ...{ chain: '', address: '', token_id: null, as_of_block: null },
  }
  return { ...readChainList({ operation, query, filters, defaults, chains, cursors }), address, tokenId }
}

/** Key of the page in the cache. */
export function ownersName({ place }: OwnersQuery): string {
  return `owners ${JSON.stringify(place)}`
}

type CutOptions = {
  cursors: Cursors
  query: OwnersQuery
  status: 'SYNCED' | 'SYNCING'
}

/** The body of a page of owners. `state` undefined: nothing is known of the collection yet. */
export async function cutOwners(
  options: CutOptions & { nft: NftQuery; state: CollectionState | undefined },
): Promise<Buffer> {
  const { nft, query, state } = options
  const { address, tokenId } = query
  return ownersBody(options, {
    found: hasRecords(state) ? await nft.owners({ state, ...queryOptions(query) }) : noRecords(),
    count: async () => (state ? nft.countOwners({ state, address, tokenId }) : 0),
  })
}

/** The body of a page of owners at the end of a block. */
export async function cutOwnersAsOf(
  options: CutOptions & { nftAsOf: AsOfQuery; state: CollectionState; asOf: AsOf },
): Promise<Buffer | 'moved'> {
  const { nftAsOf, query, state, asOf } = options
  const { address, tokenId } = query
  const found = hasRecords(state) ? await nftAsOf.owners({ state, ...queryOptions(query), asOf }) : noRecords()
  if (found === 'moved') return found
  return ownersBody(options, {
    found,
    count: () => nftAsOf.countOwners({ state, address, tokenId, asOf }),
    hash: asOf.hash,
  })
}

function ownersBody(
  { cursors, query, status }: CutOptions,
  page: { found: FoundRecords<HolderPlace>; count: () => Promise<number | null>; hash?: Hex },
): Promise<Buffer> {
  const { filters, page: number, after, walked } = query.place
  return recordPage<HolderPlace>({
    walk: {
      ...{ page: number, limit: filters.limit, given: walked, total: (after as After)?.[2] ?? null },
      counts: !filters.disable_total,
    },
    found: page.found,
    count: page.count,
    sign({ after: { hash, holder }, given, total }) {
      const next: After = page.hash ? [hash, holder, total, page.hash] : [hash, holder, total]
      return cursors.sign(operation, { filters, page: number + 1, after: next, walked: given })
    },
    status,
  })
}

function queryOptions({ address, tokenId, place }: OwnersQuery) {
  const { filters, after } = place
  return { address, tokenId, after: placeOf(after as After), limit: filters.limit, ...recordOptions(filters) }
}

function placeOf(after: After): HolderPlace | null {
  return after && { hash: after[0], holder: after[1] }
}
