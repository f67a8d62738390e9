import { z } from 'zod'
import { rejectBurnAddress } from '../../../util/burnAddresses.ts'
import type { AdminRoutesOptions } from '../../admin/admin.ts'
import { chainName } from '../../admin/chains.ts'
import {
  type WalletStatus,
  walletDetailSchema,
  walletRemovalSchema,
  walletSchema,
  walletStatuses,
} from '../../admin/wallets.ts'
import { jsonAnswer } from '../../http/answer.ts'
import { choice, pageParameters } from '../../http/parameters.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { walletParameter } from '../../nft/walletParameters.ts'
import { listSchema, readPage } from '../../pages/filteredList.ts'

const common = { tag: 'Admin', access: 'admin' } as const

const path = '/admin/wallets/{chain}/{address}'
const one = z.object({ chain: chainName, address: walletParameter() })

/** Wallets that are indexed over all contracts of their chain. */
export function adminWalletRoutes(options: AdminRoutesOptions): Route[] {
  const { admin, cursors } = options
  return [
    defineRoute({
      ...common,
      method: 'GET',
      path: '/admin/wallets',
      operationId: 'listWallets',
      summary: 'Wallets',
      description:
        'Wallets that are indexed over all contracts, page by page, in the order of chain and address. total counts the first 100,000.',
      query: z.object({
        chain: chainName.optional(),
        status: choice({ description: 'Only wallets in this status.', values: walletStatuses }).optional(),
        ...pageParameters(),
      }),
      ok: { description: 'A page.', schema: listSchema(walletSchema) },
      async handle({ query }) {
        const defaults = { limit: 100, chain: null as string | null, status: null as WalletStatus | null }
        const list = { operation: 'admin.wallets.1', cursors, query, defaults }
        return jsonAnswer(
          200,
          await readPage(list, (filters, after: string | null) => admin.wallets.list({ ...filters, after })),
        )
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path,
      operationId: 'getWallet',
      summary: 'One wallet',
      description: 'Status, progress, coverage, omissions and holdings of a wallet.',
      params: one,
      ok: { description: 'The wallet.', schema: walletDetailSchema },
      errors: [404],
      handle: async ({ params }) => jsonAnswer(200, await options.admin.wallets.get(params)),
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: `${path}/index`,
      operationId: 'indexWallet',
      summary: 'Index a wallet',
      description: 'Requests a wallet, as the first request for its NFTs does. An indexed one does not change.',
      params: one,
      ok: { description: 'The wallet.', schema: walletDetailSchema },
      errors: [404, 429],
      async handle({ params, exchange }) {
        rejectBurnAddress(params.address, 'address')
        return jsonAnswer(200, await options.admin.wallets.index(params, exchange.key?.id ?? 0n))
      },
    }),
    defineRoute({
      ...common,
      method: 'DELETE',
      path,
      operationId: 'deleteWallet',
      summary: 'Remove a wallet',
      description:
        'The wallet is removed at once, and its rows in the background. The next request for it indexes it again.',
      params: one,
      ok: { description: 'What was removed.', schema: walletRemovalSchema },
      errors: [404],
      handle: async ({ params }) => jsonAnswer(200, await options.admin.wallets.remove(params)),
    }),
  ]
}
