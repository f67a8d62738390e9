import { z } from 'zod'
import type { MetadataDemand, WalletDemand } from '../../nft/demand.ts'
import type { HolderQuery } from '../../nft/holderQuery.ts'
import type { OriginQuery } from '../../nft/originQuery.ts'
import type { NftQuery } from '../../nft/query.ts'
import type { TransferQuery } from '../../nft/transferQuery.ts'
import type { WalletQuery, WholeWalletQuery } from '../../nft/walletQuery.ts'
import type { Answer } from '../http/answer.ts'
import { parameter } from '../http/parameters.ts'
import { defineRoute, type Exchange, type Route } from '../http/route.ts'
import type { AsOfReader } from '../nft/asOf.ts'
import type { ApiChain } from '../nft/chains.ts'
import type { Collections } from '../nft/collections/collections.ts'
import type { WalletReports } from '../nft/wallets/reportWallets.ts'
import type { Cursors } from '../pages/cursor.ts'
import type { PageAnswers } from '../pages/pageAnswers.ts'
import type { PageCache } from '../pages/pageCache.ts'
import { networkParameter } from './networks.ts'

/** Dependencies of the routes of this dialect. */
export type AlchemyOptions = {
  chains: readonly ApiChain[]
  nft: NftQuery
  wallets: WalletQuery
  whole: WholeWalletQuery
  walletDemand: WalletDemand
  transfers: TransferQuery
  holders: HolderQuery
  origins: OriginQuery
  metadata: MetadataDemand
  collections: Collections
  reports: WalletReports
  asOf: AsOfReader
  answers: PageAnswers
  cache: PageCache
  cursors: () => Promise<Cursors>
  /** Part of every ETag; different for another database or another program. */
  salt: () => Promise<string>
}

/** Names of shared parameters, in errors of modules that know no dialect, and this dialect's names of them. */
const parameterNames = new Map<unknown, string>([
  ['cursor', 'pageKey'],
  ['as_of_block', 'block'],
])

/** The message with this dialect's name of the parameter. */
function inDialect(message: string, parameter: unknown): string {
  const name = parameterNames.get(parameter)
  return name === undefined ? message : message.replaceAll(String(parameter), name)
}

/** `{error: {message}}`, as the clients of this dialect read it. */
const errorForm: NonNullable<Route['errorForm']> = {
  name: 'AlchemyFailure',
  body: ({ message, details }) => ({ error: { message: inDialect(message, details?.parameter) } }),
  schema: z
    .object({
      error: z
        .object({ message: z.string().describe('The parameter, the error, and what is allowed.') })
        .describe('The error.'),
    })
    .meta({ id: 'AlchemyError', description: "The body of every error of Alchemy's dialect." }),
}

export const restPath = '/alchemy/{network}/nft/v3/{key}'

/** The parameters of each path. The key is checked before, and no error contains it. */
export function pathParameters(chains: readonly ApiChain[]) {
  return z.object({
    network: networkParameter({ chains }),
    key: parameter({
      description: 'A key of this server, or -, if a header contains it.',
      allowed: 'a key of this server',
      schema: { type: 'string' },
      parse: (text) => text,
    }),
  })
}

/** Options that all routes of the dialect share. */
export const commonOf = {
  tag: "Alchemy's dialect",
  access: 'read',
  keyParameter: 'key',
  errorForm,
} as const

type Handled<Q extends z.ZodObject, B extends z.ZodType> = {
  /** Path of the route. */
  route: string
  chain: ApiChain
  query: z.output<Q>
  body: z.output<B>
  exchange: Exchange
}

/** A route of the dialect: `openapi.json` describes all of them together (`describedRoutes.ts`). */
export function alchemyRoute<Q extends z.ZodObject = z.ZodObject, B extends z.ZodType = z.ZodUndefined>(options: {
  method: 'GET' | 'POST'
  /** The last part of the path. */
  name: string
  chains: readonly ApiChain[]
  query?: Q
  body?: { schema: B; maxBytes?: number }
  scheduled?: Route['scheduled']
  handle(given: Handled<Q, B>): Promise<Answer>
}): Route {
  const { method, name, chains, query, body, scheduled, handle } = options
  const route = `${restPath}/${name}`
  return defineRoute({
    ...commonOf,
    method,
    path: route,
    operationId: `alchemy.${name}${method === 'GET' ? '' : `.${method}`}`,
    summary: name,
    description: name,
    params: pathParameters(chains),
    ...(query && { query }),
    ...(body && { body }),
    ...(scheduled && { scheduled }),
    ok: { description: name },
    handle: ({ params, query, body, exchange }) =>
      handle({ route, chain: params.network, query: query as z.output<Q>, body: body as z.output<B>, exchange }),
  })
}
