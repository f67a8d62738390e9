import { z } from 'zod'
import type { NftQuery } from '../../../nft/query.ts'
import type { Hex } from '../../../util/hex.ts'
import type { PageState } from '../../http/pageTarget.ts'
import { defineRoute, type Exchange, type Route } from '../../http/route.ts'
import type { ApiChain } from '../../nft/chains.ts'
import { isIncluded, packIncluded } from '../../nft/included.ts'
import { recordOptions } from '../../nft/recordParameters.ts'
import { indexOnlyHeaderSchema } from '../../nft/schemas.ts'
import { packContracts, readWalletList, unpackContracts, walletParameter } from '../../nft/walletParameters.ts'
import { type AnswerWalletOptions, answerWallet } from '../../nft/wallets/answerWallet.ts'
import { walletHeaderSchema } from '../../nft/wallets/reportWallets.ts'
import {
  cutWalletCollections,
  type WalletCollectionAfter,
  walletCollectionDefaults,
  walletCollectionPageSchema,
  walletCollectionsOperation,
  walletCollectionsQuerySchema,
} from '../../nft/wallets/walletCollections.ts'
import {
  cutWalletPage,
  tokenForm,
  totalOf,
  walletNftDefaults,
  walletNftPageSchema,
  walletNftsOperation,
  walletNftsQuerySchema,
} from '../../nft/wallets/walletPages.ts'
import {
  readCollections,
  readTokens,
  readWalletAsOf,
  reportedAsOf,
  type TokenPlace,
} from '../../nft/wallets/walletSource.ts'
import { answerAndRemember, walletPageState } from '../../nft/wallets/walletTarget.ts'
import type { Cursors } from '../../pages/cursor.ts'
import type { ListFilters, ListPlace } from '../../pages/filteredList.ts'
import type { PageAnswers } from '../../pages/pageAnswers.ts'
import type { PageCache } from '../../pages/pageCache.ts'

export type WalletNftRoutesOptions = AnswerWalletOptions & {
  nft: NftQuery
  chains: readonly ApiChain[]
  answers: PageAnswers
  cache: PageCache
  cursors: () => Promise<Cursors>
  /** Part of every ETag; different for another database or another program. */
  salt: () => Promise<string>
}

const covers =
  'Covers blocks up to x-index-to-block. x-index-scope shows whether of all contracts of the chain, which are read from the first request on, or of the indexed collections. A page may have fewer records than limit, and still a cursor.'

/** Holdings of wallets. */
export function walletNftRoutes(options: WalletNftRoutesOptions): Route[] {
  return [nftsRoute(options), collectionsRoute(options)]
}

