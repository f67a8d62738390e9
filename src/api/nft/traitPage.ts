import { z } from 'zod'
import type { CollectionState, NftQuery } from '../../nft/query.ts'
import type { ListedTrait, TraitPlace } from '../../nft/traits.ts'
import type { Address } from '../../util/hex.ts'
import { cursorText, flag, pageLimit } from '../http/parameters.ts'
import type { Cursors } from '../pages/cursor.ts'
import type { ListPlace } from '../pages/filteredList.ts'
import { type ChainFilters, readChainList } from './chainList.ts'
import { type ApiChain, type CollectionName, chainParameter } from './chains.ts'
import { nftPageSchema } from './schemas.ts'

/** Operation id in cursors, with the version of their format. */
const operation = 'nft.traits.1'

/** Query parameters of a page of traits. None has a default, as a cursor has the omitted values. */
export function traitQuerySchema(options: { chains: readonly ApiChain[] }) {
  return z.object({
    chain: chainParameter(options).optional(),
    limit: pageLimit(),
    disable_total: flag({ description: 'false: total counts the values of all traits.', default: true }).optional(),
    cursor: cursorText().optional(),
  })
}

/** `chain` is the id in hex. */
type TraitFilters = ChainFilters & { address: string; limit: number; disable_total: boolean }

/** A page of a collection's traits. */
export type TraitQuery = CollectionName & { place: ListPlace<TraitFilters> }

/** Combines path, query and cursor. Throws BadRequestError. */
export function readTraitQuery(options: {
  address: Address
  query: z.output<ReturnType<typeof traitQuerySchema>>
  chains: readonly ApiChain[]
  cursors: Cursors
}): TraitQuery {
  const { address, query, chains, cursors } = options
  const { cursor: _, chain: __, ...given } = query
  const defaults: TraitFilters = { chain: '', address: '', limit: 100, disable_total: true }
  const list = readChainList({ operation, query, filters: { ...given, address }, defaults, chains, cursors })
  return { ...list, address }
}

const traitSchema = z
  .object({
    trait_type: z.string().nullable().describe('Kind of the trait, such as Eyes; null if the metadata has none.'),
    value: z.union([z.string(), z.number(), z.boolean()]).describe('Value of the trait.'),
    count: z.int().min(1).describe('Tokens of the collection that have this trait.'),
    percentage: z
      .number()
      .min(0)
      .max(100)
      .describe('count as a percentage of the tokens whose metadata was read, rounded to six decimals.'),
  })
  .meta({ id: 'NftTrait', description: 'A trait that tokens of a collection have.' })

export const traitPageSchema = nftPageSchema
  .extend({
    total: z.int().min(0).nullable().describe('Values of all traits; null unless disable_total is false.'),
    result: z.array(traitSchema).describe('The traits.'),
  })
  .meta({ id: 'NftTraitPage', description: 'A page of traits.' })

/** The body of a page of traits. `state` undefined: nothing is known of the collection yet. */
export async function cutTraits(options: {
  nft: NftQuery
  cursors: Cursors
  place: TraitQuery['place']
  state: CollectionState | undefined
  status: 'SYNCED' | 'SYNCING'
}): Promise<string> {
  const { nft, cursors, place, state, status } = options
  const { limit, disable_total } = place.filters
  const after = place.after as TraitPlace | null
  const { traits, next } = state ? await nft.traits({ state, after, limit }) : { traits: [], next: null }
  const walked = place.walked + traits.length
  const counted = state && next && !disable_total ? await nft.countTraits(state) : walked
  const head = {
    // More pages follow, so total must exceed the traits so far. On the last page, total is the number of traits of the
    // walk.
    total: disable_total ? null : next ? Math.max(counted, walked + 1) : walked,
    page: place.page,
    page_size: limit,
    cursor: next && cursors.sign(operation, { ...place, page: place.page + 1, after: next, walked }),
  }
  return `${JSON.stringify(head).slice(0, -1)},"result":[${traits.map(traitText).join(',')}],"status":"${status}"}`
}

function traitText({ type, value, tokens, documents }: ListedTrait): string {
  return `{"trait_type":${JSON.stringify(type)},"value":${value},"count":${tokens},"percentage":${percentage(tokens, documents)}}`
}

/** `part` in percent of `whole`, with six decimals: one of a million tokens is 0.0001. */
export function percentage(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 1e8) / 1e6
}
