import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { AskApi } from './callTool.ts'
import { createMcpServer } from './createMcpServer.ts'
import type { Tool } from './tools.ts'

/** Answers one message over HTTP, without a session: any process can answer the next one. */
export async function answerMcp(options: {
  tools: readonly Tool[]
  ask: AskApi
  version: string
  message: unknown
  /** The header mcp-protocol-version. */
  protocolVersion: string | undefined
}): Promise<Response> {
  const { message, protocolVersion } = options
  // Without an id: there is no session, and every answer is JSON.
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
    // An answer in JSON is whole by now.
    await server.close()
  }
}
