import { z } from 'zod'
import { mostPageBytes, type NftQuery } from '../../../nft/query.ts'
import { allowing } from '../../../util/allowed.ts'
import { type Answer, jsonType } from '../../http/answer.ts'
import { address, flag, tokenId } from '../../http/parameters.ts'
import { fault } from '../../http/parseQuery.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { type ApiChain, chainParameter, chainWithNode } from '../../nft/chains.ts'
import type { Collections } from '../../nft/collections/collections.ts'
import { reportedTogetherNow } from '../../nft/collections/reportTogether.ts'
import { eachOfOneBlock } from '../../nft/pages.ts'
import { formatOfIds } from '../../nft/recordParameters.ts'
import { indexOnlyHeaderSchema, nftSchema } from '../../nft/schemas.ts'

export type NftTokensRoutesOptions = { nft: NftQuery; chains: readonly ApiChain[]; collections: Collections }

const mostTokens = 100

const tokenAllowed = 'a token id as text: a whole number from 0 to 2^256−1, decimal or 0x and hex digits'

const tokensBody = z.object({
  tokens: allowing(
    `a list of at most ${mostTokens} tokens`,
    z
      .array(
        z.object({
          token_address: allowing('an address: 0x and 40 hex digits', address({ description: 'The contract.' })),
          token_id: allowing(
            tokenAllowed,
            tokenId({ description: 'The token, decimal or hex, whatever format says.' }),
          ),
        }),
      )
      .max(mostTokens)
      .describe('The tokens, of any contracts of the chain.'),
  ),
  format: z.enum(['decimal', 'hex']).optional().describe('Format of token_id; default: decimal.'),
  normalizeMetadata: z.boolean().optional().describe('Fill normalized_metadata; default: false.'),
  media_items: z.boolean().optional().describe('Fill media; default: false.'),
})

const inBody = 'The value in the body takes precedence.'

/** Tokens of any contracts in one request. */
export function nftTokensRoutes({ nft, chains, collections }: NftTokensRoutesOptions): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/v2/nft/getMultipleNFTs',
      operationId: 'getMultipleNFTs',
      summary: 'NFTs by contract and id',
      description:
        'In the order requested, each once; tokens that are not listed, or not known yet, are omitted. The first request for a contract starts its indexing. The headers show the lowest progress and the lowest block covered.',
      tag: 'NFTs',
      access: 'read',
      query: z.object({
        chain: chainParameter({ chains }).optional(),
        format: formatOfIds(`Format of token_id. ${inBody}`),
        normalizeMetadata: flag({ description: `Fill normalized_metadata. ${inBody}`, default: false }).optional(),
        media_items: flag({ description: `Fill media. ${inBody}`, default: false }).optional(),
      }),
      body: { schema: tokensBody },
      ok: { description: 'The tokens.', schema: z.array(nftSchema), headers: indexOnlyHeaderSchema },
      async handle({ query, body, exchange }): Promise<Answer> {
        const chain = chainWithNode(query.chain, chains)
        const addresses = [...new Set(body.tokens.map(({ token_address }) => token_address))]
        const { format, normalizeMetadata, media_items } = { ...query, ...body }
        const written = {
          hex: format === 'hex',
          normalized: normalizeMetadata ?? false,
          media: media_items ?? false,
        }
        return eachOfOneBlock(
          { collections, chainId: chain.id, addresses, exchange },
          async (snapshots, states): Promise<Answer> => {
            const stateOf = new Map(addresses.map((contract, i) => [contract, states[i]]))
            const requested = body.tokens.flatMap(({ token_address, token_id }) => {
              const state = stateOf.get(token_address)
              return state ? [{ state, address: token_address, tokenId: token_id }] : []
            })
            const records = await nft.tokens(requested, written)
            if (!records)
              throw fault(
                'tokens',
                `contains tokens with more than ${mostPageBytes} bytes of metadata together; allowed: fewer tokens at once`,
              )
            const index = reportedTogetherNow(
              snapshots.filter(({ kind }) => kind === 'page').map(({ report }) => report),
            )
            return { status: 200, headers: ['content-type', jsonType, ...index], body: records.toBuffer('[', ']') }
          },
        )
      },
    }),
  ]
}
