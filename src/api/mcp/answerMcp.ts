import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { RequestApi } from './callTool.ts'
import { createMcpServer } from './createMcpServer.ts'
import type { Tool } from './tools.ts'

/**
 * Answers one message over HTTP, without a session: any process can answer the next message. undefined: the client
 * disconnected, and its calls are aborted.
 */
export async function answerMcp(options: {
  tools: readonly Tool[]
  request: RequestApi
  version: string
  message: unknown
  /** Header mcp-protocol-version. */
  protocolVersion: string | undefined
  /** Aborted when the client disconnects. */
  signal?: AbortSignal | undefined
}): Promise<Response | undefined> {
  const { message, protocolVersion, signal } = options
  const gone = Promise.withResolvers<undefined>()
  const end = () => gone.resolve(undefined)
  // No session id, and every answer is JSON.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const server = createMcpServer(options)
  await server.connect(transport)
  signal?.addEventListener('abort', end)
  try {
    if (signal?.aborted) end()
    const headers = {
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      ...(protocolVersion === undefined ? {} : { 'mcp-protocol-version': protocolVersion }),
    }
    const request = new Request('http://localhost/mcp', { method: 'POST', headers, body: '{}' })
    return await Promise.race([gone.promise, transport.handleRequest(request, { parsedBody: message })])
  } finally {
    signal?.removeEventListener('abort', end)
    // A JSON answer is complete by now, or nobody waits for it: closing aborts the calls that still run.
    await server.close()
  }
}
