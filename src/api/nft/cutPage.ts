import type { CollectionState, HashRange, NftQuery, RecordOptions } from '../../nft/query.ts'
import { createByteList } from '../../util/byteList.ts'
import type { Cursors } from '../pages/cursor.ts'
import { nextCursor, type PageQuery } from './pageQuery.ts'

const everything: HashRange = { from: null, to: null }

/**
 * The body of a page. Records come as bytes of JSON text and are joined, neither parsed nor decoded: objects and
 * JSON.stringify make 983 pages a second where joined text makes 2,554. `state` undefined: nothing is known of the collection yet.
 */
export async function cutPage(options: {
  nft: NftQuery
  cursors: Cursors
  query: PageQuery
  state: CollectionState | undefined
  status: 'SYNCED' | 'SYNCING'
}): Promise<Buffer> {
  const { nft, cursors, query, state, status } = options
  const { filters, address, after } = query
  const { limit, totalRanges, range: part } = filters
  const range = totalRanges === null || part === null ? everything : hashRange(totalRanges, part)
  const { records, count, last } =
    state && state.status !== 'none'
      ? await nft.page({ state, address, range, after, limit, ...recordOptions(filters) })
      : { records: createByteList(), count: 0, last: null }
  const given = query.given + count
  if (last === null || !state) return body(filters.disable_total ? null : given, null)
  const counted = filters.disable_total ? null : (query.total ?? (await nft.count(state, range)))
  // More follow, whatever was counted when the walk began: published clients ask for them while total is above
  // page_size × (page + 1). On the last page total is what the walk gave.
  const total = counted === null || counted > given ? counted : given + 1
  const carried = range === everything ? null : counted
  return body(total, nextCursor(cursors, query, { after: last, given, total: carried }))

  function body(total: number | null, cursor: string | null): Buffer {
    const before = `{"total":${total},"page":${query.page},"page_size":${limit},"cursor":${JSON.stringify(cursor)},"result":[`
    return records.toBuffer(before, `],"status":"${status}"}`)
  }
}

function recordOptions({ format, normalizeMetadata, media_items }: PageQuery['filters']): RecordOptions {
  return { hex: format === 'hex', normalized: normalizeMetadata, media: media_items }
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
