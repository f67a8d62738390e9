import type { TransferOrder, TransferPlace } from '../../../nft/transferQuery.ts'
import { placeOf, type TransferRecord } from '../../../nft/transferRecord.ts'

/** Transfers after a place, in their order; `last`: the place after which more may follow, null: there are no more. */
export type ReadTransfers = (
  after: TransferPlace | null,
  limit: number,
) => Promise<{ records: TransferRecord[]; last: TransferPlace | null }>

/** Most statements per answer, besides those that finish a log: the filter may match few of a wallet's transfers. */
const mostReads = 20

/**
 * The same for a page without matches: the published client stops at an empty page. Enough to read all transfers of a
 * wallet over all contracts.
 */
const mostEmptyReads = 200

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
  /** `isWanted` may reject some transfers. */
  isFiltered: boolean
}): Promise<{ transfers: TransferRecord[][]; next: TransferPlace | null }> {
  const { read, limit, isWanted, isFiltered } = options
  const transfers: TransferRecord[][] = []
  let { after } = options
  let log: { id: string; records: TransferRecord[] } | undefined
  /** Only the remaining transfers of the last log are still read, which may be thousands. */
  let isFull = false
  for (let reads = 1; ; reads++) {
    // Without a filter, one read is enough, unless there are zero amounts or logs with many tokens.
    const isShort = !isFiltered && reads === 1
    const atOnce = isShort ? Math.min(mostAtOnce, limit + 1) : mostAtOnce
    const { records, last } = await read(after, atOnce)
    for (const record of records) {
      const id = logOf(record)
      if (log?.id !== id) {
        if (isFull || transfers.length === limit) return { transfers, next: after }
        log = record.contract_type === 'ERC1155' ? { id, records: [] } : undefined
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
    isFull = transfers.length === limit || reads >= (transfers.length > 0 ? mostReads : mostEmptyReads)
    if (isFull && !log?.records.length) return { transfers, next: after }
  }
}

/** Identifies the log of a transfer. */
const logOf = ({ block_number, log_index }: TransferRecord) => `${block_number} ${log_index}`

/** Merges several lists of one order into one list of that order. */
export function mergeTransfers(lists: readonly ReadTransfers[], order: TransferOrder): ReadTransfers {
  const [only] = lists
  if (lists.length === 1) return only!
  const sign = order === 'ASC' ? 1 : -1
  return async (after, limit) => {
    const pages = await Promise.all(lists.map((read) => read(after, limit)))
    const all = pages.flatMap(({ records }) => records).sort((a, b) => sign * compare(placeOf(a), placeOf(b)))
    const records = all.slice(0, limit)
    const isMore = all.length > limit || pages.some(({ last }) => last !== null)
    const end = records.at(-1)
    return { records, last: isMore && end ? placeOf(end) : null }
  }
}

function compare(a: TransferPlace, b: TransferPlace): number {
  const [inA, inB] = [BigInt(a[0]), BigInt(b[0])]
  return inA === inB ? a[1] - b[1] : inA < inB ? -1 : 1
}
