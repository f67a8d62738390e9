import { z } from 'zod'
import { quantity } from '../../../util/hex.ts'
import { fault } from '../../http/parseQuery.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { type ApiChain, chainWithNode, listedChain } from '../../nft/chains.ts'
import { packIncluded } from '../../nft/included.ts'
import { packContracts, unpackContracts, walletParameter } from '../../nft/walletParameters.ts'
import {
  answerChains,
  cutWalletChains,
  walletChainsDefaults,
  walletChainsOperation,
  walletChainsPageSchema,
  walletChainsQuerySchema,
} from '../../nft/wallets/walletChains.ts'
import { walletPageState } from '../../nft/wallets/walletTarget.ts'
import { readList } from '../../pages/filteredList.ts'
import type { WalletNftRoutesOptions } from './walletNfts.ts'

/** Tokens of a wallet on several chains. */
export function walletChainsRoutes(options: WalletNftRoutesOptions): Route[] {
  const { chains, answers, cursors, salt } = options
  const operation = walletChainsOperation
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v2/wallets/{wallet}/nft',
      operationId: 'getWalletNFTsOfChains',
      summary: 'NFTs of a wallet on several chains',
      description:
        'Pages of the tokens of a wallet on several chains, chain after chain in the order of chains, each in the order of getWalletNFTs, also with order. The first request starts the indexing on all of them. A page may have fewer than limit, and a cursor.',
      tag: 'NFTs',
      access: 'read',
      params: z.object({ wallet: walletParameter() }),
      query: walletChainsQuerySchema({ chains }),
      ok: { description: 'A page.', schema: walletChainsPageSchema },
      async handle({ params: { wallet }, query, exchange }) {
        const { chains: requested, cursor, token_addresses, include, ...given } = query
        const place = readList({
          ...{ operation, cursors: await cursors(), cursor, defaults: walletChainsDefaults },
          given: {
            ...{ ...given, wallet, chains: requested && idsOf(requested, chains) },
            ...{ include: packIncluded(include), token_addresses: packContracts(token_addresses) },
          },
        })
        if (place.filters.chains === '')
          throw fault('chains', 'is missing; allowed: names or hex ids of 1 to 20 chains')
        const walked = place.filters.chains.split(',').map((id) => listedChain(id, chains))
        const addresses = unpackContracts(place.filters.token_addresses)
        return answerChains(options, { chains: walked, wallet, addresses, exchange }, async (covered) => {
          const { body, status } = await cutWalletChains(options, { cursors: await cursors(), place, wallet, covered })
          const reported = { status, headers: [] }
          const report = { at: () => reported, confirmedAt: undefined }
          const state = walletPageState({ salt: await salt(), operation, place, mark: body, report, reported })
          return answers.answer({ state, keep: true, cut: async () => body, exchange })
        })
      },
    }),
  ]
}

/** Unique ids of chains in hex. Throws BadRequestError if a chain has no node. */
function idsOf(requested: readonly ApiChain[], chains: readonly ApiChain[]): string {
  return [...new Set(requested.map((chain) => quantity(chainWithNode(chain, chains, 'chains').id)))].join(',')
}
