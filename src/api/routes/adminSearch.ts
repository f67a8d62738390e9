import { z } from 'zod'
import type { AdminRoutesOptions } from '../admin/admin.ts'
import { longestSearch, mostFound, searchSchema } from '../admin/search.ts'
import { jsonAnswer } from '../http/answer.ts'
import { parameter } from '../http/parameters.ts'
import { defineRoute, type Route } from '../http/route.ts'

const q = parameter({
  description:
    'What to look for: an address or its beginning, a name, a token id, address/id or chain/address/id, the type of a coin, its hash, name or symbol, the tag or id of a stream.',
  allowed: `a text of 1 to ${longestSearch} characters`,
  schema: { type: 'string', minLength: 1, maxLength: longestSearch, examples: ['apes'] },
  parse(text) {
    const trimmed = text.trim()
    return trimmed !== '' && trimmed.length <= longestSearch ? trimmed : undefined
  },
})

export function adminSearchRoutes(options: AdminRoutesOptions): Route[] {
  return [
    defineRoute({
      tag: 'Admin',
      access: 'admin',
      produces: 'json',
      method: 'GET',
      path: '/admin/search',
      operationId: 'search',
      summary: 'Collections, tokens, coins and streams by a text',
      description: `At most ${mostFound} of each, in bounded time: each kind says whether there are others, and whether it was cut short.`,
      params: z.object({}),
      query: z.object({ q }),
      ok: { description: 'What was found.', schema: searchSchema },
      handle: async ({ query }) => jsonAnswer(200, await options.admin.search(query.q, mostFound)),
    }),
  ]
}
