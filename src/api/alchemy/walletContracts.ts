import { z } from 'zod'
import { jsonAnswer } from '../http/answer.ts'
import { headersNow } from '../http/pageTarget.ts'
import type { Route } from '../http/route.ts'
import { answerWallet } from '../nft/answerWallet.ts'
import { readCollections } from '../nft/walletSource.ts'
import { type AlchemyOptions, alchemyRoute } from './alchemyRoute.ts'
import { contractShape } from './contractShape.ts'
import { imageOf } from './images.ts'
import { indexedHeaders } from './indexedAnswer.ts'
import { createPageKeys, pageKeyParameter } from './pageKey.ts'
import {
  filtersParameter,
  noOrderParameter,
  ownerParameter,
  pageSizeParameter,
  withMetadataParameter,
} from './parameters.ts'
import { readContractFacts } from './readContractFacts.ts'
import { readShownTokens } from './shownTokens.ts'
import { spamFilter } from './walletFilter.ts'

/** Where a page begins, and how many contracts the first one counted. */
type Place = { collection: string; total: number }

/** The contracts of which a wallet holds tokens. */
export function walletContractsRoutes(options: AlchemyOptions): Route[] {
  const { chains, origins, collections, cursors } = options
  return [
    alchemyRoute({
      method: 'GET',
      name: 'getContractsForOwner',
      chains,
      query: z.object({
        owner: ownerParameter(),
        withMetadata: withMetadataParameter(),
        excludeFilters: filtersParameter('What is omitted.'),
        includeFilters: filtersParameter('What alone is wanted.'),
        orderBy: noOrderParameter(),
        pageSize: pageSizeParameter(),
        pageKey: pageKeyParameter().optional(),
      }),
      async handle({ chain, query, exchange }) {
        const { owner: wallet, pageSize: limit = 100 } = query
        const spam = spamFilter(query)
        const keys = createPageKeys<Place>({
          ...{ cursors: await cursors(), operation: 'wallet.contracts.1' },
          filters: { chain: String(chain.id), wallet, spam },
        })
        const place = keys.read(query.pageKey)
        const filter = { chainId: chain.id, wallet, ...spam }
        return answerWallet(options, { chain, wallet, name: 'owner', addresses: null, exchange }, async (coverage) => {
          const { report } = coverage
          const asked = { ...filter, after: place?.collection ?? null, limit, asOf: null }
          const { found, count } = await readCollections(options, coverage, asked)
          const total = place?.total ?? (await count())
          const addresses = found.collections.map(({ address }) => address)
          const states = await collections.read(chain.id, addresses)
          const shown = await readShownTokens({
            ...{ ...options, coverage, filter },
            contracts: states.map(({ collection, snapshot }) => ({
              address: collection.address,
              state: snapshot.state,
            })),
          })
          const known = new Map(states.map(({ collection, snapshot }) => [collection.address, snapshot.state]))
          const facts = await readContractFacts({ origins, chainId: chain.id }, known, { isNamed: false })
          const contracts = found.collections.map((one, i) => {
            const { holding, record } = shown[i]!
            const { name, symbol, standard, possibleSpam: isSpam } = one
            const contract = contractShape(one.address, states[i]!.snapshot.state, facts.get(one.address))
            return {
              ...contract,
              ...{ name, symbol, tokenType: contract.tokenType ?? standard, isSpam },
              displayNft: { tokenId: record?.token_id ?? null, name: record?.normalized_metadata?.name ?? null },
              image: imageOf(record?.media ?? null, record?.normalized_metadata?.image ?? null),
              totalBalance: one.pieces ?? holding?.pieces ?? null,
              numDistinctTokensOwned: String(one.tokens),
            }
          })
          const reported = report.at(performance.now())
          const next = found.next === null ? null : { collection: found.next, total }
          const headers = indexedHeaders(headersNow({ headers: reported.headers, confirmedAt: report.confirmedAt }))
          return jsonAnswer(200, { contracts, totalCount: total, pageKey: keys.sign(next) }, headers)
        })
      },
    }),
  ]
}
