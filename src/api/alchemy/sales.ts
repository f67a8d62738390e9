import { z } from 'zod'
import { NotFoundError } from '../../util/errors.ts'
import type { Route } from '../http/route.ts'
import { type AlchemyOptions, alchemyRoute } from './alchemyRoute.ts'
import { indexedAnswer } from './indexedAnswer.ts'
import { contractAddress } from './parameters.ts'

const reason = 'this server reads no marketplace: prices and sales are in no log of an NFT contract'

const noPrice = { floorPrice: null, priceCurrency: null, collectionUrl: null, retrievedAt: null, error: reason }

/** Operations that need a marketplace: they return no data, with the reason. */
export function salesRoutes({ chains }: AlchemyOptions): Route[] {
  return [
    alchemyRoute({
      method: 'GET',
      name: 'getFloorPrice',
      chains,
      query: z.object({ contractAddress: contractAddress().optional() }),
      handle: async () => indexedAnswer({ openSea: noPrice, looksRare: noPrice }, []),
    }),
    alchemyRoute({
      method: 'GET',
      name: 'getNFTSales',
      chains,
      query: z.object({ contractAddress: contractAddress().optional() }),
      handle: async () =>
        indexedAnswer(
          {
            nftSales: [],
            validAt: { blockNumber: null, blockHash: null, blockTimestamp: null },
            pageKey: null,
            error: reason,
          },
          [],
        ),
    }),
    alchemyRoute({
      method: 'GET',
      name: 'getCollectionMetadata',
      chains,
      async handle() {
        throw new NotFoundError(
          `collectionSlug is a name of a marketplace, and ${reason}; getContractMetadata takes an address`,
        )
      },
    }),
  ]
}
