import { z } from 'zod'
import { NotFoundError } from '../../util/errors.ts'
import { parameter } from '../http/parameters.ts'
import { defineRoute, type Route } from '../http/route.ts'
import type { ApiChain } from '../nft/chains.ts'
import { commonOf, pathParameters, restPath } from './alchemyRoute.ts'
import { indexedHeaderSchema } from './indexedAnswer.ts'
import { answerSchema, batchSchema } from './schemas.ts'

function unknownOperation(method: 'GET' | 'POST', name: string, names: readonly string[]): NotFoundError {
  if (name.startsWith('/'))
    return new NotFoundError(
      `the path has two slashes before ${name.slice(1)}; allowed: a base URL without / at its end`,
    )
  const problem = name === '' ? 'the path has no operation after the key' : `${name} is not an operation with ${method}`
  return new NotFoundError(`${problem}; allowed: ${names.join(', ')}`)
}

/** GET at the base URL. If a client omits the key, the name of the operation is in its place, and the key is wrong. */
export function baseRoute({ chains, names }: { chains: readonly ApiChain[]; names: readonly string[] }): Route {
  return defineRoute({
    ...commonOf,
    method: 'GET',
    path: restPath,
    operationId: 'readAlchemyBase',
    summary: 'No operation',
    description: 'Lists the operations as an error.',
    scheduled: 'none',
    params: pathParameters(chains),
    ok: { description: 'Never.' },
    async handle() {
      throw unknownOperation('GET', '', names)
    },
  })
}

/**
 * The dialect in `openapi.json`: one operation for all routes of a method, as separate ones would add 25 kB. As routes
 * they answer names that no operation has.
 */
export function describedRoutes({
  chains,
  names,
}: {
  chains: readonly ApiChain[]
  names: Record<'GET' | 'POST', readonly string[]>
}): Route[] {
  const params = (method: 'GET' | 'POST') =>
    pathParameters(chains).extend({
      route: parameter({
        description: 'The operation.',
        allowed: names[method].join(', '),
        schema: { type: 'string', enum: names[method] },
        parse: (text) => text,
      }),
    })
  const unknown = (method: 'GET' | 'POST', name: string) => unknownOperation(method, name, names[method])
  const common = { ...commonOf, scheduled: 'none', takesRest: true, errors: [404, 409] } as const
  const source =
    "Parameters and bodies are those of Alchemy's NFT API v3; docs/moving.md lists what differs. Its clients work with this path as base URL. The first request for a contract starts its indexing."
  return [
    defineRoute({
      ...common,
      method: 'GET',
      path: `${restPath}/{route}`,
      operationId: 'readAlchemy',
      summary: "Alchemy's NFT API v3",
      description: source,
      params: params('GET'),
      ok: { description: 'Response of the operation.', schema: answerSchema, headers: indexedHeaderSchema },
      async handle({ params }) {
        throw unknown('GET', params.route)
      },
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: `${restPath}/{route}`,
      operationId: 'postAlchemy',
      summary: "Alchemy's NFT API v3, operations with a body",
      description: 'As those without a body.',
      params: params('POST'),
      body: { schema: z.looseObject({}).describe('Body of the operation.') },
      ok: { description: 'Response of the operation.', schema: batchSchema, headers: indexedHeaderSchema },
      async handle({ params }) {
        throw unknown('POST', params.route)
      },
    }),
  ]
}
