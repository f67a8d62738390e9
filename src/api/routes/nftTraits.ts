import { z } from 'zod'
import type { NftQuery } from '../../nft/query.ts'
import { quantity } from '../../util/hex.ts'
import { address } from '../http/parameters.ts'
import { defineRoute, type Exchange, type Route } from '../http/route.ts'
import { type ApiChain, chainWithNode } from '../nft/chains.ts'
import type { Collections } from '../nft/collections.ts'
import { createCollectionTarget } from '../nft/collectionTarget.ts'
import { collectionSnapshot } from '../nft/pages.ts'
import { indexHeaderSchema, indexOnlyHeaderSchema } from '../nft/schemas.ts'
import { cutTraits, readTraitQuery, traitPageSchema, traitQuerySchema } from '../nft/traitPage.ts'
import type { Cursors } from '../pages/cursor.ts'
import type { PageAnswers } from '../pages/pageAnswers.ts'
import type { PageCache } from '../pages/pageCache.ts'

export type NftTraitsRoutesOptions = {
  nft: NftQuery
  chains: readonly ApiChain[]
  collections: Collections
  answers: PageAnswers
  cache: PageCache
  cursors: () => Promise<Cursors>
  /** Part of every ETag; different for another database or another program. */
  salt: () => Promise<string>
}

const route = '/api/v2/nft/{address}/traits'

/** The traits of a collection with their counts. */
export function nftTraitsRoutes(options: NftTraitsRoutesOptions): Route[] {
  const { nft, chains, collections, answers, cache, cursors, salt } = options
  return [
    defineRoute({
      method: 'GET',
      path: route,
      operationId: 'getNFTTraits',
      summary: 'Traits of a contract',
      description:
        'Every value of every trait that tokens of the contract have now, by type and value, with how many tokens have it. The first request for a contract starts its indexing. Also at /api/v2.2.',
      tag: 'NFTs',
      access: 'read',
      produces: 'json',
      params: z.object({ address: address({ description: 'The contract.' }) }),
      query: traitQuerySchema({ chains }),
      ok: { description: 'A page.', schema: traitPageSchema, headers: indexHeaderSchema },
      errors: [404],
      notFoundHeaders: indexOnlyHeaderSchema,
      async handle({ params, query, exchange }) {
        const place = readTraitQuery({ address: params.address, query, chains, cursors: await cursors() })
        const chain = chains.find(({ id }) => quantity(id) === place.filters.chain)
        const collection = collections.get(chainWithNode(chain, chains).id, params.address)
        const name = `traits ${JSON.stringify(place)}`
        const target = createCollectionTarget({ route, collection, name, salt: await salt() })

        async function answer(exchange: Exchange) {
          const snapshot = await collectionSnapshot({ collections, collection, exchange })
          const { state } = snapshot
          const now = performance.now()
          const { status } = snapshot.tell.at(now)
          const cut = async () => cutTraits({ nft, cursors: await cursors(), place, state, status })
          return answers.answer({ state: target.at(snapshot, now), keep: state !== undefined, cut, exchange })
        }

        const first = await answer(exchange)
        cache.remember(exchange.target, { ...target, answer })
        return first
      },
    }),
  ]
}