function nftsRoute(options: WalletNftRoutesOptions): Route {
  const { nft, chains, answers, cache, cursors, salt } = options
  const route = '/api/v2/{wallet}/nft'
  return defineRoute({
    method: 'GET',
    path: route,
    operationId: 'getWalletNFTs',
    summary: 'NFTs of a wallet',
    description: `By collection, and in it in order of token_hash, descending. ${covers}`,
    tag: 'NFTs',
    access: 'read',
    params: z.object({ wallet: walletParameter() }),
    query: walletNftsQuerySchema({ chains }),
    ok: { description: 'A page.', schema: walletNftPageSchema, headers: walletHeaderSchema },
    errors: [409],
    badRequestHeaders: indexOnlyHeaderSchema,
    async handle({ params: { wallet }, query, exchange }) {
      const { token_addresses, include: included, ...given } = query
      const { chain, place } = readWalletList({
        ...{ operation: walletNftsOperation, wallet, query, chains, cursors: await cursors() },
        filters: {
          ...{ ...given, chain: undefined, include: packIncluded(included) },
          token_addresses: packContracts(token_addresses),
        },
        defaults: walletNftDefaults,
      })
      const { exclude_spam: excludeSpam, limit } = place.filters
      const addresses = unpackContracts(place.filters.token_addresses)
      const coveredByPage = place.filters.as_of_block === null
      const readsMore = isIncluded(place.filters.include, 'acquired')
      /** State of the page when it was last answered. */
      let last: PageState | undefined
      const isKnown = (exchange: Exchange) =>
        exchange.header('if-none-match') !== undefined ||
        (last !== undefined && cache.get(last.name, last.version) !== undefined)
      const answer = (exchange: Exchange) =>
        answerWallet(options, { chain, wallet, addresses, exchange, coveredByPage, readsMore }, async (coverage) => {
          // If the page is probably cached, metadata is read only on a cache miss.
          const metadata = isKnown(exchange) ? null : recordOptions(place.filters)
          const after = place.after as TokenPlace | null
          const asOf = await readWalletAsOf(options.whole, coverage, asOfOf(chain, place))
          const requested = {
            ...{ chainId: chain.id, wallet, addresses, excludeSpam, after, limit, metadata },
            ...{ asOf: asOf?.block ?? null, ...tokenForm(place.filters, [{ scope: coverage.scope, on: '' }]) },
          }
          const { found, count } = await readTokens(options, coverage, requested)
          const { report } = coverage
          // Recounted even if the page is unchanged, as tokens of other pages change the total.
          const total = await totalOf(count, place)
          const reported = reportedAsOf(report.at(performance.now()), asOf)
          const { status } = reported
          // The cursor contains the hash.
          const mark = JSON.stringify([found.mark, found.next, total, asOf?.hash])
          const named = { operation: walletNftsOperation, place, mark }
          const state = walletPageState({ salt: await salt(), ...named, report, reported })
          last = state
          const cut = async () => cutWalletPage({ nft, cursors: await cursors(), place, found, total, asOf, status })
          return answers.answer({ state, keep: true, cut, exchange })
        })
      return answerAndRemember({ cache, route, exchange, answer })
    },
  })
}

function collectionsRoute(options: WalletNftRoutesOptions): Route {
  const { chains, answers, cache, cursors, salt } = options
  const route = '/api/v2/{wallet}/nft/collections'
  const operation = walletCollectionsOperation
  return defineRoute({
    method: 'GET',
    path: route,
    operationId: 'getWalletNFTCollections',
    summary: 'Collections of a wallet',
    description: `The collections of which a wallet holds tokens. ${covers}`,
    tag: 'NFTs',
    access: 'read',
    params: z.object({ wallet: walletParameter() }),
    query: walletCollectionsQuerySchema({ chains }),
    ok: { description: 'A page.', schema: walletCollectionPageSchema, headers: walletHeaderSchema },
    errors: [409],
    badRequestHeaders: indexOnlyHeaderSchema,
    async handle({ params: { wallet }, query, exchange }) {
      const { chain, place } = readWalletList({
        ...{ operation, wallet, query, chains, cursors: await cursors() },
        filters: { ...query, chain: undefined },
        defaults: walletCollectionDefaults,
      })
      const { exclude_spam: excludeSpam, limit } = place.filters
      const filter = { chainId: chain.id, wallet, excludeSpam }
      const after = place.after as WalletCollectionAfter | null
      const coveredByPage = place.filters.as_of_block === null
      const answer = (exchange: Exchange) =>
        answerWallet(options, { chain, wallet, addresses: null, exchange, coveredByPage }, async (coverage) => {
          const asOf = await readWalletAsOf(options.whole, coverage, asOfOf(chain, place))
          const requested = { ...filter, after: after?.collection ?? null, limit, asOf: asOf?.block ?? null }
          const { found, count } = await readCollections(options, coverage, requested)
          const { report } = coverage
          const reported = reportedAsOf(report.at(performance.now()), asOf)
          const { status } = reported
          const body = await cutWalletCollections({ cursors: await cursors(), place, found, count, asOf, status })
          const state = walletPageState({ salt: await salt(), operation, place, mark: body, report, reported })
          return answers.answer({ state, keep: true, cut: async () => body, exchange })
        })
      return answerAndRemember({ cache, route, exchange, answer })
    },
  })
}

/** The requested block, with its hash on the previous page. */
function asOfOf(chain: ApiChain, { filters, after }: ListPlace<ListFilters & { as_of_block: number | null }>) {
  const { asOfHash = null } = (after ?? {}) as { asOfHash?: Hex }
  return { chainId: chain.id, number: filters.as_of_block, hash: asOfHash }
}
