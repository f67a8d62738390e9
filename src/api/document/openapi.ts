import { z } from 'zod'
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
} from 'zod-openapi'
import { answerExamples } from '../examples/answerExamples.ts'
import { isTagged, type Route } from '../http/route.ts'
import { answerHeaders, describedFields, otherResponses, rateLimitHeaders, responseNames } from './errorResponses.ts'
import { mergeNotModified } from './mergeNotModified.ts'
import { describeOnce, shareParts } from './shareParts.ts'

export type OpenapiDocument = ReturnType<typeof createDocument>

/** Description of each tag. */
const tags: Record<string, string> = {
  NFTs: 'NFTs of a contract, with their metadata and preview images.',
  "Alchemy's dialect": "NFTs in the format of Alchemy's NFT API v3.",
  Coins: 'Coins of Aptos-style networks.',
  Streams: 'Events on chains, sent as webhooks.',
  Statistics: 'What streams have processed and delivered.',
  Webhooks: 'Webhooks and the attempts to deliver them, replays, and signing secrets.',
  Server: 'State of the server itself.',
  Documentation: 'This document, and a page to try it.',
  Console: 'Web console for operators and readers.',
  Admin: 'Operation of the server.',
}

/** The OpenAPI 3.1 document of the routes, from the schemas that validate. */
export function createOpenapi(options: { routes: readonly Route[]; version: string }): OpenapiDocument {
  const paths: ZodOpenApiPathsObject = {}
  for (const route of options.routes) {
    const operations = paths[route.path] ?? {}
    paths[route.path] = { ...operations, [route.method.toLowerCase()]: operationOf(route) }
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Mintmark',
        version: options.version,
        description:
          'NFTs of a contract, coins, and signed webhooks, from your own node. Later versions may add fields to responses. Unknown query parameters are ignored. Every path below /api/v2 is also served below /api/v2.2.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      security: [{ apiKey: [] }, { bearer: [] }],
      tags: [...new Set(options.routes.map((route) => route.tag))].map((name) => ({
        name,
        description: tags[name] ?? name,
      })),
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A key of this server.' },
          bearer: { type: 'http', scheme: 'bearer', description: 'The same key as a bearer token.' },
        },
      },
      paths,
    },
    { override: plainly },
  )
  return shareParts(mergeNotModified(describeOnce(document)), { ...responseNames, ...fieldNames })
}

/** Names of shared fields with the name of a JavaScript global, which the types of a generated client would shadow. */
const fieldNames = { headers: 'WebhookHeaders', symbol: 'ContractSymbol' }

/**
 * Simplifies the validator's schemas: removes `additionalProperties`, bounds of safe integers, `propertyNames`, and
 * patterns that `format` repeats. A nullable field takes the description of its value, a list only its own. A nullable
 * text or number is one schema with two types.
 */
const plainly: ZodOpenApiOverride = ({ jsonSchema, io }) => {
  const [form, none] = jsonSchema.anyOf ?? []
  if (jsonSchema.anyOf?.length === 2 && none?.type === 'null' && isPlain(form)) {
    delete jsonSchema.anyOf
    Object.assign(jsonSchema, { ...form, ...jsonSchema, type: [form?.type, 'null'] })
  }
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  delete jsonSchema.propertyNames
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  const described = jsonSchema.description === undefined && jsonSchema.anyOf?.find(({ description }) => description)
  if (described) {
    jsonSchema.description = described.description!
    delete described.description
  }
  if (jsonSchema.description !== undefined && typeof jsonSchema.items === 'object')
    delete (jsonSchema.items as { description?: string }).description
  if (jsonSchema.format === 'date-time' || jsonSchema.format === 'uuid') delete jsonSchema.pattern
}

function isPlain(form: { type?: unknown; enum?: unknown; const?: unknown } | undefined): boolean {
  const isOne = form?.type === 'string' || form?.type === 'number' || form?.type === 'integer'
  return isOne && form.enum === undefined && form.const === undefined
}

const tag = z.string().optional().describe('Version of the response. Send it back as If-None-Match.')
const contentRange = z
  .string()
  .optional()
  .describe('Only with 206, which answers the header Range: which bytes these are, and how many the file has.')

function operationOf(route: Route): ZodOpenApiOperationObject {
  const keyed = route.access !== 'none'
  const parameters = Object.keys(route.params.shape).length + Object.keys(route.query.shape).length > 0
  const statuses = [...(route.errors ?? [])]
  if (parameters || route.body) statuses.push(400)
  if (route.access === 'admin') statuses.push(403)
  if (route.produces === 'json') statuses.push(406)
  const example = answerExamples[route.operationId]
  const { status = 200, description, schema, contentType = 'application/json' } = route.ok
  const headers = isTagged(route) ? z.object({ etag: tag, ...route.ok.headers?.shape }) : route.ok.headers
  const success = {
    description,
    headers: z.object({
      ...answerHeaders,
      ...(keyed ? rateLimitHeaders : {}),
      ...headers?.shape,
      ...(route.ok.hasParts ? { 'content-range': contentRange } : {}),
    }),
    content: Object.fromEntries(
      [contentType]
        .flat()
        .map((type) => [
          type,
          type === 'text/html'
            ? { schema: z.string() }
            : { schema: schema ?? z.string(), ...(example === undefined ? {} : { example }) },
        ]),
    ),
  }
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: route.description,
    tags: [route.tag],
    // The document's top level has the security of all other operations.
    ...(keyed ? {} : { security: [] }),
    requestParams: {
      ...(Object.keys(route.params.shape).length > 0 ? { path: describedFields(route.params) } : {}),
      ...(Object.keys(route.query.shape).length > 0 ? { query: describedFields(route.query) } : {}),
    },
    ...(route.body ? { requestBody: requestBody(route.body.schema) } : {}),
    responses: {
      [status]: success,
      ...(route.ok.hasParts ? { 206: success } : {}),
      ...otherResponses(statuses, {
        form: route.errorForm,
        headers: route.ok.notModifiedHeaders ?? headers,
        badRequestHeaders: route.badRequestHeaders,
        notFoundHeaders: route.notFoundHeaders,
        acceptsNotes: route.ok.acceptsNotes,
      }),
    },
  }
}

function requestBody(schema: z.ZodType) {
  return { required: !schema.safeParse(undefined).success, content: { 'application/json': { schema } } }
}
