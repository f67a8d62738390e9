import type { CollectionState, HashRange, NftQuery } from '../../nft/query.ts'
import type { Cursors } from '../pages/cursor.ts'
import { nextCursor, type PageQuery } from './pageQuery.ts'
import { hasRecords, noRecords, recordPage } from './recordPage.ts'
import { recordOptions } from './recordParameters.ts'

const everything: HashRange = { from: null, to: null }

/** The body of a page of a collection. `state` undefined: nothing is known of the collection yet. */
export async function cutPage(options: {
  nft: NftQuery
  cursors: Cursors
  query: PageQuery
  state: CollectionState | undefined
  status: 'SYNCED' | 'SYNCING'
}): Promise<Buffer> {
  const { nft, cursors, query, state, status } = options
  const { filters, address, page, after, given, total } = query
  const { limit, totalRanges, range: part, traits } = filters
  const range = totalRanges === null || part === null ? everything : hashRange(totalRanges, part)
  return recordPage({
    walk: { page, limit, given, total, counts: !filters.disable_total },
    found: hasRecords(state)
      ? await nft.page({ state, address, range, after, limit, traits, ...recordOptions(filters) })
      : noRecords(),
    count: async () => (state ? nft.count(state, range, traits) : 0),
    // The collection's own counter costs nothing, so only a part and a filter carry what was counted.
    sign: (next) =>
      nextCursor(cursors, query, range === everything && traits === null ? { ...next, total: null } : next),
    status,
  })
}

const space = 1n << 128n

/**
 * The `range`-th of `totalRanges` equal parts of the hash space. Hashes spread evenly whatever the token ids are, so the
 * parts are near equal in size, and a token stays in its part while others are minted.
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
