import { z } from 'zod'
import type { NftQuery } from '../../nft/query.ts'
import type { WalletPlace, WalletQuery } from '../../nft/walletQuery.ts'
import type { PageState } from '../http/pageTarget.ts'
import { defineRoute, type Exchange, type Route } from '../http/route.ts'
import { answerCovered } from '../nft/answerCoverage.ts'
import type { ApiChain } from '../nft/chains.ts'
import type { Collections } from '../nft/collections.ts'
import { recordOptions } from '../nft/recordParameters.ts'
import { type WalletReports, walletHeaderSchema } from '../nft/reportWallets.ts'
import {
  cutWalletCollections,
  type WalletCollectionAfter,
  walletCollectionDefaults,
  walletCollectionPageSchema,
  walletCollectionsOperation,
  walletCollectionsQuerySchema,
} from '../nft/walletCollections.ts'
import {
  cutWalletPage,
  totalOf,
  walletNftDefaults,
  walletNftPageSchema,
  walletNftsOperation,
  walletNftsQuerySchema,
} from '../nft/walletPages.ts'
import { packContracts, readWalletList, unpackContracts, walletParameter } from '../nft/walletParameters.ts'
import { answerAndRemember, walletPageState } from '../nft/walletTarget.ts'
import type { Cursors } from '../pages/cursor.ts'
import type { PageAnswers } from '../pages/pageAnswers.ts'
import type { PageCache } from '../pages/pageCache.ts'

export type WalletNftRoutesOptions = {
  nft: NftQuery
  wallets: WalletQuery
  reports: WalletReports
  chains: readonly ApiChain[]
  collections: Collections
  answers: PageAnswers
  cache: PageCache
  cursors: () => Promise<Cursors>
  /** Part of every ETag; different for another database or another program. */
  salt: () => Promise<string>
}

const covers =
  'Covers the collections that are indexed on the chain, as x-index-collections and x-index-to-block tell. A page may hold fewer than limit and have a cursor.'

/** What wallets hold. */
export function walletNftRoutes(options: WalletNftRoutesOptions): Route[] {
  return [nftsRoute(options), collectionsRoute(options)]
}

function nftsRoute(options: WalletNftRoutesOptions): Route {
  const { nft, wallets, chains, answers, cache, cursors, salt } = options
  const route = '/api/v2/{wallet}/nft'
  return defineRoute({
    method: 'GET',
    path: route,
    operationId: 'getWalletNFTs',
    summary: 'NFTs of a wallet',
    description: `By collection, the one last indexed first, and in it in order of token_hash, descending. ${covers} Also at /api/v2.2.`,
    tag: 'NFTs',
    access: 'read',
    produces: 'json',
    params: z.object({ wallet: walletParameter() }),
    query: walletNftsQuerySchema({ chains }),
    ok: { description: 'A page.', schema: walletNftPageSchema, headers: walletHeaderSchema },
    async handle({ params: { wallet }, query, exchange }) {
      const { token_addresses, ...given } = query
      const { chain, place } = readWalletList({
        ...{ operation: walletNftsOperation, wallet, query, chains, cursors: await cursors() },
        filters: { ...given, chain: undefined, token_addresses: packContracts(token_addresses) },
        defaults: walletNftDefaults,
      })
      const { exclude_spam: excludeSpam, limit } = place.filters
      const addresses = unpackContracts(place.filters.token_addresses)
      /** The page as it was last answered. */
      let last: PageState | undefined
      const isKnown = (exchange: Exchange) =>
        exchange.header('if-none-match') !== undefined ||
        (last !== undefined && cache.get(last.name, last.version) !== undefined)
      const answer = (exchange: Exchange) =>
        answerCovered(options, { chainId: chain.id, addresses, exchange }, async ({ report, only }) => {
          const filter = { chainId: chain.id, wallet, only: only?.map(({ id }) => id) ?? null, excludeSpam }
          // Where the page may well be the one that is kept, its documents are read only if it is not.
          const whole = isKnown(exchange) ? null : recordOptions(place.filters)
          const found = await wallets.tokens(filter, place.after as WalletPlace | null, { limit, whole })
          // Also where the page stays the same: it changes with tokens of other pages.
          const total = await totalOf(wallets, filter, place)
          const reported = report.at(performance.now())
          const { status } = reported
          const mark = JSON.stringify([found.mark, found.next, total])
          const named = { operation: walletNftsOperation, place, mark }
          const state = walletPageState({ salt: await salt(), ...named, report, reported })
          last = state
          const cut = async () => cutWalletPage({ nft, cursors: await cursors(), place, found, total, status })
          return answers.answer({ state, keep: true, cut, exchange })
        })
      return answerAndRemember({ cache, route, exchange, answer })
    },
  })
}

function collectionsRoute(options: WalletNftRoutesOptions): Route {
  const { wallets, chains, answers, cache, cursors, salt } = options
  const route = '/api/v2/{wallet}/nft/collections'
  const operation = walletCollectionsOperation
  return defineRoute({
    method: 'GET',
    path: route,
    operationId: 'getWalletNFTCollections',
    summary: 'Collections of a wallet',
    description: `The collections of which a wallet holds tokens, the one last indexed first. ${covers} Also at /api/v2.2.`,
    tag: 'NFTs',
    access: 'read',
    produces: 'json',
    params: z.object({ wallet: walletParameter() }),
    query: walletCollectionsQuerySchema({ chains }),
    ok: { description: 'A page.', schema: walletCollectionPageSchema, headers: walletHeaderSchema },
    async handle({ params: { wallet }, query, exchange }) {
      const { chain, place } = readWalletList({
        ...{ operation, wallet, query, chains, cursors: await cursors() },
        filters: { ...query, chain: undefined },
        defaults: walletCollectionDefaults,
      })
      const { exclude_spam: excludeSpam, limit } = place.filters
      const filter = { chainId: chain.id, wallet, excludeSpam }
      const after = place.after as WalletCollectionAfter | null
      const count = async () => (await wallets.count({ ...filter, only: null })).collections
      const answer = (exchange: Exchange) =>
        answerCovered(options, { chainId: chain.id, addresses: null, exchange }, async ({ report }) => {
          const found = await wallets.collections(filter, after?.collection ?? null, limit)
          const reported = report.at(performance.now())
          const { status } = reported
          const body = await cutWalletCollections({ cursors: await cursors(), place, found, count, status })
          const state = walletPageState({ salt: await salt(), operation, place, mark: body, report, reported })
          return answers.answer({ state, keep: true, cut: async () => body, exchange })
        })
      return answerAndRemember({ cache, route, exchange, answer })
    },
  })
}
