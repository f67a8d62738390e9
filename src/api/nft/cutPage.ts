import type { AsOf, AsOfQuery } from '../../nft/asOfQuery.ts'
import type { CollectionState, HashRange, NftQuery } from '../../nft/query.ts'
import type { Cursors } from '../pages/cursor.ts'
import { includedOptions } from './included.ts'
import { nextCursor, type PageQuery } from './pageQuery.ts'
import { type FoundRecords, hasRecords, noRecords, recordPage, type Walk } from './recordPage.ts'
import { recordOptions } from './recordParameters.ts'

const everything: HashRange = { from: null, to: null }

type CutOptions = {
  cursors: Cursors
  query: PageQuery
  status: 'SYNCED' | 'SYNCING'
}

/** The body of a page of a collection. `state` undefined: nothing is known of the collection yet. */
export async function cutPage(
  options: CutOptions & { nft: NftQuery; state: CollectionState | undefined },
): Promise<Buffer> {
  const { nft, cursors, query, state, status } = options
  const { range, traits, requested } = queryOptions(query)
  const found = !hasRecords(state)
    ? noRecords()
    : query.filters.order === 'token_id'
      ? await readByIds(nft, state, { ...requested, ...includedOptions(query.filters.include) })
      : await nft.page({ state, ...requested, traits, ...includedOptions(query.filters.include) })
  return recordPage({
    walk: walkOf(query),
    found,
    count: async () => (state ? nft.count(state, range, traits) : 0),
    // The collection has its own counter, so only counts of a range or a filter go into the cursor.
    sign: (next) =>
      nextCursor(cursors, query, range === everything && traits === null ? { ...next, total: null } : next),
    status,
  })
}

async function readByIds(
  nft: NftQuery,
  state: CollectionState,
  { range: _, after, ...requested }: ReturnType<typeof queryOptions>['requested'] & ReturnType<typeof includedOptions>,
): Promise<FoundRecords<string>> {
  const { last, ...page } = await nft.pageOfIds({ state, ...requested, after: after === null ? null : BigInt(after) })
  return { ...page, last: last === null ? null : String(last) }
}

/** The body of a page of a collection at the end of a block. */
export async function cutPageAsOf(
  options: CutOptions & { nftAsOf: AsOfQuery; state: CollectionState; asOf: AsOf },
): Promise<Buffer | 'moved'> {
  const { nftAsOf, cursors, state, status, asOf } = options
  const query = { ...options.query, asOfHash: asOf.hash }
  const { range, requested } = queryOptions(query)
  const found = hasRecords(state) ? await nftAsOf.page({ state, ...requested, asOf }) : noRecords()
  if (found === 'moved') return found
  return recordPage({
    walk: walkOf(query),
    found,
    count: () => nftAsOf.count(state, range, asOf),
    sign: (next) => nextCursor(cursors, query, next),
    status,
  })
}

function walkOf({ filters, page, given, total }: PageQuery): Walk {
  return { page, limit: filters.limit, given, total, counts: !filters.disable_total }
}

function queryOptions({ filters, address, after }: PageQuery) {
  const { limit, totalRanges, range: part, traits } = filters
  const range = totalRanges === null || part === null ? everything : hashRange(totalRanges, part)
  return { range, traits, requested: { address, range, after, limit, ...recordOptions(filters) } }
}

const space = 1n << 128n

/**
 * The `range`-th of `totalRanges` equal parts of the hash space. Hashes are spread evenly, so the parts have similar
 * sizes, and a token stays in its part while others are minted.
 */
export function hashRange(totalRanges: number, range: number): HashRange {
  return {
    from: range === 0 ? null : boundary(totalRanges, range),
    to: range + 1 === totalRanges ? null : boundary(totalRanges, range + 1),
  }
}

function boundary(totalRanges: number, range: number): string {
  const parts = BigInt(totalRanges)
  return ((BigInt(range) * space + parts - 1n) / parts).toString(16).padStart(32, '0')
}
