type Json = { [name: string]: unknown }

/** The parts of `openapi.json` from which tools are made. */
export type ToolDocument = {
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, Json>>
}
type Operation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Json }> }
  responses: Record<string, { $ref?: string; content?: Json }>
}
type Parameter = { name: string; in: 'path' | 'query'; required?: boolean; description?: string; schema: Json }

/** An operation that an assistant can call. */
export type Tool = {
  name: string
  description: string
  /** JSON Schema of the arguments: the parameters by name, and `body`. */
  inputSchema: { type: 'object'; properties: Record<string, Json>; required: string[] }
  method: string
  path: string
  /** Names of parameters in the query and the path. */
  query: string[]
  inPath: string[]
  /** The operation requires a limit on every page. */
  needsLimit: boolean
  isRead: boolean
}

/** Default page size of tools. An assistant reads less than a program. */
export const toolLimit = 20

/** Tags of reads for any key. */
const readTags = new Set(['NFTs', 'Coins', 'Statistics'])
/** Tags that require an admin key. */
const adminTags = new Set(['Admin', 'Streams', 'Webhooks'])
/** Reads that use POST, as their list is too long for a URL. */
const readsByPost = new Set(['getMultipleNFTs'])

/** The tools of a document: client reads; with `admin`, all operations of an admin key too. */
export function toolsOf(document: ToolDocument, { admin }: { admin: boolean }): Tool[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const isRead = (method === 'get' && '200' in operation.responses) || readsByPost.has(operation.operationId)
      const [tag = ''] = operation.tags
      const isShown = (readTags.has(tag) && isRead) || (admin && adminTags.has(tag))
      return isShown && answersJson(operation, document) ? [toolOf({ path, method, operation, isRead }, document)] : []
    }),
  )
}

function answersJson({ responses }: Operation, document: ToolDocument): boolean {
  const success = responses['200'] ?? responses['202']
  const { content } = (success?.$ref ? resolved(success, document) : (success ?? {})) as { content?: Json }
  return content !== undefined && 'application/json' in content
}

function toolOf(
  { path, method, operation, isRead }: { path: string; method: string; operation: Operation; isRead: boolean },
  document: ToolDocument,
): Tool {
  const parameters = (operation.parameters ?? []).map((part) => resolved(part, document) as Parameter)
  const body = operation.requestBody
  const properties = parameters.map(({ name, description, schema }): [string, Json] => [
    name,
    {
      ...(inline(schema, document) as Json),
      ...(description === undefined ? {} : { description }),
      ...(name === 'limit' && { default: toolLimit }),
    },
  ])
  const bodySchema = body?.content['application/json']?.schema
  if (bodySchema) properties.push(['body', inline(bodySchema, document) as Json])
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name)
  return {
    name: operation.operationId,
    description: `${operation.summary}. ${operation.description}`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      // The default limit applies.
      required: [...required.filter((name) => name !== 'limit'), ...(body?.required ? ['body'] : [])],
    },
    needsLimit: required.includes('limit'),
    ...{ method: method.toUpperCase(), path, isRead },
    query: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
    inPath: parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
  }
}

function resolved(part: object, document: ToolDocument): unknown {
  const { $ref } = part as { $ref?: string }
  if ($ref === undefined) return part
  const [, , kind = '', name = ''] = $ref.split('/')
  return document.components[kind]?.[name]
}

/** Recursive schemas end at this depth: deeper parts may be anything. */
const mostDepth = 12

/** A schema with its references resolved. */
function inline(value: unknown, document: ToolDocument, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > mostDepth) return {}
  if (Array.isArray(value)) return value.map((part) => inline(part, document, depth + 1))
  if ('$ref' in value) return inline(resolved(value, document), document, depth + 1)
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inline(part, document, depth + 1)]))
}
