import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { RequestApi } from './callTool.ts'
import { createMcpServer } from './createMcpServer.ts'
import type { Tool } from './tools.ts'

/** Answers one message over HTTP, without a session: any process can answer the next message. */
export async function answerMcp(options: {
  tools: readonly Tool[]
  request: RequestApi
  version: string
  message: unknown
  /** Header mcp-protocol-version. */
  protocolVersion: string | undefined
}): Promise<Response> {
  const { message, protocolVersion } = options
  // No session id, and every answer is JSON.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const server = createMcpServer(options)
  await server.connect(transport)
  try {
    const headers = {
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      ...(protocolVersion === undefined ? {} : { 'mcp-protocol-version': protocolVersion }),
    }
    const request = new Request('http://localhost/mcp', { method: 'POST', headers, body: '{}' })
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    // A JSON answer is complete by now.
    await server.close()
  }
}
