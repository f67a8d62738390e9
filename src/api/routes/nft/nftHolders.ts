import type { HolderQuery } from '../../../nft/holderQuery.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { requestedBlock } from '../../nft/asOf.ts'
import type { ApiChain } from '../../nft/chains.ts'
import type { Collections } from '../../nft/collections/collections.ts'
import {
  cutHolders,
  holderPageSchema,
  holdersName,
  holdersQuerySchema,
  readHoldersQuery,
} from '../../nft/holdersPage.ts'
import type { Pages } from '../../nft/pages.ts'
import type { PagesAsOf } from '../../nft/pagesAsOf.ts'
import { asOfHeaderSchema } from '../../nft/schemas.ts'
import type { Cursors } from '../../pages/cursor.ts'
import { contractRouteAt } from './contractRoute.ts'

export type NftHoldersRoutesOptions = {
  holders: HolderQuery
  chains: readonly ApiChain[]
  collections: Collections
  pages: Pages
  pagesAsOf: PagesAsOf
  cursors: () => Promise<Cursors>
}

const route = '/api/v2/nft/{address}/holders'

/** Holders of a contract's tokens, one record per address. */
export function nftHoldersRoutes(options: NftHoldersRoutesOptions): Route[] {
  const { holders, chains, collections, pages, pagesAsOf, cursors } = options
  return [
    defineRoute({
      ...contractRouteAt,
      method: 'GET',
      path: route,
      operationId: 'getNFTHolders',
      summary: 'Holders of a contract',
      description:
        'A record for each address that holds tokens, the one with most units first. Pages neither repeat nor skip a holder whose units do not change. The first request for a contract starts its indexing.',
      scheduled: 'inside',
      query: holdersQuerySchema({ chains }),
      ok: { description: 'A page.', schema: holderPageSchema, headers: asOfHeaderSchema },
      async handle({ params, query, exchange }) {
        const signed = await cursors()
        const requested = readHoldersQuery({ address: params.address, query, chains, cursors: signed })
        const page = {
          route,
          collection: collections.get(requested.chain.id, requested.address),
          name: holdersName(requested),
        }
        const block = requestedBlock(requested.place)
        const cut = { holders, cursors: signed, query: requested }
        if (block !== null)
          return pagesAsOf.answer(
            { ...page, requested: block, cut: (state, status, asOf) => cutHolders({ ...cut, state, status, asOf }) },
            exchange,
          )
        return pages.answer(
          {
            ...page,
            // Only the state at a block can be 'moved'.
            cut: async (state, status) => (await cutHolders({ ...cut, state, status, asOf: null })) as Buffer,
          },
          exchange,
        )
      },
    }),
  ]
}
