import { z } from 'zod'
import { traitFilter } from '../../nft/traits.ts'
import type { Address, Hex } from '../../util/hex.ts'
import { choice, wholeNumber } from '../http/parameters.ts'
import { fault } from '../http/parseQuery.ts'
import type { Cursors } from '../pages/cursor.ts'
import type { ListPlace } from '../pages/filteredList.ts'
import { asOfParameter } from './asOf.ts'
import { type ChainFilters, readChainList } from './chainList.ts'
import type { ApiChain, CollectionName } from './chains.ts'
import { includeParameter, isIncluded, packIncluded } from './included.ts'
import { rejectIncludeAsOf } from './rarity.ts'
import { type RecordFilters, recordDefaults, recordParameters } from './recordParameters.ts'
import { traitsParameter } from './traitsParameter.ts'

/** Operation id in cursors, with the version of their format. */
export const pageOperation = 'nft.page.2'

/** A page of the tokens of a collection. */
export type PageQuery = CollectionName & { place: ListPlace<PageFilters> }

/** `chain` is the id in hex. */
export type PageFilters = RecordFilters &
  ChainFilters & {
    address: string
    totalRanges: number | null
    range: number | null
    /** A `TraitFilter` as JSON; null: all tokens. */
    traits: string | null
    /** null: the present state. */
    as_of_block: number | null
    /** Optional fields of records, from `packIncluded`. */
    include: string | null
    /** null: by token hash. */
    order: 'token_id' | null
  }

/**
 * Hash of the last token of the previous page, or its id in id order, and the count of the first page for its part of the collection; null: not counted.
 * `blockHash`: hash of `as_of_block` on the previous page, if one is requested.
 */
export type PageStart = [token: string, total: number | null, blockHash?: Hex] | null

const defaults: PageFilters = {
  ...recordDefaults,
  ...{ chain: '', address: '', totalRanges: null, range: null },
  ...{ traits: null, as_of_block: null, include: null, order: null },
}

/** The query parameters of a page. */
export function pageQuerySchema(options: { chains: readonly ApiChain[] }) {
  const total = 'total counts the collection, or the part of it that is requested.'
  return z.object({
    ...recordParameters({ ...options, total }),
    totalRanges: wholeNumber({
      description: 'Divides the collection into this many parts for parallel reads; needs range.',
      min: 1,
      max: 1_000,
    }).optional(),
    range: wholeNumber({
      description: 'Which of the totalRanges parts, from 0 to totalRanges − 1; needs totalRanges.',
      min: 0,
      max: 999,
    }).optional(),
    traits: traitsParameter().optional(),
    as_of_block: asOfParameter().optional(),
    include: includeParameter(['rarity', 'spam', 'media_details']).optional(),
    order: choice({
      description: 'token_id: in the order of token ids, ascending; omitted: by token_hash, descending.',
      values: ['token_id'],
    }).optional(),
  })
}

export type PageParameters = z.output<ReturnType<typeof pageQuerySchema>>

/** Combines path, query and cursor. Throws BadRequestError. */
export function readPageQuery(options: {
  address: Address
  query: PageParameters
  chains: readonly ApiChain[]
  cursors: Cursors
}): PageQuery {
  const { address, query, chains, cursors } = options
  const { cursor, chain: _, ...given } = query
  const filters = {
    ...{ ...given, address, include: packIncluded(query.include) },
    traits: query.traits?.length ? JSON.stringify(traitFilter(query.traits)) : undefined,
  }
  const list = readChainList({ operation: pageOperation, query, filters, defaults, chains, cursors })
  if (!cursor) checkFilters(list.place.filters)
  return { ...list, address }
}

function checkFilters(filters: PageFilters): void {
  checkRange(filters)
  checkTogether(filters)
  checkOrder(filters)
}

function checkTogether({ traits, include, as_of_block }: PageFilters): void {
  if (as_of_block !== null) rejectIncludeAsOf(include)
  if (traits !== null && as_of_block !== null)
    throw fault('traits', 'are requested together with as_of_block; allowed: one of the two, as metadata is current')
}

function checkOrder({ order, traits, as_of_block, range, include }: PageFilters): void {
  if (order === null || (traits === null && as_of_block === null && range === null && !isIncluded(include, 'rarity')))
    return
  throw fault('order', 'is token_id; allowed: omitting it with traits, as_of_block, range and include=rarity')
}

function checkRange({ totalRanges, range }: PageFilters): void {
  if (totalRanges !== null && range === null)
    throw fault('range', `is missing, as totalRanges is given; allowed: a whole number from 0 to ${totalRanges - 1}`)
  if (range !== null && totalRanges === null)
    throw fault('totalRanges', 'is missing, as range is given; allowed: a whole number from 1 to 1000')
  if (range !== null && totalRanges !== null && range >= totalRanges)
    throw fault('range', `is "${range}"; allowed: a whole number from 0 to ${totalRanges - 1}, below totalRanges`)
}

/** Key of the page in the cache. */
export function pageName({ place }: PageQuery): string {
  return JSON.stringify(place)
}
