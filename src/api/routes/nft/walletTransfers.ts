import { z } from 'zod'
import type { TransferQuery } from '../../../nft/transferQuery.ts'
import { defineRoute, type Exchange, type Route } from '../../http/route.ts'
import type { ApiChain } from '../../nft/chains.ts'
import { cutTransfers, transferPageSchema } from '../../nft/transferPage.ts'
import { readTransferList, transferListShape, transferRangeShape } from '../../nft/transferParameters.ts'
import { contractsParameter, walletParameter } from '../../nft/walletParameters.ts'
import { type AnswerWalletOptions, answerWallet } from '../../nft/wallets/answerWallet.ts'
import { walletHeaderSchema } from '../../nft/wallets/reportWallets.ts'
import { transfersSource } from '../../nft/wallets/walletSource.ts'
import { answerAndRemember, walletPageState } from '../../nft/wallets/walletTarget.ts'
import type { Cursors } from '../../pages/cursor.ts'
import type { PageAnswers } from '../../pages/pageAnswers.ts'
import type { PageCache } from '../../pages/pageCache.ts'

export type WalletTransferRoutesOptions = AnswerWalletOptions & {
  transfers: TransferQuery
  chains: readonly ApiChain[]
  answers: PageAnswers
  cache: PageCache
  cursors: () => Promise<Cursors>
  /** Part of every ETag; different for another database or another program. */
  salt: () => Promise<string>
}

/** Transfers to and from a wallet. */
export function walletTransferRoutes(options: WalletTransferRoutesOptions): Route[] {
  const { transfers, chains, answers, cache, cursors, salt } = options
  const route = '/api/v2/{wallet}/nft/transfers'
  return [
    defineRoute({
      method: 'GET',
      path: route,
      operationId: 'getWalletNFTTransfers',
      summary: 'Transfers of a wallet',
      description:
        'Transfers from and to a wallet, in the order of the chain, the latest first, unless order is ASC. Covers what x-index-scope shows up to x-index-to-block: the chain, read from the first request on, or the indexed collections. With contract_addresses a page may have fewer than limit, even none, and a cursor.',
      tag: 'NFTs',
      access: 'read',
      params: z.object({ wallet: walletParameter() }),
      query: z.object({
        ...transferListShape({ chains }),
        ...transferRangeShape(),
        contract_addresses: contractsParameter({
          description:
            'Only transfers of these contracts; with x-index-scope indexed, new ones are indexed from now on.',
        }).optional(),
      }),
      ok: { description: 'A page.', schema: transferPageSchema, headers: walletHeaderSchema },
      errors: [503],
      async handle({ params: { wallet }, query, exchange }) {
        const path = `wallet ${wallet}`
        const list = await readTransferList({ path, query, chains, cursors: await cursors(), transfers })
        const { chain, contracts: addresses } = list
        const answer = (exchange: Exchange) =>
          answerWallet(options, { chain, wallet, addresses, exchange }, async (coverage) => {
            const { report } = coverage
            const source = transfersSource(coverage, { chainId: chain.id, wallet, addresses })
            const reported = report.at(performance.now())
            const body = await cutTransfers({ transfers, list, source, status: reported.status, block: report.block })
            const named = { operation: 'wallet.transfers', place: list.name, mark: body }
            const state = walletPageState({ salt: await salt(), ...named, report, reported })
            return answers.answer({ state, keep: true, cut: async () => body, exchange })
          })
        // The same dates may mean other blocks later.
        return list.dated ? answer(exchange) : answerAndRemember({ cache, route, exchange, answer })
      },
    }),
  ]
}
