import { z } from 'zod'
import type { AdminRoutesOptions } from '../../admin/admin.ts'
import { longestSearch, mostFound, recordSearchSchema, searchSchema } from '../../admin/search.ts'
import { jsonAnswer } from '../../http/answer.ts'
import { parameter } from '../../http/parameters.ts'
import { defineRoute, type Route } from '../../http/route.ts'

/** `rest`: what the search finds besides collections and tokens. */
const text = (rest: string) =>
  parameter({
    description: `Search term: an address or its beginning, a name, a token id, address/id or chain/address/id, ${rest}.`,
    allowed: `a text of 1 to ${longestSearch} characters`,
    schema: { type: 'string', minLength: 1, maxLength: longestSearch, examples: ['apes'] },
    parse(given) {
      const trimmed = given.trim()
      return trimmed !== '' && trimmed.length <= longestSearch ? trimmed : undefined
    },
  })

const bounded = `At most ${mostFound} of each, in bounded time: each kind reports whether there are more, and whether the search was cut short.`

export function adminSearchRoutes(options: AdminRoutesOptions): Route[] {
  return [
    defineRoute({
      tag: 'Admin',
      access: 'admin',
      method: 'GET',
      path: '/admin/search',
      operationId: 'search',
      summary: 'Search collections, tokens, coins and streams',
      description: bounded,
      query: z.object({ q: text('the type of a coin, its hash, name or symbol, the tag or id of a stream') }),
      ok: { description: 'The results.', schema: searchSchema },
      handle: async ({ query }) => jsonAnswer(200, await options.admin.search(query.q, mostFound, { streams: true })),
    }),
  ]
}

/** The same for every key, without streams. */
export function searchRoutes(options: AdminRoutesOptions): Route[] {
  return [
    defineRoute({
      tag: 'NFTs',
      access: 'read',
      method: 'GET',
      path: '/api/v2/search',
      operationId: 'searchRecords',
      summary: 'Search collections, tokens and coins',
      description: bounded,
      query: z.object({ q: text('the type of a coin, its hash, name or symbol') }),
      ok: { description: 'The results.', schema: recordSearchSchema },
      async handle({ query }) {
        const found = await options.admin.search(query.q, mostFound, { streams: false })
        return jsonAnswer(200, recordSearchSchema.parse(found))
      },
    }),
  ]
}
