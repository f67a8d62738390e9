import { z } from 'zod'
import { tokenId } from '../http/parameters.ts'
import type { Route } from '../http/route.ts'
import { type AlchemyOptions, alchemyRoute } from './alchemyRoute.ts'
import { indexedAnswer, indexedBody } from './indexedAnswer.ts'
import { ofContract } from './ofContract.ts'
import { createPageKeys, pageKeyParameter } from './pageKey.ts'
import { contractAddress, pageSizeParameter, timeoutParameter, withMetadataParameter } from './parameters.ts'
import { bodyWith, byteText } from './records/byteText.ts'
import { createNftWriter } from './records/nftText.ts'
import { readContractFacts } from './records/readContractFacts.ts'
import { readOrigins, withMetadata, withoutMetadata } from './records/readNfts.ts'

/** The tokens of a contract in the order of their ids. */
export function contractNftsRoutes(options: AlchemyOptions): Route[] {
  const { chains, nft, origins, collections, cursors } = options
  return [
    alchemyRoute({
      method: 'GET',
      name: 'getNFTsForContract',
      chains,
      query: z.object({
        contractAddress: contractAddress(),
        withMetadata: withMetadataParameter(),
        startToken: tokenId({ description: 'The first token, decimal or hex.' }).optional(),
        limit: pageSizeParameter(),
        pageSize: pageSizeParameter(),
        pageKey: pageKeyParameter().optional(),
        tokenUriTimeoutInMs: timeoutParameter(),
      }),
      async handle({ chain, query, exchange }) {
        const { contractAddress: address, startToken } = query
        const hasMetadata = query.withMetadata ?? true
        const keys = createPageKeys<string>({
          cursors: await cursors(),
          operation: 'contract.1',
          filters: { chain: String(chain.id), address, start: startToken === undefined ? null : String(startToken) },
        })
        const place = keys.read(query.pageKey)
        const after = place === null ? (startToken ?? 0n) - 1n : BigInt(place)
        const limit = query.limit ?? query.pageSize ?? 100
        const requested = { collections, chainId: chain.id, address, exchange }
        return ofContract(requested, async (snapshot, state) => {
          if (!state || state.status === 'none') return indexedAnswer({ nfts: [], pageKey: null }, [snapshot])
          const form = hasMetadata ? withMetadata : withoutMetadata
          const page = await nft.pageOfIds({ state, address, after, limit, ...form })
          const parts = page.records.parts()
          const pageKey = byteText(keys.sign(page.last === null ? null : String(page.last)))
          const bodyOf = (nfts: string[]) =>
            indexedBody(bodyWith('{"nfts":[', nfts, `],"pageKey":${pageKey}}`), [snapshot])
          if (!hasMetadata)
            return bodyOf(parts.map(({ token }) => `{"contractAddress":"${address}","tokenId":"${token.token_id}"}`))
          const states = new Map([[address, state]])
          const [from, facts] = await Promise.all([
            readOrigins({ origins, chainId: chain.id }, parts),
            readContractFacts({ origins, chainId: chain.id }, states, { isNamed: true }),
          ])
          const writer = createNftWriter({ states, facts })
          return bodyOf(parts.map((one, i) => writer.nft(one, { origin: from[i] })))
        })
      },
    }),
  ]
}
