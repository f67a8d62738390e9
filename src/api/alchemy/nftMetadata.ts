import { z } from 'zod'
import { allowing } from '../../util/allowed.ts'
import type { Answer } from '../http/answer.ts'
import { flag } from '../http/parameters.ts'
import type { Exchange, Route } from '../http/route.ts'
import type { ApiChain } from '../nft/chains.ts'
import { eachOfOneBlock } from '../nft/pages.ts'
import { type AlchemyOptions, alchemyRoute } from './alchemyRoute.ts'
import { indexedBody } from './indexedAnswer.ts'
import { shownStates } from './ofContract.ts'
import { contractAddress, timeoutParameter, tokenIdParameter, tokenTypeParameter } from './parameters.ts'
import { bodyWith } from './records/byteText.ts'
import { type NamedToken, readNamed } from './records/readNfts.ts'
import { refreshTokens } from './refreshTokens.ts'

const mostTokens = 100

const tokenAllowed = 'a token id as text: a whole number from 0 to 2^256−1, decimal or 0x and hex digits'

/** The published client also sends small ids as numbers. */
const tokenIdInBody = allowing(
  tokenAllowed,
  z.preprocess(
    (value) => (typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value),
    tokenIdParameter(),
  ),
)

const namedToken = z.object({
  contractAddress: allowing('an address: 0x and 40 hex digits', contractAddress()),
  tokenId: tokenIdInBody,
})

const refreshing = { refreshCache: z.boolean().nullish(), tokenUriTimeoutInMs: z.number().min(0).nullish() }

/** Routes for the tokens that a request specifies. */
export function nftMetadataRoutes(options: AlchemyOptions): Route[] {
  const { chains, nft, origins, collections } = options

  /** The tokens, in their order; `isList` false: a single token as an object. */
  async function answer(
    { chain, tokens, exchange }: { chain: ApiChain; tokens: readonly NamedToken[]; exchange: Exchange },
    { isList }: { isList: boolean },
  ): Promise<Answer> {
    const addresses = [...new Set(tokens.map(({ address }) => address))]
    const requested = { collections, chainId: chain.id, addresses, exchange }
    return exchange.schedule(() =>
      eachOfOneBlock(requested, async (snapshots, states) => {
        const nfts = await readNamed({
          ...{ nft, origins, chainId: chain.id, tokens },
          snapshots: new Map(addresses.map((address, i) => [address, snapshots[i]!])),
          states: await shownStates(requested, addresses, states),
        })
        const body = isList ? bodyWith('{"nfts":[', nfts, ']}') : bodyWith('', nfts, '')
        return indexedBody(body, snapshots)
      }),
    )
  }

  /** A request waits for metadata only if it requests a refresh. */
  async function refresh(
    { chain, tokens, exchange }: { chain: ApiChain; tokens: readonly NamedToken[]; exchange: Exchange },
    given: { refreshCache?: boolean | null | undefined; tokenUriTimeoutInMs?: number | null | undefined },
  ): Promise<void> {
    if (!given.refreshCache) return
    await refreshTokens(options, { chain, tokens, exchange, waitMs: given.tokenUriTimeoutInMs ?? undefined })
  }

  return [
    alchemyRoute({
      method: 'GET',
      name: 'getNFTMetadata',
      chains,
      scheduled: 'inside',
      query: z.object({
        contractAddress: contractAddress(),
        tokenId: tokenIdParameter(),
        tokenType: tokenTypeParameter(),
        refreshCache: flag({ description: 'true: reads the metadata again.', default: false }).optional(),
        tokenUriTimeoutInMs: timeoutParameter(),
      }),
      async handle({ chain, query, exchange }) {
        const requested = { chain, tokens: [{ address: query.contractAddress, tokenId: query.tokenId }], exchange }
        await refresh(requested, query)
        return answer(requested, { isList: false })
      },
    }),
    alchemyRoute({
      method: 'POST',
      name: 'getNFTMetadataBatch',
      chains,
      scheduled: 'inside',
      body: {
        schema: z.object({
          tokens: allowing(
            `a list of 1 to ${mostTokens} tokens`,
            z.array(namedToken).min(1).max(mostTokens, `has too many; allowed: at most ${mostTokens} tokens`),
          ),
          ...refreshing,
        }),
      },
      async handle({ chain, body, exchange }) {
        const tokens = body.tokens.map(({ contractAddress: address, tokenId }) => ({ address, tokenId }))
        await refresh({ chain, tokens, exchange }, body)
        return answer({ chain, tokens, exchange }, { isList: true })
      },
    }),
    alchemyRoute({
      method: 'POST',
      name: 'refreshNftMetadata',
      chains,
      scheduled: 'inside',
      body: { schema: namedToken },
      async handle({ chain, body, exchange }) {
        const requested = { chain, tokens: [{ address: body.contractAddress, tokenId: body.tokenId }], exchange }
        await refresh(requested, { refreshCache: true })
        return answer(requested, { isList: false })
      },
    }),
  ]
}
