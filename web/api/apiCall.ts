import { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch'
import type { paths } from './openapi.artifact.ts'

/** A request to the API as data: it can be sent, repeated and shown as curl. `T`: type of the response. */
export type ApiCall<T> = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path and query. */
  target: string
  /** Sent as JSON. */
  body?: unknown
  /** Never set: it only carries the type. */
  answer?: T
}

type Method = 'get' | 'post' | 'put' | 'delete'
type OperationOf<P extends keyof paths, M extends Method> = NonNullable<paths[P][M]>
type PathsWith<M extends Method> = {
  [P in keyof paths]: [OperationOf<P, M>] extends [never] ? never : P
}[keyof paths]

type Given<Operation, Part extends 'path' | 'query'> = Operation extends { parameters: infer Parameters }
  ? Part extends keyof Parameters
    ? NonNullable<Parameters[Part]>
    : never
  : never

/** Values for the braces of the path and for the query; undefined omits a parameter. */
type Values<Operation> = ([Given<Operation, 'path'>] extends [never] ? unknown : { path: Given<Operation, 'path'> }) &
  ([Given<Operation, 'query'>] extends [never]
    ? unknown
    : { query?: { [Name in keyof Given<Operation, 'query'>]?: Given<Operation, 'query'>[Name] | undefined } })

type BodyOf<Operation> = Operation extends { requestBody?: infer Body }
  ? NonNullable<Body> extends { content: { 'application/json': infer Json } }
    ? Json
    : undefined
  : undefined

type JsonOf<Response> = Response extends { content: { 'application/json': infer Json } } ? Json : never

/** The JSON of a successful response. */
export type AnswerOf<Operation> = Operation extends { responses: infer Responses }
  ? { [Status in keyof Responses & (200 | 202)]: JsonOf<Responses[Status]> }[keyof Responses & (200 | 202)]
  : never

/** A named schema of openapi.json, such as `Schema<'AdminChain'>`. */
export type { components, paths } from './openapi.artifact.ts'

const querySerializer = createQuerySerializer()

type AnyValues = { path?: Record<string, unknown>; query?: Record<string, unknown> }

function targetOf(path: string, values: AnyValues = {}): string {
  return createFinalURL(path, { baseUrl: '', params: values, querySerializer, pathSerializer: defaultPathSerializer })
}

/** `get('/api/v2/nft/{address}', { path: { address }, query: { chain } })` */
export function get<P extends PathsWith<'get'>>(
  path: P,
  values: Values<OperationOf<P, 'get'>>,
): ApiCall<AnswerOf<OperationOf<P, 'get'>>> {
  return { method: 'GET', target: targetOf(path, values as AnyValues) }
}

export function post<P extends PathsWith<'post'>>(
  path: P,
  values: Values<OperationOf<P, 'post'>>,
  body: BodyOf<OperationOf<P, 'post'>>,
): ApiCall<AnswerOf<OperationOf<P, 'post'>>> {
  return { method: 'POST', target: targetOf(path, values as AnyValues), body }
}

export function put<P extends PathsWith<'put'>>(
  path: P,
  values: Values<OperationOf<P, 'put'>>,
  body: BodyOf<OperationOf<P, 'put'>>,
): ApiCall<AnswerOf<OperationOf<P, 'put'>>> {
  return { method: 'PUT', target: targetOf(path, values as AnyValues), body }
}

export function remove<P extends PathsWith<'delete'>>(
  path: P,
  values: Values<OperationOf<P, 'delete'>>,
  body?: BodyOf<OperationOf<P, 'delete'>>,
): ApiCall<AnswerOf<OperationOf<P, 'delete'>>> {
  return { method: 'DELETE', target: targetOf(path, values as AnyValues), body }
}
