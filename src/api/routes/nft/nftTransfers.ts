import { z } from 'zod'
import type { TransferQuery } from '../../../nft/transferQuery.ts'
import type { Address } from '../../../util/hex.ts'
import { address, tokenId } from '../../http/parameters.ts'
import { defineRoute, type Exchange, type Route } from '../../http/route.ts'
import type { ApiChain } from '../../nft/chains.ts'
import type { Collections } from '../../nft/collections/collections.ts'
import type { Pages } from '../../nft/pages.ts'
import { hasRecords } from '../../nft/recordPage.ts'
import { indexHeaderSchema } from '../../nft/schemas.ts'
import { cutTransfers, transferPageSchema } from '../../nft/transferPage.ts'
import { readTransferList, transferListShape, transferRangeShape } from '../../nft/transferParameters.ts'
import type { Cursors } from '../../pages/cursor.ts'
import { contractRoute } from './contractRoute.ts'

export type NftTransfersRoutesOptions = {
  transfers: TransferQuery
  chains: readonly ApiChain[]
  collections: Collections
  pages: Pages
  cursors: () => Promise<Cursors>
}

const inOrder = 'In the order of the chain, the latest first, unless order is ASC.'

/** Transfers of a contract and of a token. */
export function nftTransfersRoutes(options: NftTransfersRoutesOptions): Route[] {
  const { transfers, chains, collections, pages, cursors } = options
  const common = {
    ...contractRoute,
    method: 'GET',
    scheduled: 'inside',
    query: z.object({ ...transferListShape({ chains }), ...transferRangeShape() }),
    ok: { description: 'A page.', schema: transferPageSchema, headers: indexHeaderSchema },
    errors: [404, 503],
  } as const

  async function answer(
    route: string,
    requested: { contract: Address; tokenId?: bigint },
    query: z.output<typeof common.query>,
    exchange: Exchange,
  ) {
    const { contract, tokenId } = requested
    const path = tokenId === undefined ? contract : `${contract} ${tokenId}`
    const list = await readTransferList({ path, query, chains, cursors: await cursors(), transfers })
    const chainId = list.chain.id
    return pages.answer(
      {
        ...{ route, collection: collections.get(chainId, contract), name: list.name, once: list.dated },
        cut(state, status) {
          const token = tokenId === undefined ? {} : { tokenId }
          const source = hasRecords(state)
            ? ({ of: 'contract', chainId, state, address: contract, ...token } as const)
            : undefined
          return cutTransfers({ transfers, list, source, status })
        },
      },
      exchange,
    )
  }

  const ofContract = '/api/v2/nft/{address}/transfers'
  const ofToken = '/api/v2/nft/{address}/{token_id}/transfers'
  return [
    defineRoute({
      ...common,
      path: ofContract,
      operationId: 'getNFTContractTransfers',
      summary: 'Transfers of a contract',
      description: `${inOrder} The first request for a contract starts its indexing, and pages contain the known part.`,
      handle: ({ params, query, exchange }) => answer(ofContract, { contract: params.address }, query, exchange),
    }),
    defineRoute({
      ...common,
      path: ofToken,
      operationId: 'getNFTTransfers',
      summary: 'Transfers of an NFT',
      description: `${inOrder} The first request for a contract starts its indexing, and pages contain the known part.`,
      params: z.object({
        address: address({ description: 'The contract.' }),
        token_id: tokenId({ description: 'The token, decimal or hex, whatever format says.' }),
      }),
      handle: ({ params, query, exchange }) =>
        answer(ofToken, { contract: params.address, tokenId: params.token_id }, query, exchange),
    }),
  ]
}
