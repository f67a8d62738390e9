import { z } from 'zod'
import type { TransferQuery } from '../../nft/transferQuery.ts'
import { defineRoute, type Exchange, type Route } from '../http/route.ts'
import type { ApiChain } from '../nft/chains.ts'
import { type WalletTellings, walletHeaderSchema } from '../nft/tellWallets.ts'
import { cutTransfers, transferPageSchema } from '../nft/transferPage.ts'
import { readTransferList, transferListShape, transferRangeShape } from '../nft/transferParameters.ts'
import { walletParameter } from '../nft/walletParameters.ts'
import { answerAndRemember, walletPageState } from '../nft/walletTarget.ts'
import type { Cursors } from '../pages/cursor.ts'
import type { PageAnswers } from '../pages/pageAnswers.ts'
import type { PageCache } from '../pages/pageCache.ts'

export type WalletTransferRoutesOptions = {
  transfers: TransferQuery
  tellings: WalletTellings
  chains: readonly ApiChain[]
  answers: PageAnswers
  cache: PageCache
  cursors: () => Promise<Cursors>
  /** Part of every ETag; different for another database or another program. */
  salt: () => Promise<string>
}

/** What wallets gave and got. */
export function walletTransferRoutes(options: WalletTransferRoutesOptions): Route[] {
  const { transfers, tellings, chains, answers, cache, cursors, salt } = options
  const route = '/api/v2/{wallet}/nft/transfers'
  return [
    defineRoute({
      method: 'GET',
      path: route,
      operationId: 'getWalletNFTTransfers',
      summary: 'Transfers of a wallet',
      description:
        'What a wallet gave and got, in the order of the chain, the latest first where order is not ASC. Covers the collections that are indexed on the chain, as x-index-collections and x-index-to-block tell. Also at /api/v2.2.',
      tag: 'NFTs',
      access: 'read',
      produces: 'json',
      params: z.object({ wallet: walletParameter() }),
      query: z.object({ ...transferListShape({ chains }), ...transferRangeShape() }),
      ok: { description: 'A page.', schema: transferPageSchema, headers: walletHeaderSchema },
      errors: [503],
      async handle({ params: { wallet }, query, exchange }) {
        const path = `wallet ${wallet}`
        const list = await readTransferList({ path, query, chains, cursors: await cursors(), transfers })
        const chainId = list.chain.id
        const source = { of: 'wallet', chainId, wallet } as const
        const answer = async (exchange: Exchange) => {
          const telling = await tellings.read(chainId)
          const told = telling.at(performance.now())
          const body = await cutTransfers({ transfers, list, source, status: told.status })
          const named = { operation: 'wallet.transfers', place: list.name, mark: body }
          const state = walletPageState({ salt: await salt(), ...named, telling, told })
          return answers.answer({ state, keep: true, cut: async () => body, exchange })
        }
        // Later the same dates may be other blocks.
        return list.dated ? answer(exchange) : answerAndRemember({ cache, route, exchange, answer })
      },
    }),
  ]
}
