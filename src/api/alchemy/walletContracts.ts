import { z } from 'zod'
import { jsonAnswer } from '../http/answer.ts'
import { fault } from '../http/parseQuery.ts'
import type { Route } from '../http/route.ts'
import { answerWallet, type WalletCoverage } from '../nft/wallets/answerWallet.ts'
import { readCollections } from '../nft/wallets/walletSource.ts'
import { type AlchemyOptions, alchemyRoute } from './alchemyRoute.ts'
import { filterContracts, placeOf } from './filterContracts.ts'
import { indexedHeaders } from './indexedAnswer.ts'
import { createPageKeys, pageKeyParameter } from './pageKey.ts'
import {
  filtersParameter,
  orderParameter,
  ownerParameter,
  pageSizeParameter,
  withMetadataParameter,
} from './parameters.ts'
import { contractShape } from './records/contractShape.ts'
import { imageOf } from './records/images.ts'
import { readContractFacts } from './records/readContractFacts.ts'
import { readShownTokens } from './records/shownTokens.ts'
import { rejectOrderOf, walletChoice } from './walletFilter.ts'

/** Where a page begins, and the contract count of the first page; null: unknown. */
type Place = { collection: string; total: number | null }

/** Contracts whose tokens a wallet holds. */
export function walletContractsRoutes(options: AlchemyOptions): Route[] {
  const { chains, origins, collections, cursors } = options
  return [
    alchemyRoute({
      method: 'GET',
      name: 'getContractsForOwner',
      chains,
      scheduled: 'inside',
      query: z.object({
        owner: ownerParameter(),
        withMetadata: withMetadataParameter(),
        excludeFilters: filtersParameter('Omit these contracts.'),
        includeFilters: filtersParameter('List only these contracts.'),
        orderBy: orderParameter(),
        pageSize: pageSizeParameter(),
        pageKey: pageKeyParameter().optional(),
      }),
      async handle({ chain, query, exchange }) {
        const { owner: wallet, pageSize: limit = 100 } = query
        const { spam, keeps, name: choice } = walletChoice(query)
        const order = query.orderBy === undefined ? 'contract' : 'acquired'
        if (order === 'acquired' && keeps)
          throw fault('orderBy', 'is transferTime, together with AIRDROPS; allowed: one of the two')
        const keys = createPageKeys<Place>({
          ...{ cursors: await cursors(), operation: 'wallet.contracts.1' },
          filters: { chain: String(chain.id), wallet, choice, order },
        })
        const place = keys.read(query.pageKey)
        const filter = { chainId: chain.id, wallet, ...spam }
        const answer = async (coverage: WalletCoverage) => {
          if (order === 'acquired') rejectOrderOf(coverage)
          const { found, count } = await readCollections(options, coverage, {
            ...filter,
            after: place?.collection ?? null,
            limit,
            asOf: null,
            order,
          })
          const { report } = coverage
          const read = await collections.read(
            chain.id,
            found.collections.map(({ address }) => address),
          )
          const listed = found.collections.map((one, i) => ({ ...one, state: read[i]!.snapshot.state }))
          const requested = { ...options, coverage, chainId: chain.id, wallet }
          const chosen = keeps && (await filterContracts({ ...requested, contracts: listed, keeps }))
          const looked = chosen ? listed.slice(0, chosen.looked) : listed
          const shown = chosen ? looked.filter(({ address }) => chosen.kept.has(address)) : looked
          const tokens = await readShownTokens({ ...options, coverage, filter, contracts: shown })
          const known = new Map(shown.map(({ address, state }) => [address, state]))
          const facts = await readContractFacts({ origins, chainId: chain.id }, known, { isNamed: false })
          const contracts = shown.map((one, i) => {
            const { holding, record } = tokens[i]!
            const { name, symbol, standard, possibleSpam: isSpam } = one
            const contract = contractShape(one.address, one.state, facts.get(one.address))
            return {
              ...contract,
              ...{ name, symbol, tokenType: contract.tokenType ?? standard, isSpam },
              displayNft: { tokenId: record?.token_id ?? null, name: record?.normalized_metadata?.name ?? null },
              image: imageOf(record?.media ?? null, record?.normalized_metadata?.image ?? null),
              totalBalance: one.totalAmount ?? holding?.totalAmount ?? null,
              numDistinctTokensOwned: String(one.tokens),
            }
          })
          const end = looked.length < listed.length ? placeOf(coverage, looked.at(-1)!) : found.next
          // With an airdrop filter, the total is known only if there is a single page.
          const total = keeps
            ? place === null && end === null
              ? shown.length
              : null
            : (place?.total ?? (found.next === null ? found.collections.length : await count()))
          const next = end === null ? null : { collection: end, total }
          const { headers } = report.at(performance.now())
          return jsonAnswer(200, { contracts, totalCount: total, pageKey: keys.sign(next) }, indexedHeaders(headers))
        }
        return exchange.schedule(
          () =>
            answerWallet(
              options,
              { chain, wallet, name: 'owner', addresses: null, exchange, coveredByPage: true, readsMore: true },
              answer,
            ),
          // The scheduler estimates requests that may wait for a node separately.
          { kind: keeps ? 'airdrops' : '' },
        )
      },
    }),
  ]
}
