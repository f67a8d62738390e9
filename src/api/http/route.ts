import { z } from 'zod'
import type { Credentials, Key } from '../keys/keyring.ts'
import type { Answer } from './answer.ts'
import type { ErrorBody } from './errorAnswer.ts'
import type { Encoding } from './negotiate.ts'

/**
 * Runs a task of the request as soon as the limits of its key allow it. `kind`: the task's cost differs from other
 * tasks of the operation. `firstMs`: estimated milliseconds before any measurement.
 */
export type Schedule = <T>(task: () => Promise<T>, options?: { kind?: string; firstMs?: number }) => Promise<T>

/** A request as the operations see it. */
export type Exchange = {
  /** Path and query as sent by the client. */
  target: string
  /** The path parameters as sent. */
  params: Record<string, string>
  requestId: string
  /** undefined if the operation requires no key. */
  key: Key | undefined
  /** Whether the key is still valid, for long answers; true if it cannot be looked up. */
  isKeyValid(): Promise<boolean>
  /** The encoding that the client prefers. */
  encoding: Encoding
  header(name: string): string | undefined
  /** Schedules expensive parts of a route. If the whole route is scheduled, it runs the task immediately. */
  schedule: Schedule
  /** IP address of the client; behind a proxy, that of the proxy. */
  address: string
  /** Aborted when the client disconnects; undefined for pages that a shortcut answers. */
  signal?: AbortSignal | undefined
}

/** The key or session token of a request. */
export function credentialsOf(header: Exchange['header']): Credentials {
  return { apiKey: header('x-api-key'), authorization: header('authorization') }
}

/** The same for a route that may have the key in its path. */
export function credentialsFor(
  { keyParameter }: Pick<Route, 'keyParameter'>,
  { header, params }: Pick<Exchange, 'header' | 'params'>,
): Credentials {
  const key = keyParameter === undefined ? undefined : params[keyParameter]
  return key === undefined || key === '-' ? credentialsOf(header) : { apiKey: key, authorization: undefined }
}

/** JSON body of a route's requests. */
export type RouteBody<B extends z.ZodType> = {
  schema: B
  /** Default: 1 MiB. */
  maxBytes?: number
}

export type RouteOptions<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType = z.ZodType> = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** In OpenAPI's format: `/api/v2/nft/{address}`. */
  path: string
  operationId: string
  summary: string
  /** What the operation does, for a reader without previous knowledge. */
  description: string
  tag: string
  /** none: no key; read: any key; admin: an admin key. */
  access: 'none' | 'read' | 'admin'
  /** Content of the answer, default JSON. Only JSON is checked against Accept. */
  produces?: 'json' | 'text'
  /** Parameters of the path and the query; omitted: none. */
  params?: P
  query?: Q
  /** The path parameter with the key; if its value is `-`, the headers have the key. Omitted: the headers have it. */
  keyParameter?: string
  /**
   * Error format of a dialect; omitted: `{message, statusCode, details?}`. `name`: of the response in `openapi.json`.
   */
  errorForm?: { name: string; body: ErrorBody; schema: z.ZodType }
  /** The last parameter of the path takes the rest of the path, including slashes. */
  takesRest?: boolean
  /**
   * The part of the route that the scheduler counts as work of the key. `whole`: from parsing the body to compressing
   * the answer. `inside`: what the route passes to `exchange.schedule`, as the answer may be cached. `none`: it waits
   * for others. Default: `whole` for a read with a key, else `none`.
   */
  scheduled?: 'whole' | 'inside' | 'none'
  /** Omitted: the request body is ignored. */
  body?: RouteBody<B>
  /** `status`: default 200. */
  ok: {
    status?: 202
    description: string
    schema?: z.ZodType
    contentType?: string | readonly string[]
    headers?: z.ZodObject
    /** Headers of the 304, if it has fewer. */
    notModifiedHeaders?: z.ZodObject
    /** Also answers 202 to messages that need no answer. */
    acceptsNotes?: boolean
    /** Supports the Range header, with 206. */
    hasParts?: boolean
  }
  /** The published client has the operation, but this server does not. The path answers 404 for every method. */
  isAbsent?: boolean
  /** Possible statuses besides those of every operation. */
  errors?: readonly number[]
  /** Headers that a 400 may carry. */
  badRequestHeaders?: z.ZodObject
  /** Headers that a 404 may carry. */
  notFoundHeaders?: z.ZodObject
  handle(input: {
    params: z.output<P>
    query: z.output<Q>
    /** undefined if the route has no body. */
    body: z.output<B>
    exchange: Exchange
  }): Promise<Answer> | Answer
}

/** A row of the route table, from which routing, validation, `openapi.json` and metric labels are derived. */
export type Route = RouteOptions<z.ZodObject, z.ZodObject> &
  Required<Pick<RouteOptions<z.ZodObject, z.ZodObject>, 'produces' | 'params' | 'query'>>

type Nothing = z.ZodObject<Record<never, never>>
const nothing: Nothing = z.object({})

/** Type-checks the handler against the schemas, then returns the route without these types. */
export function defineRoute<
  P extends z.ZodObject = Nothing,
  Q extends z.ZodObject = Nothing,
  B extends z.ZodType = z.ZodUndefined,
>(options: RouteOptions<P, Q, B>): Route {
  return { produces: 'json', params: nothing, query: nothing, ...options } as unknown as Route
}

/** How the work of the route is scheduled. */
export function schedulingOf({ scheduled, access, method }: Route): NonNullable<Route['scheduled']> {
  return scheduled ?? (access === 'read' || (access === 'admin' && method === 'GET') ? 'whole' : 'none')
}

/** Whether every success of the route has an ETag: JSON reads with a key that return 200. */
export function isTagged({ method, produces, access, isAbsent, ok }: Route): boolean {
  return method === 'GET' && produces === 'json' && access !== 'none' && !isAbsent && ok.status !== 202
}
