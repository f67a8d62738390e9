import { z } from 'zod'
import type { AdminRoutesOptions } from '../../admin/admin.ts'
import { chainName, chainResetSchema, chainSchema, changedChainSchema, resetChainSchema } from '../../admin/chains.ts'
import { jsonAnswer } from '../../http/answer.ts'
import { pageParameters } from '../../http/parameters.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { listSchema, readPage } from '../../pages/filteredList.ts'

const common = { tag: 'Admin', access: 'admin' } as const
const one = z.object({ chain: chainName })

export function adminChainRoutes(options: AdminRoutesOptions): Route[] {
  return [
    defineRoute({
      ...common,
      method: 'GET',
      path: '/admin/chains',
      operationId: 'listChains',
      summary: 'EVM chains',
      description:
        'Lists the chains that have stored data, that collections or streams need, that a server is configured for, or that are paused: how far each is followed, why it is not followed if it should be, and its nodes by host. Page by page, in the order of their ids.',
      query: z.object(pageParameters()),
      ok: {
        description: 'A page.',
        schema: listSchema(chainSchema).extend({
          role: z
            .string()
            .describe('Role of the answering process. The figures of endpoints count only its own calls.'),
        }),
      },
      async handle({ query }) {
        const { chains } = options.admin
        const list = { operation: 'admin.chains.1', cursors: options.cursors, query, defaults: { limit: 100 } }
        const body = await readPage(list, ({ limit }, after: string | null) =>
          chains.list({ after: after === null ? null : BigInt(after), limit }),
        )
        return jsonAnswer(200, { ...body, role: chains.role })
      },
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/admin/chains/{chain}/pause',
      operationId: 'pauseChain',
      summary: 'Pause a chain',
      description:
        'Within seconds servers stop reading the chain: its collections and streams keep their positions until it is resumed. Existing webhooks are sent.',
      params: one,
      ok: { description: 'The chain.', schema: changedChainSchema },
      errors: [404],
      handle: async ({ params }) => jsonAnswer(200, await options.admin.chains.pause(params.chain)),
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/admin/chains/{chain}/resume',
      operationId: 'resumeChain',
      summary: 'Resume a chain',
      description: 'Within seconds servers read the chain again, from the block at which it was paused.',
      params: one,
      ok: { description: 'The chain.', schema: changedChainSchema },
      errors: [404],
      handle: async ({ params }) => jsonAnswer(200, await options.admin.chains.resume(params.chain)),
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/admin/chains/{chain}/reset',
      operationId: 'resetChain',
      summary: 'Reset a chain',
      description:
        'For a chain that was recreated under the same id. Cannot be undone: the data of its blocks, collections and wallets is removed, these are indexed again, and its streams restart at the first block. The body repeats the chain.',
      params: one,
      body: { schema: resetChainSchema },
      ok: { status: 202, description: 'Progress of the reset after a few seconds.', schema: chainResetSchema },
      errors: [404],
      handle: async ({ params, body }) => jsonAnswer(202, await options.admin.chains.reset(params.chain, body.confirm)),
    }),
  ]
}
