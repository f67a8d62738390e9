import { z } from 'zod'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import { wrappedIn } from '../../util/allowed.ts'
import type { Route } from '../http/route.ts'

const header = (id: string, description: string, schema: z.ZodType = z.string()) =>
  schema.optional().meta({ description, header: { id } })

/** Headers of every answer. */
export const answerHeaders = {
  'x-request-id': z.string().meta({
    description: "Id of the request in the server's log; the client's own if it sent one.",
    header: { id: 'RequestId' },
  }),
}

/** Further headers of answers to a key with a rate limit. */
export const rateLimitHeaders = {
  'x-rate-limit-limit': header('RateBurst', 'Burst size of the key, in requests.'),
  'x-rate-limit-remaining': header('RateLeft', 'How many of these requests remain.'),
  'x-rate-limit-reset': header('RateReset', 'Whole seconds until all of these requests are available again.'),
}

const retryAfter = {
  'retry-after': z
    .string()
    .regex(/^\d+$/)
    .meta({ description: 'Whole seconds after which to retry.', header: { id: 'RetryAfter' } }),
}

const fault = z.object({
  parameter: z.string().describe('Name of the parameter, or place in the body such as `abi[3].type`.'),
  message: z.string().describe('What is wrong there, and what is allowed.'),
})

export const errorSchema = z
  .object({
    message: z.string().meta({
      description: 'The parameter, the error, and what is allowed.',
      examples: ['limit is "0"; allowed: a whole number from 1 to 100'],
    }),
    statusCode: z.int().min(400).max(599).describe('HTTP status of the response.'),
    details: z
      .object({
        parameter: fault.shape.parameter.optional(),
        faults: z.array(fault).optional().describe('All errors, if there are several.'),
        waitingFor: z.array(z.string()).optional().describe('Of /ready: what is not ready.'),
        operation: z
          .string()
          .optional()
          .describe('Of an operation that this server does not have: its name in the published client.'),
      })
      .optional()
      .describe('Further facts, for programs.'),
  })
  .meta({ id: 'ErrorBody', description: 'The body of every error.' })

type Meaning = { id: string; description: string; headers?: Record<string, z.ZodType> }

const meanings: Record<number, Meaning> = {
  400: { id: 'BadRequest', description: 'A parameter or the body is wrong.' },
  401: {
    id: 'Unauthorized',
    description: 'The key is missing or unknown.',
    headers: { 'www-authenticate': z.string().describe('How to send a key.') },
  },
  403: { id: 'Forbidden', description: 'The key lacks the right.' },
  404: { id: 'NotFound', description: 'The requested record does not exist.' },
  405: {
    id: 'MethodNotAllowed',
    description: 'The path has no such method.',
    headers: { allow: z.string().describe('The methods of the path.') },
  },
  406: { id: 'NotAcceptable', description: 'The client does not accept JSON.' },
  409: { id: 'Conflict', description: 'The request conflicts with the current state; the message has the reason.' },
  410: { id: 'Gone', description: 'The requested record was removed; the message has the reason.' },
  413: { id: 'PayloadTooLarge', description: 'The body is too long.' },
  414: { id: 'UriTooLong', description: 'Path and query are too long.' },
  416: { id: 'RangeNotSatisfiable', description: 'The file has no byte of the range.' },
  429: {
    id: 'TooManyRequests',
    description: 'Too many requests, too many wrong keys from one address, or too many requests are waiting.',
    headers: retryAfter,
  },
  500: { id: 'ServerError', description: 'The server failed; its log has the x-request-id.' },
  503: {
    id: 'Unavailable',
    description: 'The server is starting, a dependency does not respond, or disk writes fail.',
    headers: retryAfter,
  },
}

/**
 * Statuses that every operation may return. One response represents them, unless an operation documents one of them.
 */
const folded: ReadonlySet<number> = new Set([406, 413, 414, 416, 500])

/** Names of shared responses by status. */
export const responseNames: Readonly<Record<string, string>> = {
  200: 'Success',
  202: 'Accepted',
  304: 'NotModified',
  default: 'Failure',
  ...Object.fromEntries(Object.entries(meanings).map(([status, { id }]) => [status, id])),
}

