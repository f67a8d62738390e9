import type { AsOf, AsOfQuery } from '../../nft/asOfQuery.ts'
import type { CollectionState, HashRange, NftQuery } from '../../nft/query.ts'
import type { TraitFilter } from '../../nft/traits.ts'
import type { Hex } from '../../util/hex.ts'
import type { Cursors } from '../pages/cursor.ts'
import { includedOptions } from './included.ts'
import { type PageQuery, type PageStart, pageOperation } from './pageQuery.ts'
import { type FoundRecords, hasRecords, noRecords, recordPage } from './recordPage.ts'
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
  const { nft, query, state } = options
  const { order, include } = query.place.filters
  const { range, traits, requested } = queryOptions(query)
  const found = !hasRecords(state)
    ? noRecords()
    : order === 'token_id'
      ? await readByIds(nft, state, { ...requested, ...includedOptions(include) })
      : await nft.page({ state, ...requested, traits, ...includedOptions(include) })
  return pageBody(options, {
    found,
    count: async () => (state ? nft.count(state, range, traits) : 0),
    // The collection has its own counter, so only counts of a range or a filter go into the cursor.
    keepsTotal: range !== everything || traits !== null,
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
  const { nftAsOf, query, state, asOf } = options
  const { range, requested } = queryOptions(query)
  const found = hasRecords(state) ? await nftAsOf.page({ state, ...requested, asOf }) : noRecords()
  if (found === 'moved') return found
  return pageBody(options, {
    found,
    count: () => nftAsOf.count(state, range, asOf),
    keepsTotal: true,
    hash: asOf.hash,
  })
}

function pageBody(
  { cursors, query, status }: CutOptions,
  page: { found: FoundRecords<string>; count: () => Promise<number | null>; keepsTotal: boolean; hash?: Hex },
): Promise<Buffer> {
  const { filters, page: number, after, walked } = query.place
  return recordPage({
    walk: {
      ...{ page: number, limit: filters.limit, given: walked, total: (after as PageStart)?.[1] ?? null },
      counts: !filters.disable_total,
    },
    found: page.found,
    count: page.count,
    sign({ after: token, given, total }) {
      const kept = page.keepsTotal ? total : null
      const next: PageStart = page.hash ? [token, kept, page.hash] : [token, kept]
      return cursors.sign(pageOperation, { filters, page: number + 1, after: next, walked: given })
    },
    status,
  })
}

function queryOptions({ address, place }: PageQuery) {
  const { limit, totalRanges, range: part, traits, ...filters } = place.filters
  const range = totalRanges === null || part === null ? everything : hashRange(totalRanges, part)
  const after = (place.after as PageStart)?.[0] ?? null
  return {
    range,
    traits: traits === null ? null : (JSON.parse(traits) as TraitFilter),
    requested: { address, range, after, limit, ...recordOptions({ ...filters, limit }) },
  }
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
