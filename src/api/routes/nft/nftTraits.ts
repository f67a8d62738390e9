import type { NftQuery } from '../../../nft/query.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import type { ApiChain } from '../../nft/chains.ts'
import type { Collections } from '../../nft/collections/collections.ts'
import type { Pages } from '../../nft/pages.ts'
import { indexHeaderSchema } from '../../nft/schemas.ts'
import { cutTraits, readTraitQuery, traitPageSchema, traitQuerySchema } from '../../nft/traitPage.ts'
import type { Cursors } from '../../pages/cursor.ts'
import { contractRoute } from './contractRoute.ts'

export type NftTraitsRoutesOptions = {
  nft: NftQuery
  chains: readonly ApiChain[]
  collections: Collections
  pages: Pages
  cursors: () => Promise<Cursors>
}

const route = '/api/v2/nft/{address}/traits'

export function nftTraitsRoutes(options: NftTraitsRoutesOptions): Route[] {
  const { nft, chains, collections, pages, cursors } = options
  return [
    defineRoute({
      ...contractRoute,
      method: 'GET',
      path: route,
      operationId: 'getNFTTraits',
      summary: 'Traits of a contract',
      description:
        'Every value of every trait that tokens of the contract have now, by type and value, with how many tokens have it. The first request for a contract starts its indexing.',
      scheduled: 'inside',
      query: traitQuerySchema({ chains }),
      ok: { description: 'A page.', schema: traitPageSchema, headers: indexHeaderSchema },
      async handle({ params, query, exchange }) {
        const signed = await cursors()
        const { chain, address, place } = readTraitQuery({ address: params.address, query, chains, cursors: signed })
        return pages.answer(
          {
            route,
            collection: collections.get(chain.id, address),
            name: `traits ${JSON.stringify(place)}`,
            cut: (state, status) => cutTraits({ nft, cursors: signed, place, state, status }),
          },
          exchange,
        )
      },
    }),
  ]
}
