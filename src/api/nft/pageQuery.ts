import { z } from 'zod'
import { type TraitFilter, traitFilter } from '../../nft/traits.ts'
import { type Address, type Hex, quantity } from '../../util/hex.ts'
import { choice, wholeNumber } from '../http/parameters.ts'
import { fault } from '../http/parseQuery.ts'
import type { Cursors } from '../pages/cursor.ts'
import { asOfParameter } from './asOf.ts'
import { type ApiChain, type CollectionName, chainWithNode, listedChain } from './chains.ts'
import { includeParameter, isIncluded, packIncluded } from './included.ts'
import { rejectIncludeAsOf } from './rarity.ts'
import { type RecordFilters, recordDefaults, recordParameters } from './recordParameters.ts'
import { traitsParameter } from './traitsParameter.ts'

/** Query for a page: the filters, which cursors keep, and where the page begins. */
export type PageQuery = CollectionName & {
  filters: PageFilters
  /** 0-based number of the page. */
  page: number
  /** Hash of the last token of the previous page, or its id in id order; null on the first page. */
  after: string | null
  /** Number of records on previous pages. */
  given: number
  /** Count of the first page for its part of the collection; null: not counted. */
  total: number | null
  /** Hash of `as_of_block` on the previous page; null on the first page or without a block. */
  asOfHash: Hex | null
}

export type PageFilters = RecordFilters & {
  totalRanges: number | null
  range: number | null
  /** null: all tokens. */
  traits: TraitFilter | null
  /** null: the present state. */
  as_of_block: number | null
  /** Optional fields of records, from `packIncluded`. */
  include: string | null
  /** null: by token hash. */
  order: 'token_id' | null
}

const defaults: PageFilters = {
  ...recordDefaults,
  totalRanges: null,
  range: null,
  traits: null,
  as_of_block: null,
  include: null,
  order: null,
}

/** Operation id in cursors, with the version of their format. */
const operation = 'nft.page.1'

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
  const given = givenFilters(query)
  if (query.cursor) return continued(readCursor(cursors, query.cursor, chains), { address, given, chain: query.chain })
  const filters = { ...defaults, ...given }
  checkRange(filters)
  checkTogether(filters)
  checkOrder(filters)
  const place = { page: 0, after: null, given: 0, total: null, asOfHash: null }
  return { chain: chainWithNode(query.chain, chains), address, filters, ...place }
}

const filterNames = Object.keys(defaults) as (keyof PageFilters)[]

/** The filters that a request specifies. */
function givenFilters({ traits, ...parameters }: PageParameters): Partial<PageFilters> {
  const given: Partial<PageFilters> = traits?.length ? { traits: traitFilter(traits) } : {}
  const query = { ...parameters, include: packIncluded(parameters.include) }
  for (const name of filterNames)
    if (name !== 'traits' && query[name] !== undefined) Object.assign(given, { [name]: query[name] })
  return given
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

/** With a cursor, other parameters must be omitted or equal those of the first call. */
function continued(
  from: PageQuery,
  { address, given, chain }: { address: Address; given: Partial<PageFilters>; chain: ApiChain | undefined },
): PageQuery {
  if (address !== from.address)
    throw fault('cursor', `belongs to the address ${from.address}; allowed: a cursor from a response for ${address}`)
  if (chain && chain.id !== from.chain.id) throw differs('chain', chain.name, from.chain.name)
  const { traits, ...others } = given
  if (traits && JSON.stringify(traits) !== JSON.stringify(from.filters.traits))
    throw fault('traits', 'differs from the call that gave the cursor; allowed: the same, or none')
  for (const [name, value] of Object.entries(others)) {
    const first = from.filters[name as keyof typeof others]
    if (value !== first) throw differs(name, value, first)
  }
  return from
}

function differs(name: string, given: unknown, first: unknown): Error {
  const allowed = first === null ? 'omitting it' : `${first}, or omitting it`
  return fault(
    name,
    `is "${given}", but the cursor was made with ${first ?? 'none'}; allowed with this cursor: ${allowed}`,
  )
}

/** `total` null: not counted. `more` has the optional parts of a page. */
type CursorPayload = [...PlacePayload, total?: number | null, more?: More]

type More = {
  traits?: TraitFilter
  asOf?: [block: number, hash: Hex | null]
  include?: string
  order?: 'token_id'
}

type PlacePayload = [
  chain: string,
  address: Address,
  format: 'decimal' | 'hex',
  limit: number,
  totalRanges: number | null,
  range: number | null,
  disableTotal: boolean,
  normalizeMetadata: boolean,
  mediaItems: boolean,
  page: number,
  after: string | null,
  given: number,
]

/** A page query as text: the content of cursors, and the key in the cache. */
export function pagePayload({
  chain,
  address,
  filters,
  page,
  after,
  given,
  total,
  asOfHash,
}: PageQuery): CursorPayload {
  const { format, limit, totalRanges, range, as_of_block, include, order } = filters
  const flags = [filters.disable_total, filters.normalizeMetadata, filters.media_items] as const
  const place: PlacePayload = [
    quantity(chain.id),
    address,
    format,
    limit,
    totalRanges,
    range,
    ...flags,
    page,
    after,
    given,
  ]
  const more: More = {
    ...(filters.traits && { traits: filters.traits }),
    ...(as_of_block !== null && { asOf: [as_of_block, asOfHash] }),
    ...(include !== null && { include }),
    ...(order !== null && { order }),
  }
  if (Object.keys(more).length > 0) return [...place, total, more]
  return total === null ? place : [...place, total]
}

/** The cursor of the page after `query`'s. */
export function nextCursor(
  cursors: Cursors,
  query: PageQuery,
  next: Pick<PageQuery, 'after' | 'given' | 'total'>,
): string {
  return cursors.sign(operation, pagePayload({ ...query, ...next, page: query.page + 1 }))
}

type Walked = [page: number, after: string | null, given: number, total?: number | null, more?: More]

function readCursor(cursors: Cursors, cursor: string, chains: readonly ApiChain[]): PageQuery {
  const payload = cursors.read(operation, cursor) as CursorPayload
  const [chainId, address, format, limit, totalRanges, range, disable_total, normalizeMetadata, media_items] = payload
  const [page, after, given, total = null, more = {}] = payload.slice(9) as Walked
  const { traits = null, asOf = [null, null], include = null, order = null } = more
  const [as_of_block, asOfHash] = asOf
  const filters = {
    format,
    limit,
    totalRanges,
    range,
    disable_total,
    normalizeMetadata,
    media_items,
    traits,
    as_of_block,
    include,
    order,
  }
  return { chain: listedChain(chainId, chains), address, filters, page, after, given, total, asOfHash }
}
