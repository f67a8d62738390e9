import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { MintmarkError } from '../errors.ts'
import { failure } from './errorAnswer.ts'

/** The address to listen on is taken or not ours. */
export class ListenError extends MintmarkError {
  readonly code = 'LISTEN'
}

export type ApiServer = {
  /** Such as http://127.0.0.1:8080. */
  url: string
  /** Takes no more connections, finishes the requests under way within the deadline, then cuts what is left. */
  close(): Promise<void>
}

/** Answers a request by itself; false: nothing was done, and the whole way is to be gone. */
export type Shortcut = (request: IncomingMessage, response: ServerResponse) => boolean

export type ServerOptions = {
  host: string
  port: number
  fetch: (request: Request, environment: object) => Response | Promise<Response>
  /** Tried before `fetch`, one after another. */
  shortcuts: readonly Shortcut[]
  requestId(incoming: string | undefined): string
  closeTimeoutMs: number
}

/** Requests' heads longer than this are refused by node itself; a bit above what any client sends. */
const maxHeaderBytes = 65_536

/** Serves on node:http: shortcuts first, the application for everything else. */
export async function startServer(options: ServerOptions): Promise<ApiServer> {
  const { host, port, fetch, shortcuts, requestId, closeTimeoutMs } = options
  let closing = false
  const slowPath = getRequestListener(fetch as Parameters<typeof getRequestListener>[0], {
    errorHandler: () => badRequest(requestId(undefined)),
  })

  const server = createServer({ maxHeaderSize: maxHeaderBytes, keepAliveTimeout: 65_000 }, (request, response) => {
    if (closing) response.shouldKeepAlive = false
    request.url = originForm(request.url ?? '/')
    if (!shortcuts.some((answers) => answers(request, response))) void slowPath(request, response)
  })
  server.headersTimeout = 15_000
  server.requestTimeout = 60_000
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    refuse(error, socket, requestId(undefined)),
  )

  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'the port is taken' : cause.message
      reject(new ListenError(`cannot listen on ${host}:${port}: ${why}`, { cause }))
    })
    server.listen(port, host, resolve)
  })

  let closed: Promise<void> | undefined
  return {
    url: urlOf(host, (server.address() as AddressInfo).port),
    close() {
      closing = true
      closed ??= closeServer(server, closeTimeoutMs)
      return closed
    },
  }
}

/** Proxies and old clients write `GET http://host/path`; everything here knows paths only. */
function originForm(url: string): string {
  if (url.charCodeAt(0) === 47) return url
  const match = /^https?:\/\/[^/?#]*(.*)$/i.exec(url)
  if (!match) return url
  return match[1]!.startsWith('/') ? match[1]! : `/${match[1]}`
}

function badRequest(requestId: string): Response {
  const { status, headers, body } = failure(
    400,
    'the request is malformed: its target or its Host header is no address',
  )
  return new Response(body as Uint8Array<ArrayBuffer> | null, {
    status,
    headers: { [headers[0]!]: headers[1]!, 'x-request-id': requestId },
  })
}

/** What node's parser refuses never becomes a request, so the answer is written to the socket itself. */
function refuse(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, reason, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [
          431,
          'Request Header Fields Too Large',
          `the head of the request is too long; allowed: ${maxHeaderBytes} bytes`,
        ]
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'Request Timeout', 'the request did not arrive in time']
        : [400, 'Bad Request', 'the request is no HTTP/1.1']
  const body = JSON.stringify({ message, statusCode: status })
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\nx-request-id: ${requestId}\r\nconnection: close\r\n\r\n${body}`,
  )
}

/** Connections that fall idle while closing are closed within this time. */
const idleCheckMs = 20

async function closeServer(server: Server, timeoutMs: number): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs)
  const deadline = setTimeout(() => server.closeAllConnections(), timeoutMs)
  await new Promise<void>((resolve) => server.close(() => resolve()))
  clearInterval(idle)
  clearTimeout(deadline)
}

function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
