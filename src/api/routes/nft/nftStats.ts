import { z } from 'zod'
import type { CollectionState, NftQuery } from '../../../nft/query.ts'
import type { Address } from '../../../util/hex.ts'
import { type Answer, jsonType } from '../../http/answer.ts'
import { address, tokenId } from '../../http/parameters.ts'
import { defineRoute, type Exchange, type Route } from '../../http/route.ts'
import { type ApiChain, chainParameter, chainWithNode } from '../../nft/chains.ts'
import type { Collections } from '../../nft/collections/collections.ts'
import { reportedNow } from '../../nft/collections/reportCollection.ts'
import { ofOneBlock } from '../../nft/pages.ts'
import { indexHeaderSchema } from '../../nft/schemas.ts'
import { revalidated } from '../../pages/pageCache.ts'
import { contractRoute } from './contractRoute.ts'

export type NftStatsRoutesOptions = { nft: NftQuery; chains: readonly ApiChain[]; collections: Collections }

const digits = z.string().regex(/^\d+$/)

const statsOf = (described: { tokens: string; owners: string; transfers: string }) =>
  z.object({
    total_tokens: digits.describe(described.tokens),
    owners: z.object({ current: digits.describe(described.owners) }).describe('Owners.'),
    transfers: z.object({ total: digits.describe(described.transfers) }).describe('Transfers.'),
  })

const collectionStatsSchema = statsOf({
  tokens: 'Tokens of the contract that exist.',
  owners: 'Addresses that hold at least one of them.',
  transfers: 'Transfers of its tokens, mints and burns too.',
}).meta({ id: 'NftCollectionStats', description: 'Counters of a contract.' })

const tokenStatsSchema = statsOf({
  tokens: 'Existing units of the token; at most 1 for ERC721.',
  owners: 'Addresses that hold at least one of them.',
  transfers: 'Transfers of the token, its mint and burns too.',
}).meta({ id: 'NftTokenStats', description: 'Counters of a token.' })

type Stats = z.output<typeof collectionStatsSchema>

const ownersToBlock = 'x-index-owners-to-block'

/** Counters of a collection or a token, with headers for the block of the counters. */
type Counted = { stats: Stats; headers: string[] }

/** Counters of a contract, and of one of its tokens. */
export function nftStatsRoutes({ nft, chains, collections }: NftStatsRoutesOptions): Route[] {
  const contract = address({ description: 'The contract.' })
  const common = {
    ...contractRoute,
    method: 'GET',
    query: z.object({ chain: chainParameter({ chains }).optional() }),
  } as const

  async function answer(
    requested: { address: Address; chain: ApiChain | undefined },
    exchange: Exchange,
    count: (state: CollectionState) => Promise<Counted | undefined>,
  ): Promise<Answer> {
    const chain = chainWithNode(requested.chain, chains)
    const collection = collections.get(chain.id, requested.address)
    const { counted, report } = await ofOneBlock({ collections, collection, exchange }, async ({ report }, state) => ({
      counted: state && (await count(state)),
      report,
    }))
    const { stats, headers } = counted ?? { stats: statsBody(0, 0, 0), headers: [] }
    const body = Buffer.from(JSON.stringify(stats))
    return {
      status: 200,
      headers: ['content-type', jsonType, ...revalidated, ...reportedNow(report), ...headers],
      body,
    }
  }

  return [
    defineRoute({
      ...common,
      path: '/api/v2/nft/{address}/stats',
      operationId: 'getNFTCollectionStats',
      summary: 'Statistics of a contract',
      description: `How many tokens, owners and transfers a contract has. The first request for a contract starts its indexing. Owners are counted a moment behind the transfers: ${ownersToBlock} says how far.`,
      ok: {
        description: 'The counters.',
        schema: collectionStatsSchema,
        headers: indexHeaderSchema.extend({
          [ownersToBlock]: z.string().optional().describe('Last block that owners.current includes.'),
        }),
      },
      handle: async ({ params, query, exchange }) =>
        answer({ ...params, chain: query.chain }, exchange, (state) => countCollection(nft, state)),
    }),
    defineRoute({
      ...common,
      path: '/api/v2/nft/{address}/{token_id}/stats',
      operationId: 'getNFTTokenStats',
      summary: 'Statistics of an NFT',
      description:
        'How much of a token exists, and how many owners and transfers it has; zeros for an unknown token. The first request for a contract starts its indexing.',
      params: z.object({
        address: contract,
        token_id: tokenId({ description: 'The token, decimal or hex.' }),
      }),
      ok: { description: 'The counters.', schema: tokenStatsSchema, headers: indexHeaderSchema },
      handle: async ({ params, query, exchange }) =>
        answer({ ...params, chain: query.chain }, exchange, async (state) => {
          const counted = await nft.tokenStatistics(state, params.address, params.token_id)
          return { stats: statsBody(counted.amount, counted.holders, counted.transfers), headers: [] }
        }),
    }),
  ]
}

async function countCollection(nft: NftQuery, state: CollectionState): Promise<Counted | undefined> {
  const counted = await nft.statistics(state)
  if (!counted) return undefined
  const { tokens, owners, transfers, ownersBehindBlock } = counted
  const behind = ownersBehindBlock !== null && (state.toBlock === null || ownersBehindBlock <= state.toBlock)
  const to = behind ? ownersBehindBlock - 1n : state.toBlock
  return { stats: statsBody(tokens, owners, transfers), headers: to === null ? [] : [ownersToBlock, String(to)] }
}

function statsBody(tokens: bigint | string | number, owners: bigint | number, transfers: bigint | number): Stats {
  return {
    total_tokens: String(tokens),
    owners: { current: String(owners) },
    transfers: { total: String(transfers) },
  }
}
