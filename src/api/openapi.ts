import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import type { Route } from './route.ts'

const errorSchema = z
  .object({
    message: z.string().describe('What was wrong with which parameter, and what is allowed.'),
    statusCode: z.int(),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'Error' })

const meanings: Record<number, string> = {
  400: 'A parameter is wrong.',
  401: 'The key is missing or unknown.',
  403: 'The key lacks the right.',
  404: 'There is no such thing.',
  409: 'It cannot be done as things stand now; the message says why.',
  406: 'The client takes no JSON.',
  410: 'It was here and is removed; the message says why.',
  413: 'The body is too long.',
  429: 'Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again.',
  500: 'The server failed; its log has the x-request-id.',
  503: 'The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again.',
}

export type OpenapiDocument = ReturnType<typeof createDocument>

/** The OpenAPI 3.1 document of the routes, from the schemas that validate. */
export function createOpenapi(options: { routes: readonly Route[]; version: string }): OpenapiDocument {
  const paths: ZodOpenApiPathsObject = {}
  for (const route of options.routes) {
    const operations = paths[route.path] ?? {}
    paths[route.path] = { ...operations, [route.method.toLowerCase()]: operationOf(route) }
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Mintmark',
      version: options.version,
      description: 'NFTs of a contract, coins, and signed webhooks, from your own node.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(options.routes.map((route) => route.tag))].map((name) => ({ name })),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
    paths,
  })
}

function operationOf(route: Route): ZodOpenApiOperationObject {
  const keyed = route.access !== 'none'
  const parameters = Object.keys(route.params.shape).length + Object.keys(route.query.shape).length > 0
  const statuses = new Set([...(route.errors ?? []), 500, 503])
  if (parameters || route.body) statuses.add(400)
  if (route.body) statuses.add(413)
  if (keyed) for (const status of [401, 429]) statuses.add(status)
  if (route.access === 'admin') statuses.add(403)
  if (route.produces === 'json') statuses.add(406)
  const { status = 200, description, schema, contentType = 'application/json', headers } = route.ok
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    tags: [route.tag],
    security: keyed ? [{ apiKey: [] }, { bearer: [] }] : [],
    requestParams: {
      ...(Object.keys(route.params.shape).length > 0 ? { path: route.params } : {}),
      ...(Object.keys(route.query.shape).length > 0 ? { query: route.query } : {}),
    },
    ...(route.body ? { requestBody: requestBody(route.body.schema) } : {}),
    responses: {
      [status]: {
        description,
        ...(headers ? { headers } : {}),
        content: { [contentType]: { schema: schema ?? z.string() } },
      },
      ...Object.fromEntries(
        [...statuses]
          .sort((a, b) => a - b)
          .map((status) => [
            String(status),
            { description: meanings[status] ?? '', content: { 'application/json': { schema: errorSchema } } },
          ]),
      ),
    },
  }
}

function requestBody(schema: z.ZodType) {
  return { required: !schema.safeParse(undefined).success, content: { 'application/json': { schema } } }
}
