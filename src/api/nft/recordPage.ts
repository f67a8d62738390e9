import type { CollectionState, Records } from '../../nft/query.ts'
import { createByteList } from '../../util/byteList.ts'

/** Progress of a walk through records, and the parameters of its first request. */
export type Walk = {
  /** 0-based number of the page. */
  page: number
  limit: number
  /** Number of records on previous pages. */
  given: number
  /** The total counted at the start of the walk; null: not counted; `uncountable`: its count was null. */
  total: number | null
  /** The answer shows a total. */
  counts: boolean
}

/** In a cursor: the total takes too long to count. Later pages do not count again. */
const uncountable = -1

/** The records of a page; `last`: the place of the last one if more follow, else null. */
export type FoundRecords<Place> = { records: Records; count: number; last: Place | null }

/** Whether a collection may have records; undefined: nothing is known of it yet. */
export function hasRecords(state: CollectionState | undefined): state is CollectionState {
  return state !== undefined && state.status !== 'none'
}

/** A page without records. */
export function noRecords(): FoundRecords<never> {
  return { records: createByteList(), count: 0, last: null }
}

/** Where the next page begins, with the counted total. */
export type NextPage<Place> = { after: Place; given: number; total: number | null }

/**
 * The body of a page. Concatenates the bytes of records without parsing: 2,554 pages a second, 983 with objects and
 * JSON.stringify. `count` counts the whole walk; null: not requested, or too slow. `sign` makes a cursor.
 */
export async function recordPage<Place>(options: {
  walk: Walk
  found: FoundRecords<Place>
  count: () => Promise<number | null>
  sign: (next: NextPage<Place>) => string
  status: 'SYNCED' | 'SYNCING'
}): Promise<Buffer> {
  const { walk, found, count, sign, status } = options
  const { records, last } = found
  const given = walk.given + found.count
  if (last === null) return body(walk.counts ? given : null, null)
  const known = walk.counts ? (walk.total ?? (await count()) ?? uncountable) : null
  const counted = known === uncountable ? null : known
  // More pages follow, so total must exceed the records so far: published clients continue while total is above
  // page_size × (page + 1). On the last page, total is the number of records of the walk.
  const total = counted === null || counted > given ? counted : given + 1
  return body(total, sign({ after: last, given, total: known }))

  function body(total: number | null, cursor: string | null): Buffer {
    const before = `{"total":${total},"page":${walk.page},"page_size":${walk.limit},"cursor":${JSON.stringify(cursor)},"result":[`
    return records.toBuffer(before, `],"status":"${status}"}`)
  }
}
