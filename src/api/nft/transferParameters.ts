import type { TransferOrder, TransferPlace, TransferQuery, TransferRange } from '../../nft/transferQuery.ts'
import { highestBlock } from '../../util/extremes.ts'
import type { Address } from '../../util/hex.ts'
import { date } from '../http/dateParameter.ts'
import { choice, cursorText, flag, pageLimit, wholeNumber } from '../http/parameters.ts'
import { fault } from '../http/parseQuery.ts'
import type { Cursors } from '../pages/cursor.ts'
import { type ChainFilters, readChainList } from './chainList.ts'
import { type ApiChain, chainParameter } from './chains.ts'
import { formatOfIds } from './recordParameters.ts'
import { packContracts, unpackContracts } from './walletParameters.ts'

/** A block number in decimal, or hex with 0x; undefined if it is invalid or too high. */
export function parseBlockNumber(text: string): number | undefined {
  if (!/^(\d{1,20}|0x[0-9a-f]{1,16})$/i.test(text)) return undefined
  const number = Number(text.toLowerCase())
  return number <= highestBlock ? number : undefined
}

const block = (description: string) => wholeNumber({ description, min: 0, max: highestBlock }).optional()

/** Query parameters of every list of transfers. None has a default, as a cursor has the omitted values. */
export function transferListShape({ chains }: { chains: readonly ApiChain[] }) {
  return {
    chain: chainParameter({ chains }).optional(),
    format: formatOfIds(),
    limit: pageLimit(),
    order: choice({
      description: 'DESC: the latest first; ASC: the earliest first.',
      values: ['DESC', 'ASC'],
      default: 'DESC',
    }).optional(),
    disable_total: flag({
      description: 'false: total counts the transfers; null if there are more than 100,000 to count.',
      default: true,
    }).optional(),
    cursor: cursorText().optional(),
  }
}

/** Query parameters of transfer lists over a range of blocks. */
export function transferRangeShape() {
  return {
    from_block: block('The first block; overrides from_date.'),
    to_block: block('The last block; overrides to_date.'),
    from_date: date({ description: 'Only blocks that are not before this moment.' }).optional(),
    to_date: date({ description: 'Only blocks that are not after this moment.' }).optional(),
  }
}

type RangeParameters = {
  from_block?: number | undefined
  to_block?: number | undefined
  from_date?: number | undefined
  to_date?: number | undefined
}

type ListParameters = {
  contract_addresses?: readonly Address[] | undefined
  chain?: ApiChain | undefined
  format?: 'decimal' | 'hex' | undefined
  limit?: number | undefined
  order?: TransferOrder | undefined
  disable_total?: boolean | undefined
  cursor?: string | undefined
}

/** `chain` is the id in hex; `path` is the subject. */
type TransferFilters = ChainFilters & {
  path: string
  format: 'decimal' | 'hex'
  order: TransferOrder
  disable_total: boolean
  from_block: number | null
  to_block: number | null
  from_date: number | null
  to_date: number | null
  /** From `packContracts`. */
  contract_addresses: string | null
}

const defaults: TransferFilters = {
  ...{ chain: '', path: '', format: 'decimal', limit: 100, order: 'DESC', disable_total: true },
  ...{ from_block: null, to_block: null, from_date: null, to_date: null, contract_addresses: null },
}

/** Operation id in cursors, with the version of their format. */
const operation = 'nft.transfers.1'

/** Cursor content besides the filters: last place, blocks of the dates, total. */
type After = [place: TransferPlace, from: number | null, to: number | null, total: number | null]

/** A list of transfers with the start of its page. */
export type TransferList = {
  chain: ApiChain
  /** Requested blocks, by number or date. */
  range: TransferRange
  order: TransferOrder
  hex: boolean
  limit: number
  /** Restricts transfers to these contracts; null: all. */
  contracts: Address[] | null
  after: TransferPlace | null
  /** 0-based number of the page. */
  page: number
  /** Number of records on previous pages. */
  given: number
  /** The total counted at the start of the walk. */
  total: number | null
  /** The answer shows a total. */
  counts: boolean
  /** Contains dates: the same request may mean other blocks later. */
  dated: boolean
  /** List and page as text. */
  name: string
  /** The cursor of the next page. */
  next(after: TransferPlace, given: number, total: number | null): string
}

/**
 * Combines path, query and cursor. Resolves dates to blocks, which the cursor keeps. Throws BadRequestError, and
 * UnavailableError if no node can resolve a date.
 */
export async function readTransferList(options: {
  /** Subject of the transfers as text, from the path of the request. */
  path: string
  query: ListParameters & RangeParameters
  chains: readonly ApiChain[]
  cursors: Cursors
  transfers: Pick<TransferQuery, 'blocksBetween'>
}): Promise<TransferList> {
  const { path, query, chains, cursors, transfers } = options
  const { cursor: _, chain: __, contract_addresses: contracts, ...given } = query
  const { chain, place } = readChainList<TransferFilters>({
    ...{ operation, query, defaults, chains, cursors },
    filters: { ...given, path, contract_addresses: packContracts(contracts) },
  })
  const { filters } = place
  checkRange(filters)
  const after = place.after as After | null
  const range = after && !isOpen(filters, after) ? rangeOf(after) : await requestedRange(chain.id, filters, transfers)
  return {
    ...{ chain, range, order: filters.order, hex: filters.format === 'hex', limit: filters.limit },
    contracts: unpackContracts(filters.contract_addresses),
    ...{ after: after?.[0] ?? null, page: place.page, given: place.walked, total: after?.[3] ?? null },
    counts: !filters.disable_total,
    dated: filters.from_date !== null || filters.to_date !== null,
    name: `transfers ${JSON.stringify([filters, place.after, String(range.from), String(range.to), place.page])}`,
    next(last, walked, total) {
      const carried: After = [last, numberOf(range.from), numberOf(range.to), total]
      return cursors.sign(operation, { filters, page: place.page + 1, after: carried, walked })
    },
  }
}

function checkRange({ from_block: from, to_block: to, from_date, to_date }: TransferFilters): void {
  if (from !== null && to !== null && from > to)
    throw fault('from_block', `is ${from}, above to_block; allowed: a whole number from 0 to ${to}`)
  if (from === null && to === null && from_date !== null && to_date !== null && from_date > to_date)
    throw fault('from_date', `is ${isoOf(from_date)}, after to_date; allowed: a date up to ${isoOf(to_date)}`)
}

const isoOf = (ms: number) => new Date(ms).toISOString()

/** A block takes precedence over a date, as the published client documents it. */
async function requestedRange(
  chainId: bigint,
  { from_block, to_block, from_date, to_date }: TransferFilters,
  transfers: Pick<TransferQuery, 'blocksBetween'>,
): Promise<TransferRange> {
  const dates = { from: from_block === null ? from_date : null, to: to_block === null ? to_date : null }
  const dated =
    dates.from === null && dates.to === null ? { from: null, to: null } : await transfers.blocksBetween(chainId, dates)
  return {
    from: from_block === null ? dated.from : BigInt(from_block),
    to: to_block === null ? dated.to : BigInt(to_block),
  }
}

/** The end is a date that the head had not reached. */
const isOpen = ({ to_block, to_date }: TransferFilters, [, , to]: After) =>
  to === null && to_block === null && to_date !== null

const rangeOf = ([, from, to]: After): TransferRange => ({ from: bigintOf(from), to: bigintOf(to) })
const bigintOf = (value: number | null) => (value === null ? null : BigInt(value))
const numberOf = (value: bigint | null) => (value === null ? null : Number(value))
