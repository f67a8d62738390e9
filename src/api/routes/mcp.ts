import { z } from 'zod'
import { BadRequestError } from '../../util/errors.ts'
import { shareOnce } from '../../util/shareCalls.ts'
import { type Answer, jsonType } from '../http/answer.ts'
import { ClientGoneError, ForbiddenError } from '../http/errors.ts'
import { flag } from '../http/parameters.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { type ToolDocument, toolsOf } from '../mcp/tools.ts'

export type McpRoutesOptions = {
  /** Answers a request in this process. */
  request(request: Request): Promise<Response>
  version: string
}

const messageSchema = z.looseObject({ jsonrpc: z.string().describe('2.0.') })

/** The read operations as tools of the Model Context Protocol. */
export function mcpRoutes({ request, version }: McpRoutesOptions): Route[] {
  const document = shareOnce(
    async () => (await (await request(new Request('http://localhost/openapi.json'))).json()) as ToolDocument,
  )
  return [
    defineRoute({
      method: 'POST',
      path: '/mcp',
      operationId: 'callMcp',
      summary: 'Tools for assistants',
      description: 'Model Context Protocol over HTTP: the read operations as tools.',
      tag: 'Server',
      access: 'read',
      scheduled: 'none',
      query: z.object({
        admin: flag({ description: 'Adds the operations of an admin key.', default: false }).optional(),
      }),
      body: { schema: z.unknown() },
      ok: { description: 'A JSON-RPC message.', schema: messageSchema, acceptsNotes: true },
      errors: [403],
      async handle({ query: { admin = false }, body, exchange }): Promise<Answer> {
        if (admin && exchange.key?.access !== 'admin')
          throw new ForbiddenError('admin=true needs an admin key; the key of this request is a read key')
        if (Array.isArray(body) && body.length === 0)
          throw new BadRequestError('the body is an empty list; allowed: a JSON-RPC message, or a list of messages')
        const tools = toolsOf(await document(), { admin })
        // Imported on demand: servers without assistants start faster.
        const { answerMcp } = await import('../mcp/answerMcp.ts')
        const credentials = ['x-api-key', 'authorization'].flatMap((name) => {
          const value = exchange.header(name)
          return value === undefined ? [] : [[name, value] as [string, string]]
        })
        const response = await answerMcp({
          ...{ tools, version, message: body, protocolVersion: exchange.header('mcp-protocol-version') },
          signal: exchange.signal,
          request: ({ method, target, body: sent, signal }) =>
            request(
              new Request(`http://localhost${target}`, {
                ...{ method, headers: [...credentials, ['content-type', 'application/json']], signal },
                ...(sent === undefined ? {} : { body: sent }),
              }),
            ),
        })
        if (!response) throw new ClientGoneError('the client closed the connection')
        const text = await response.text()
        if (response.status === 202) return { status: 202, headers: [], body: null }
        if (!response.ok) throw new BadRequestError(`the body is not an MCP message: ${faultIn(text)}`)
        return { status: 200, headers: ['content-type', jsonType], body: Buffer.from(text) }
      },
    }),
  ]
}

function faultIn(text: string): string {
  const { error } = JSON.parse(text) as { error?: { message?: string } }
  return error?.message ?? 'not understood'
}
