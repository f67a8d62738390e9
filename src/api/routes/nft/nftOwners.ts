import { z } from 'zod'
import type { AsOfQuery } from '../../../nft/asOfQuery.ts'
import type { NftQuery } from '../../../nft/query.ts'
import type { Address } from '../../../util/hex.ts'
import type { Answer } from '../../http/answer.ts'
import { address, tokenId } from '../../http/parameters.ts'
import { defineRoute, type Exchange, type Route } from '../../http/route.ts'
import { requestedBlock } from '../../nft/asOf.ts'
import type { ApiChain } from '../../nft/chains.ts'
import type { Collections } from '../../nft/collections/collections.ts'
import { cutOwners, cutOwnersAsOf, ownersName, ownersQuerySchema, readOwnersQuery } from '../../nft/ownersPage.ts'
import type { Pages } from '../../nft/pages.ts'
import type { PagesAsOf } from '../../nft/pagesAsOf.ts'
import { asOfHeaderSchema, nftPageSchema, nftSchema } from '../../nft/schemas.ts'
import type { Cursors } from '../../pages/cursor.ts'
import { contractRouteAt } from './contractRoute.ts'

export type NftOwnersRoutesOptions = {
  nft: NftQuery
  nftAsOf: AsOfQuery
  chains: readonly ApiChain[]
  collections: Collections
  pages: Pages
  pagesAsOf: PagesAsOf
  cursors: () => Promise<Cursors>
}

const ownerSchema = nftSchema
  .extend({
    owner_of: nftSchema.shape.token_address.describe('An owner of the token.'),
    amount: nftSchema.shape.amount.describe('Units that this owner holds; 1 for ERC721.'),
  })
  .meta({ id: 'NftOwner', description: 'An NFT and one of its owners.' })

const ownersPageSchema = nftPageSchema
  .extend({
    total: nftPageSchema.shape.total.describe('Owners, one for each token; null unless disable_total is false.'),
    result: z.array(ownerSchema).describe('The records.'),
  })
  .meta({ id: 'NftOwnerPage', description: 'A page of owners.' })

const order =
  'In order of token_hash, descending, then of owner_of. The first request for a contract starts its indexing, and pages contain the known part.'

/** Owners of a contract's tokens, and of one of them. */
export function nftOwnersRoutes(options: NftOwnersRoutesOptions): Route[] {
  const { nft, nftAsOf, chains, collections, pages, pagesAsOf, cursors } = options
  const contract = address({ description: 'The contract.' })
  const common = {
    ...contractRouteAt,
    method: 'GET',
    scheduled: 'inside',
    query: ownersQuerySchema({ chains }),
    ok: { description: 'A page.', schema: ownersPageSchema, headers: asOfHeaderSchema },
  } as const

  async function answer(
    route: string,
    requested: { address: Address; tokenId: bigint | null; query: z.output<typeof common.query> },
    exchange: Exchange,
  ): Promise<Answer> {
    const signed = await cursors()
    const query = readOwnersQuery({ ...requested, chains, cursors: signed })
    const page = { route, collection: collections.get(query.chain.id, query.address), name: ownersName(query) }
    const block = requestedBlock(query.place)
    const cut = { nft, nftAsOf, cursors: signed, query }
    return block === null
      ? pages.answer({ ...page, cut: (state, status) => cutOwners({ ...cut, state, status }) }, exchange)
      : pagesAsOf.answer(
          { ...page, requested: block, cut: (state, status, asOf) => cutOwnersAsOf({ ...cut, state, status, asOf }) },
          exchange,
        )
  }

  const ofContract = '/api/v2/nft/{address}/owners'
  const ofToken = '/api/v2/nft/{address}/{token_id}/owners'
  return [
    defineRoute({
      ...common,
      path: ofContract,
      operationId: 'getNFTOwners',
      summary: 'Owners of a contract',
      description: `A record for each token and each of its owners. ${order}`,
      handle: async ({ params, query, exchange }) => answer(ofContract, { ...params, tokenId: null, query }, exchange),
    }),
    defineRoute({
      ...common,
      path: ofToken,
      operationId: 'getNFTTokenIdOwners',
      summary: 'Owners of an NFT',
      description: `A record for each owner; none if the token is not listed. ${order}`,
      params: z.object({
        address: contract,
        token_id: tokenId({ description: 'The token, decimal or hex, whatever format says.' }),
      }),
      handle: async ({ params, query, exchange }) =>
        answer(ofToken, { address: params.address, tokenId: params.token_id, query }, exchange),
    }),
  ]
}
