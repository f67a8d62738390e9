import type { TransferOrder, TransferPlace } from '../../../nft/transferQuery.ts'
import { placeOf, type TransferRecord } from '../../../nft/transferRecord.ts'

/**
 * Transfers after a place, in their order, with a filter only those that it selects. `last`: the place after which more may follow, null: there are no
 * more.
 */
export type ReadTransfers = (
  after: TransferPlace | null,
  limit: number,
) => Promise<{ records: TransferRecord[]; last: TransferPlace | null }>

/** Most statements per answer, besides those that finish a log. */
type MostReads = {
  /** Of a page with transfers. */
  found: number
  /**
   * Of a page without transfers: the published client stops at an empty page. Enough to read all transfers of a wallet over all contracts.
   */
  empty: number
}

/** Without a filter, a statement reads 1,000 transfers, of which few may have an amount. */
const mostReads: MostReads = { found: 20, empty: 200 }

/** With a filter, a statement scans 10,000 transfers (`nft/pages/transfers`), in 10 to 50 ms. */
const mostFilteredReads: MostReads = { found: 4, empty: 20 }

/** Most transfers per statement. */
const mostAtOnce = 1_000

/**
 * Transfers that pass `isWanted`, at most `limit`. Transfers of one ERC-1155 log are never split. `next`: where the
 * next page begins; null: none follows.
 */
export async function walkTransfers(options: {
  read: ReadTransfers
  after: TransferPlace | null
  limit: number
  isWanted: (record: TransferRecord) => boolean
  /** `read` returns only transfers that a filter selects. */
  isFiltered: boolean
}): Promise<{ transfers: TransferRecord[][]; next: TransferPlace | null }> {
  const { read, limit, isWanted, isFiltered } = options
  const transfers: TransferRecord[][] = []
  let { after } = options
  const most = isFiltered ? mostFilteredReads : mostReads
  let log: { position: string; records: TransferRecord[] } | undefined
  /** Only the remaining transfers of the last log are still read, which may be thousands. */
  let isFull = false
  for (let reads = 1; ; reads++) {
    // Without a filter, one read is enough, unless there are zero amounts or logs with many tokens.
    const isShort = !isFiltered && reads === 1
    const atOnce = isShort ? Math.min(mostAtOnce, limit + 1) : mostAtOnce
    const { records, last } = await read(after, atOnce)
    for (const record of records) {
      const [position] = placeOf(record)
      if (log?.position !== position) {
        if (isFull || transfers.length === limit) return { transfers, next: after }
        log = record.contract_type === 'ERC1155' ? { position, records: [] } : undefined
      }
      if (isWanted(record)) {
        if (log?.records.length) log.records.push(record)
        else {
          const shown = log?.records ?? []
          shown.push(record)
          transfers.push(shown)
        }
      }
      after = placeOf(record)
    }
    if (last === null) return { transfers, next: null }
    after = last
    isFull = transfers.length === limit || reads >= (transfers.length > 0 ? most.found : most.empty)
    // The filter may select no transfer after the log.
    const isLogOver = !log?.records.length || log.position !== last[0]
    if (isFull && isLogOver) return { transfers, next: after }
  }
}

/** Merges several lists of one order into one list of that order. A list may have further transfers after the `last` of its page. */
export function mergeTransfers(lists: readonly ReadTransfers[], order: TransferOrder): ReadTransfers {
  const [only] = lists
  if (lists.length === 1) return only!
  const sign = order === 'ASC' ? 1 : -1
  return async (after, limit) => {
    const pages = await Promise.all(lists.map((read) => read(after, limit)))
    const [nearest = null] = pages
      .flatMap(({ last }) => (last === null ? [] : [last]))
      .sort((a, b) => sign * compare(a, b))
    const all = pages
      .flatMap(({ records }) => records)
      .filter((one) => nearest === null || sign * compare(placeOf(one), nearest) <= 0)
      .sort((a, b) => sign * compare(placeOf(a), placeOf(b)))
    const records = all.slice(0, limit)
    return { records, last: all.length > limit ? placeOf(records.at(-1)!) : nearest }
  }
}

function compare(a: TransferPlace, b: TransferPlace): number {
  const [inA, inB] = [BigInt(a[0]), BigInt(b[0])]
  return inA === inB ? a[1] - b[1] : inA < inB ? -1 : 1
}
