import type { z } from 'zod'
import type { Credentials, Key } from '../keys/keyring.ts'
import type { Answer } from './answer.ts'
import type { ErrorBody } from './errorAnswer.ts'
import type { Encoding } from './negotiate.ts'

/**
 * Runs a task of the request as soon as the limits of its key allow it. `kind`: it costs something else than other tasks of the
 * operation; `firstMs`: so many milliseconds, until some were measured.
 */
export type Schedule = <T>(task: () => Promise<T>, options?: { kind?: string; firstMs?: number }) => Promise<T>

/** A request as the operations see it. */
export type Exchange = {
  /** Path and query as the client wrote them. */
  target: string
  requestId: string
  /** undefined if the operation needs no key. */
  key: Key | undefined
  /** Whether the key is still valid, for answers that outlast it; true if it cannot be looked up. */
  isKeyValid(): Promise<boolean>
  /** The encoding that the client prefers. */
  encoding: Encoding
  header(name: string): string | undefined
  /** For the expensive parts of a route that is not scheduled as a `whole`; in one that is, it runs the task at once. */
  schedule: Schedule
  /** IP address of the client; behind a proxy, that of the proxy. */
  address: string
}

/** The key, or the token of a session, that a request came with. */
export function credentialsOf(header: Exchange['header']): Credentials {
  return { apiKey: header('x-api-key'), authorization: header('authorization') }
}

/** The same of a request to a route that may take the key in its path. */
export function credentialsFor(
  { keyParameter }: Pick<Route, 'keyParameter'>,
  { header, params }: { header: Exchange['header']; params: Record<string, string> },
): Credentials {
  const key = keyParameter === undefined ? undefined : params[keyParameter]
  return key === undefined || key === '-' ? credentialsOf(header) : { apiKey: key, authorization: undefined }
}

/** What a route takes as JSON in the body of its requests. */
export type RouteBody<B extends z.ZodType> = {
  schema: B
  /** 1 MiB where omitted. */
  maxBytes?: number
}

export type RouteOptions<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType = z.ZodType> = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** As OpenAPI writes it: `/api/v2/nft/{address}`. */
  path: string
  operationId: string
  summary: string
  /** What it does, for a reader who knows nothing of it yet. */
  description: string
  tag: string
  /** none: no key; read: any key; admin: an admin key. */
  access: 'none' | 'read' | 'admin'
  /** What it answers with; only JSON is weighed against Accept. */
  produces: 'json' | 'text'
  params: P
  query: Q
  /** The parameter of the path that holds the key; where it is `-`, the headers hold it. Omitted: the headers do. */
  keyParameter?: string
  /** Errors of a dialect; omitted: `{message, statusCode, details?}`. `name`: of the response in `openapi.json`. */
  errorForm?: { name: string; body: ErrorBody; schema: z.ZodType }
  /** The last parameter of the path takes all that is left of it, slashes too. */
  takesRest?: boolean
  /**
   * Which part of the route counts as work of the key: `whole`, from the parsing of the body to the compression of the answer; what the
   * route runs `inside` `exchange.schedule`, as it may have the answer in the cache; or `none`, as it waits for others than this server.
   * Omitted: `whole` for a route that reads with a key, `none` for any other one.
   */
  scheduled?: 'whole' | 'inside' | 'none'
  /** Omitted: the body of a request is ignored. */
  body?: RouteBody<B>
  /** `status`: 200 where omitted. */
  ok: {
    status?: 202
    description: string
    schema?: z.ZodType
    contentType?: string | readonly string[]
    headers?: z.ZodObject
    /** The headers of its 304, where these are fewer. */
    notModifiedHeaders?: z.ZodObject
    /** It also takes what has no answer, with 202. */
    acceptsNotes?: boolean
    /** It obeys the header Range, with 206. */
    hasParts?: boolean
  }
  /**
   * The operation is one of the published client that this server does not have; it is answered 404, and so is every other method of
   * the path.
   */
  isAbsent?: boolean
  /** Statuses besides those that every operation can give. */
  errors?: readonly number[]
  /** Headers that a 400 may carry. */
  badRequestHeaders?: z.ZodObject
  /** Headers that a 404 may carry. */
  notFoundHeaders?: z.ZodObject
  handle(input: {
    params: z.output<P>
    query: z.output<Q>
    /** undefined for a route without a body. */
    body: z.output<B>
    exchange: Exchange
  }): Promise<Answer> | Answer
}

/** One line of the table from which routing, validation, `openapi.json` and the labels of the metrics are made. */
export type Route = RouteOptions<z.ZodObject, z.ZodObject>

/** Checks that the handler fits the types of the schemas, then gives the route without them. */
export function defineRoute<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType = z.ZodUndefined>(
  options: RouteOptions<P, Q, B>,
): Route {
  return options as unknown as Route
}

/** How the work of the route is scheduled. */
export function schedulingOf({ scheduled, access, method }: Route): NonNullable<Route['scheduled']> {
  return scheduled ?? (access === 'read' || (access === 'admin' && method === 'GET') ? 'whole' : 'none')
}

/** Whether every success of the route has an ETag: what is requested with a key, in JSON. */
export function isTagged(route: Route): boolean {
  return route.method === 'GET' && route.produces === 'json' && route.access !== 'none' && !route.isAbsent
}
