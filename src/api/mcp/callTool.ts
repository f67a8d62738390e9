import { pathFault } from './pathFault.ts'
import { type Tool, toolLimit } from './tools.ts'

/** Sends a request to the API with the assistant's key. */
export type RequestApi = (request: {
  method: string
  target: string
  body?: string
  /** Aborted when nobody waits for the answer. */
  signal: AbortSignal
}) => Promise<Response>

export type ToolAnswer = { text: string; isError: boolean }

/** Most characters of an answer, about 15,000 tokens of a model. */
export const mostCharacters = 60_000

/**
 * Calls the operation of a tool. Errors are returned with the reason and the allowed values, so that the assistant can
 * correct its call. Throws the reason of `signal` once that is aborted.
 */
export async function callTool(
  requestApi: RequestApi,
  tool: Tool,
  given: Record<string, unknown>,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const { properties, required } = tool.inputSchema
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(properties, name))
  if (unknown.length > 0)
    return failed(`${unknown.join(', ')}: no such argument; allowed: ${Object.keys(properties).join(', ')}`)
  const missing = required.filter((name) => given[name] === undefined || given[name] === '')
  if (missing.length > 0) return failed(`${missing.join(', ')}: missing argument`)
  const fault = pathFault(tool, given)
  if (fault !== undefined) return failed(fault)
  const { body } = given
  const target = targetOf(tool, given)
  const response = await requestApi({
    ...{ method: tool.method, target, signal },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const type = response.headers.get('content-type') ?? 'no content type'
  if (response.body && !/^application\/json *(;|$)/i.test(type)) {
    // Files are large, and events never end.
    await response.body.cancel()
    return failed(`the server answers ${response.status} with ${type}; allowed: application/json`)
  }
  const text = await readText(response, signal)
  if (text === undefined)
    return failed(`the answer has more than ${mostCharacters} characters; request less, such as with a smaller limit`)
  return { text, isError: !response.ok }
}

const failed = (text: string): ToolAnswer => ({ text, isError: true })

function targetOf({ path, inPath, query, inputSchema, needsLimit }: Tool, given: Record<string, unknown>): string {
  let target = path
  for (const name of inPath)
    target = target.replace(`{${name}}`, encodeURIComponent(String(given[name]).toWellFormed()))
  const search = new URLSearchParams()
  for (const name of query) {
    const value = given[name]
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) search.append(name, String(one))
  }
  // A cursor contains the limit of its first page.
  if ('limit' in inputSchema.properties && given.limit === undefined && (needsLimit || !given.cursor))
    search.set('limit', String(toolLimit))
  return search.size > 0 ? `${target}?${search}` : target
}

/** undefined: too long. */
async function readText({ body }: Response, signal: AbortSignal): Promise<string | undefined> {
  let text = ''
  for await (const part of body?.pipeThrough(new TextDecoderStream(), { signal }) ?? []) {
    text += part
    if (text.length > mostCharacters) return undefined
  }
  return text
}
