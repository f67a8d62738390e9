import { BadRequestError, MintmarkError } from '../../../util/errors.ts'
import type { Answer } from '../../http/answer.ts'
import { defineRoute, type Exchange, type Route } from '../../http/route.ts'
import type { ApiChain } from '../../nft/chains.ts'
import { type AlchemyOptions, commonOf, pathParameters, restPath } from '../alchemyRoute.ts'
import { type IndexedReport, indexedHeaderSchema, reportedAnswer } from '../indexedAnswer.ts'
import { mostRequests, rpcRequestSchema, rpcResponseSchema } from '../schemas.ts'
import { getAssetTransfers } from './assetTransfers.ts'

/**
 * Tokens in the results of a batch from which its other requests fail. A page of large ERC-1155 transfers may have
 * 100,000 tokens: a whole batch of them would take gigabytes.
 */
const mostTokens = 100_000

/** Errors of JSON-RPC 2.0, and of EIP-1474. */
const codes = {
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
  server: -32_000,
  limitExceeded: -32_005,
} as const

type RpcError = { code: number; message: string }
type RpcResponse = { jsonrpc: '2.0'; id: unknown } & ({ result: unknown } | { error: RpcError })
/** `reports`: indexing status of the result. `tokens`: number of tokens in its transfers. */
type Responded = { response: RpcResponse; reports: readonly IndexedReport[]; tokens: number }

/** JSON-RPC at two addresses: that of the REST routes, and that of Alchemy's nodes. */
export function rpcRoutes(options: AlchemyOptions): { atRest: Route; atNode: Route } {
  return {
    atRest: rpcRoute(options, { path: restPath, operationId: 'callAlchemy' }),
    atNode: rpcRoute(options, { path: nodePath, operationId: 'callAlchemyNode' }),
  }
}

const nodePath = '/alchemy/{network}/v2/{key}'

function rpcRoute(options: AlchemyOptions, { path, operationId }: { path: string; operationId: string }): Route {
  const { chains } = options
  return defineRoute({
    ...commonOf,
    method: 'POST',
    path,
    operationId,
    summary: "Transfers by Alchemy's JSON-RPC",
    description: `alchemy_getAssetTransfers for erc721, erc1155 and specialnft, also in batches of at most ${mostRequests}. Any other method is the error -32601. Also at ${nodePath}.`,
    scheduled: 'inside',
    params: pathParameters(chains),
    body: { schema: rpcRequestSchema },
    ok: {
      description: 'The result, or an error of JSON-RPC.',
      schema: rpcResponseSchema,
      headers: indexedHeaderSchema,
    },
    async handle({ params, body, exchange }): Promise<Answer> {
      const given = { chain: params.network, exchange }
      if (!Array.isArray(body)) {
        const { response, reports } = await respond(options, { ...given, request: body, isAlone: true })
        return reportedAnswer(response, reports)
      }
      if (body.length === 0 || body.length > mostRequests)
        throw new BadRequestError(`a batch has ${body.length} requests; allowed: 1 to ${mostRequests}`)
      const answers: Responded[] = []
      let tokens = 0
      // Sequential, and each request takes a token of the rate limit: a batch cannot bypass the limits of a key.
      for (const [i, request] of body.entries()) {
        const limit = exchange.key?.rateLimit
        const limited = i > 0 && limit?.take() === false ? limit.tooFast().message : undefined
        const isFull = tokens >= mostTokens
        const answer = await respond(options, { ...given, request, isAlone: false, isFull, limited })
        answers.push(answer)
        tokens += answer.tokens
      }
      return reportedAnswer(
        answers.map(({ response }) => response),
        answers.flatMap(({ reports }) => reports),
      )
    },
  })
}

type BatchRequest = {
  chain: ApiChain
  exchange: Exchange
  request: unknown
  /** An unavailable result fails the whole request with its HTTP status, so that clients retry. */
  isAlone: boolean
  /** The batch has no capacity for another result. */
  isFull?: boolean
  /** The message if the rate limit of the key is used up. */
  limited?: string | undefined
}

async function respond(
  options: AlchemyOptions,
  { chain, exchange, request, isAlone, isFull = false, limited }: BatchRequest,
): Promise<Responded> {
  const {
    id = null,
    method,
    params,
  } = (typeof request === 'object' && request !== null ? request : {}) as {
    id?: unknown
    method?: unknown
    params?: unknown
  }
  const answer = { jsonrpc: '2.0', id: typeof id === 'string' || typeof id === 'number' ? id : null } as const
  const failed = (code: number, message: string) => ({
    response: { ...answer, error: { code, message } },
    ...{ reports: [], tokens: 0 },
  })
  if (typeof method !== 'string')
    return failed(
      codes.invalidRequest,
      `method is ${method === undefined ? 'missing' : 'not text'}; allowed: alchemy_getAssetTransfers`,
    )
  if (method !== 'alchemy_getAssetTransfers')
    return failed(
      codes.unknownMethod,
      `${JSON.stringify(method.slice(0, 80))} is not a method of this server; allowed: alchemy_getAssetTransfers`,
    )
  if (limited !== undefined) return failed(codes.limitExceeded, `${limited}; each request of a batch counts`)
  if (isFull)
    return failed(codes.server, `the results of this batch already have ${mostTokens} tokens; send a smaller batch`)
  try {
    const found = await exchange.schedule(() => getAssetTransfers(options, { chain, params, exchange }))
    const { result, reports } = found
    const tokens = result.transfers.reduce((sum, { erc1155Metadata }) => sum + (erc1155Metadata?.length ?? 1), 0)
    return { response: { ...answer, result }, reports, tokens }
  } catch (error) {
    if (!(error instanceof MintmarkError)) throw error
    if (error.code === 'BAD_REQUEST' || error.code === 'NOT_FOUND') return failed(codes.invalidParams, error.message)
    if (isAlone || (error.code !== 'UNAVAILABLE' && error.code !== 'TOO_MANY_REQUESTS')) throw error
    return failed(codes.server, error.message)
  }
}
