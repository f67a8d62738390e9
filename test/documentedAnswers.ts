import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

type Header = { $ref?: string; required?: boolean; schema?: object }
type Described = { $ref?: string; headers?: Record<string, Header>; content?: Record<string, { schema: object }> }
type Operation = { responses: Record<string, Described> }

/** A response of Mintmark, as far as it was received. */
export type ReceivedAnswer = { method: string; path: string; status: number; headers: Headers; text?: string }

const openapi = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'))
const document = closed(openapi) as {
  paths: Record<string, Record<string, Operation>>
}

const ajv = new Ajv2020({
  strict: false,
  schemas: { 'openapi.json': document },
  formats: {
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
    uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  },
})
const compiled = new Map<string, ValidateFunction>()

const paths = Object.keys(document.paths)
  // A literal segment wins over a parameter at the same position.
  .sort((a, b) => (shape(a) < shape(b) ? -1 : 1))
  .map((path) => ({
    path,
    pattern: new RegExp(
      `^${path
        .replaceAll('.', '\\.')
        .replace('{route}', '.*')
        .replaceAll(/\{\w+\}/g, '[^/]+')}$`,
    ),
  }))

/** Statuses that Node's parser returns before the operation is known, the 404 of a process that serves no clients, and the 499 that nobody receives. */
const ofEveryPath = new Set([400, 404, 408, 414, 417, 431, 499])

/** Statuses that the response `default` covers, and the header that each of them requires. */
const byDefault: Record<number, string | null> = {
  ...{ 401: 'www-authenticate', 405: 'allow', 406: null, 413: null, 414: null, 416: 'content-range' },
  ...{ 429: 'retry-after', 500: null, 503: 'retry-after' },
}

/** The response `default` if it covers a status. In the Alchemy dialect, it covers 400, 404 and 409 too. */
function defaultOf(operation: Operation | undefined, status: number): Described | undefined {
  const response = operation?.responses.default
  const isDialect = response?.$ref?.endsWith('/AlchemyFailure') && [400, 404, 409].includes(status)
  return status in byDefault || isDialect ? response : undefined
}

/** The path that openapi.json describes, for an operation with two paths. */
const documentedPath = (path: string) =>
  path.replace(/^\/api\/v2\.2\//, '/api/v2/').replace(/^(\/alchemy\/[^/]+)\/v2\//, '$1/nft/v3/')

/** Lists how a response differs from openapi.json; empty if it matches. An undocumented field counts as a difference. */
export function undocumented({ method, path, status, headers, text }: ReceivedAnswer): string[] {
  const known = paths.find(({ pattern }) => pattern.test(documentedPath(path)))
  const operation = known && document.paths[known.path]?.[method === 'HEAD' ? 'get' : method.toLowerCase()]
  const place =
    operation && known && `/paths/${escaped(known.path)}/${method === 'HEAD' ? 'get' : method.toLowerCase()}`
  const found = operation?.responses[status] ?? defaultOf(operation, status)
  if (!operation || !found) {
    if (operation && !ofEveryPath.has(status)) return [`${method} ${known?.path} answers ${status}`]
    const error = known?.path.startsWith('/alchemy/') ? 'AlchemyError' : 'ErrorBody'
    return status >= 400 && text ? faultsOf(`/components/schemas/${error}`, text) : []
  }
  const at = found.$ref?.slice(1) ?? `${place}/responses/${operation.responses[status] ? status : 'default'}`
  const described = resolved(found) as Described
  const faults: string[] = []
  for (const [name, header] of Object.entries(described.headers ?? {})) {
    const { required = false } = resolved(header) as Header
    if (required && !headers.has(name)) faults.push(`the header ${name} is missing`)
  }
  const needed = operation.responses[status] ? undefined : byDefault[status]
  if (needed && !headers.has(needed)) faults.push(`the header ${needed} is missing`)
  if (needed && !(needed in (described.headers ?? {}))) faults.push(`the header ${needed} is not documented`)
  for (const name of headers.keys())
    if (/^x-(?!content-type-options)/.test(name) && !(name in (described.headers ?? {})))
      faults.push(`the header ${name} is not documented`)
  const type = headers.get('content-type')?.split(';')[0] ?? ''
  const content = described.content ?? {}
  if (text && !(type in content) && !('*/*' in content)) faults.push(`the type is ${type}`)
  if (text && type === 'application/json' && type in content)
    faults.push(...faultsOf(`${at}/content/application~1json/schema`, text))
  return faults.map((fault) => `${method} ${known?.path} ${status}: ${fault}`)
}

function faultsOf(schema: string, text: string): string[] {
  const validate = compiled.get(schema) ?? ajv.compile({ $ref: `openapi.json#${encodeURI(schema)}` })
  compiled.set(schema, validate)
  if (validate(JSON.parse(text))) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

function resolved(value: { $ref?: string }): unknown {
  if (value.$ref === undefined) return value
  return pointed(value.$ref, document)
}

/** Turns each segment of a path into 0, and each parameter into 1. */
function shape(path: string): string {
  return path.replaceAll(/\/(\{)?[^/]*/g, (_, parameter) => (parameter ? '1' : '0'))
}

function escaped(path: string): string {
  return path.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The OpenAPI document, changed so that objects allow no other fields. */
function closed(value: unknown, isPart = false): unknown {
  if (Array.isArray(value)) return value.map((one) => closed(one))
  if (typeof value !== 'object' || value === null) return value
  const { allOf, ...own } = value as { allOf?: object[] }
  if (allOf) return { ...own, allOf: allOf.map((part) => closed(opened(part), true)), unevaluatedProperties: false }
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closed(inner)]))
  const isObject = copy.type === 'object' && typeof copy.properties === 'object' && !isPart
  return isObject && !('additionalProperties' in copy) ? { ...copy, additionalProperties: false } : copy
}

/** Resolves a part of `allOf`. It must stay open, or it would reject the fields of the other parts. */
function opened(part: { $ref?: string }): object {
  return part.$ref ? pointed(part.$ref, openapi) : part
}

function pointed(reference: string, root: unknown): object {
  const parts = reference.slice(2).split('/')
  return parts.reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], root) as object
}