/** The error responses by status, shared by all operations. */
const responses = new Map(
  Object.entries(meanings).map(([status, { id, description, headers = {} }]): [number, ZodOpenApiResponseObject] => [
    Number(status),
    {
      id,
      description,
      headers: z.object({ ...answerHeaders, ...rateLimitHeaders, ...headers }),
      content: { 'application/json': { schema: errorSchema } },
    },
  ]),
)

const ofAnyStatus = describedFields(
  z.object({ ...meanings[401]!.headers, ...meanings[405]!.headers, ...meanings[503]!.headers }).partial(),
).shape

const contentRange = z.string().optional().describe('With 416: how many bytes the file has.')

const failure: ZodOpenApiResponseObject = {
  id: 'Failure',
  description:
    'Any other error: 401 without a valid key, 405 and Allow, 406 without JSON in Accept, 413 and 414 for a body or target that is too long, 416 for a Range beyond the file, 429 for too many requests, 500 with x-request-id in the log, 503 while a dependency does not respond.',
  headers: z.object({ ...answerHeaders, ...rateLimitHeaders, ...ofAnyStatus, 'content-range': contentRange }),
  content: { 'application/json': { schema: errorSchema } },
}

const noted: ZodOpenApiResponseObject = {
  description: 'A notification, which has no response.',
  headers: z.object({ ...answerHeaders, ...rateLimitHeaders }),
}

/** The single error response of each dialect. */
const ofForms = new WeakMap<object, ZodOpenApiResponseObject>()

function failureOf(form: NonNullable<Route['errorForm']>): ZodOpenApiResponseObject {
  const known = ofForms.get(form)
  if (known) return known
  const made: ZodOpenApiResponseObject = {
    id: form.name,
    description: 'An error, with one of the statuses of the other operations.',
    headers: z.object({ ...answerHeaders, ...rateLimitHeaders, ...ofAnyStatus }),
    content: { 'application/json': { schema: form.schema } },
  }
  ofForms.set(form, made)
  return made
}

/**
 * All responses but success, by status: those of every operation, and `statuses`. A dialect (`form`) has a single one.
 * `headers`: headers of the 304, which exists if ETag is among them.
 * `badRequestHeaders`, `notFoundHeaders`: possible headers of a 400 and a 404.
 */
export function otherResponses(
  statuses: readonly number[],
  {
    form,
    headers,
    badRequestHeaders,
    notFoundHeaders,
    acceptsNotes,
  }: Record<'headers' | 'badRequestHeaders' | 'notFoundHeaders', z.ZodObject | undefined> & {
    form: Route['errorForm'] | undefined
    acceptsNotes: boolean | undefined
  },
): Record<string, ZodOpenApiResponseObject> {
  const all = [...new Set(statuses)].filter((status) => !folded.has(status)).sort((a, b) => a - b)
  const own: Record<string, ZodOpenApiResponseObject> = Object.fromEntries(
    all.map((status) => [String(status), responses.get(status)!]),
  )
  const shared: typeof own = form ? { default: failureOf(form) } : { ...own, default: failure }
  if (acceptsNotes) shared[202] = noted
  if (headers?.shape.etag !== undefined) {
    const carried = z.object({ ...answerHeaders, ...rateLimitHeaders, ...headers.shape })
    shared[304] = { description: 'Not modified: the response matches If-None-Match.', headers: carried }
  }
  for (const [status, further] of [[400, badRequestHeaders] as const, [404, notFoundHeaders] as const]) {
    if (!further || !shared[status]) continue
    const { id: _, ...response } = responses.get(status)!
    const carried = z.object({ ...answerHeaders, ...rateLimitHeaders, ...describedFields(further.partial()).shape })
    shared[status] = { ...response, headers: carried }
  }
  return shared
}

/**
 * The object with a description on each field. An optional field gets its value's description, which openapi.json would
 * otherwise omit.
 */
export function describedFields(object: z.ZodObject): z.ZodObject {
  const fields = Object.entries(object.shape as Record<string, z.ZodType>)
  return z.object(
    Object.fromEntries(fields.map(([name, field]) => [name, field.meta({ description: descriptionOf(field) })])),
  )
}

function descriptionOf(schema: z.ZodType): string | undefined {
  const inner = wrappedIn(schema)
  return schema.description ?? (inner && descriptionOf(inner))
}
