import { z } from 'zod'
import type { NftQuery } from '../../../nft/query.ts'
import { address } from '../../http/parameters.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import type { ApiChain } from '../../nft/chains.ts'
import type { Collections } from '../../nft/collections/collections.ts'
import type { Pages } from '../../nft/pages.ts'
import { indexHeaderSchema, indexOnlyHeaderSchema } from '../../nft/schemas.ts'
import { cutTraits, readTraitQuery, traitPageSchema, traitQuerySchema } from '../../nft/traitPage.ts'
import type { Cursors } from '../../pages/cursor.ts'

export type NftTraitsRoutesOptions = {
  nft: NftQuery
  chains: readonly ApiChain[]
  collections: Collections
  pages: Pages
  cursors: () => Promise<Cursors>
}

const route = '/api/v2/nft/{address}/traits'

/** The traits of a collection with their counts. */
export function nftTraitsRoutes(options: NftTraitsRoutesOptions): Route[] {
  const { nft, chains, collections, pages, cursors } = options
  return [
    defineRoute({
      method: 'GET',
      path: route,
      operationId: 'getNFTTraits',
      summary: 'Traits of a contract',
      description:
        'Every value of every trait that tokens of the contract have now, by type and value, with how many tokens have it. The first request for a contract starts its indexing.',
      tag: 'NFTs',
      access: 'read',
      scheduled: 'inside',
      params: z.object({ address: address({ description: 'The contract.' }) }),
      query: traitQuerySchema({ chains }),
      ok: { description: 'A page.', schema: traitPageSchema, headers: indexHeaderSchema },
      errors: [404],
      notFoundHeaders: indexOnlyHeaderSchema,
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
