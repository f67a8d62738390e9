import { type Hex, quantity } from '../../util/hex.ts'
import type { Cursors } from '../pages/cursor.ts'
import { differs, type ListFilters, type ListPlace, readList } from '../pages/filteredList.ts'
import { type ApiChain, chainWithNode, listedChain } from './chains.ts'

/** The filters of a list of one chain; `chain` is its id in hex. */
export type ChainFilters = ListFilters & { chain: Hex | '' }

/** Combines the filters of a list of one chain with those of its cursor. Throws BadRequestError. */
export function readChainList<F extends ChainFilters>(options: {
  operation: string
  query: { chain?: ApiChain | undefined; cursor?: string | undefined }
  /** Given filters, without the chain. */
  filters: { [name in keyof F]?: F[name] | undefined }
  defaults: F
  chains: readonly ApiChain[]
  cursors: Cursors
}): { chain: ApiChain; place: ListPlace<F> } {
  const { operation, query, filters, defaults, chains, cursors } = options
  const given = query.cursor ? filters : { ...filters, chain: quantity(chainWithNode(query.chain, chains).id) }
  const place = readList({ operation, cursors, cursor: query.cursor, given, defaults })
  const chain = listedChain(place.filters.chain, chains)
  if (query.chain && query.chain.id !== chain.id) throw differs('chain', query.chain.name, chain.name)
  return { chain, place }
}
