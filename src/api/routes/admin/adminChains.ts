import { z } from 'zod'
import { quantity } from '../../../util/hex.ts'
import type { AdminRoutesOptions } from '../../admin/admin.ts'
import {
  chainName,
  chainResetSchema,
  chainSchema,
  changedChainSchema,
  resetChainSchema,
  shownChain,
} from '../../admin/chains.ts'
import { jsonAnswer } from '../../http/answer.ts'
import { cursorText, wholeNumber } from '../../http/parameters.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { listBody, listSchema, readList } from '../../pages/filteredList.ts'

const common = { tag: 'Admin', access: 'admin', produces: 'json' } as const
const none = z.object({})
const one = z.object({ chain: chainName })

const listQuery = z.object({
  limit: wholeNumber({ description: 'Most records on a page.', min: 1, max: 100, default: 100 }).optional(),
  cursor: cursorText().optional(),
})

/** EVM chains: listed, paused, resumed, reset. */
export function adminChainRoutes(options: AdminRoutesOptions): Route[] {
  return [
    defineRoute({
      ...common,
      method: 'GET',
      path: '/admin/chains',
      operationId: 'listChains',
      summary: 'EVM chains',
      description:
        'Lists the chains that have stored data, that collections or streams need, that a server is configured for, or that are paused: how far each is followed, why it is not followed where it should be, and its nodes by host. Page by page, in the order of their ids.',
      params: none,
      query: listQuery,
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
        const signing = { operation: 'admin.chains.1', cursors: await options.cursors() }
        const { cursor, ...given } = query
        const place = readList({ ...signing, cursor, given, defaults: { limit: 100 } })
        const after = place.after === null ? null : BigInt(place.after as string)
        const { items, ...rest } = await chains.list({ after, limit: place.filters.limit })
        const body = listBody({ ...signing, place, found: { items: items.map(shownChain), ...rest } })
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
      query: none,
      ok: { description: 'The chain.', schema: changedChainSchema },
      errors: [404],
      async handle({ params }) {
        const { changed, ...chain } = await options.admin.chains.pause(params.chain)
        return jsonAnswer(200, { ...shownChain(chain), changed })
      },
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/admin/chains/{chain}/resume',
      operationId: 'resumeChain',
      summary: 'Resume a chain',
      description: 'Within seconds servers read the chain again, from the block at which it was paused.',
      params: one,
      query: none,
      ok: { description: 'The chain.', schema: changedChainSchema },
      errors: [404],
      async handle({ params }) {
        const { changed, ...chain } = await options.admin.chains.resume(params.chain)
        return jsonAnswer(200, { ...shownChain(chain), changed })
      },
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
      query: none,
      body: { schema: resetChainSchema },
      ok: { status: 202, description: 'Progress of the reset after a few seconds.', schema: chainResetSchema },
      errors: [404],
      async handle({ params, body }) {
        const { id, name, done } = await options.admin.chains.reset(params.chain, body.confirm)
        return jsonAnswer(202, {
          id: quantity(id),
          chain: name,
          done: done !== null,
          collections: done?.collections ?? null,
          wallets: done?.wallets ?? null,
          streams: done?.streams ?? null,
        })
      },
    }),
  ]
}
