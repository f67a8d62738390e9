import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { CountRequest } from '../../metrics/requestMetrics.ts'
import { UnavailableError } from '../../util/errors.ts'
import { type Answer, jsonAnswer } from './answer.ts'
import { drainBeforeClose } from './drainBeforeClose.ts'
import { errorAnswer, failure } from './errorAnswer.ts'
import { ListenError } from './listenError.ts'
import {
  answerToHead,
  expectationAnswer,
  maxHeadBytes,
  parserAnswer,
  refuseSocket,
  tunnelAnswer,
} from './rejections.ts'
import { createRequestIds } from './wireRoutes.ts'

export type ApiServer = {
  /** Such as http://127.0.0.1:8080. */
  url: string
  /** From now on `served` answers requests; until then each is answered that the server is starting. */
  serve(served: Served): void
  /** Takes no more connections, finishes the requests in progress within the deadline, then cuts what is left. */
  close(): Promise<void>
}

/** Answers a request by itself; false: nothing was done, and the request takes the full path, router included. */
export type Shortcut = (request: IncomingMessage, response: ServerResponse) => boolean

/** What answers requests: the shortcut first, the application for everything else. */
export type Served = {
  fetch: (request: Request, environment: object) => Response | Promise<Response>
  /** Tried before `fetch`; omitted: there is none. */
  shortcut?: Shortcut
}

export type ServerOptions = {
  host: string
  port: number
  /** Of this program, for `/health`. */
  version: string
  closeTimeoutMs: number
  /** Counts what is answered before any route is known; the rest is counted where it is served. */
  count: CountRequest
  limits?: ConnectionLimits
}

/** How long clients may take, in milliseconds. A limit holds to within half a second. */
export type ConnectionLimits = {
  /** For the head of a request, and for the first one of a connection. */
  headMs: number
  /** For a whole request. */
  requestMs: number
}

/** How often Node compares connections with their limits, in milliseconds. */
const checkMs = 500

const defaultLimits: ConnectionLimits = { headMs: 15_000, requestMs: 60_000 }

/** Listens with node:http. Throws ListenError. */
export async function startServer(options: ServerOptions): Promise<ApiServer> {
  const { host, port, version, closeTimeoutMs, count, limits = defaultLimits } = options
  const requestId = createRequestIds()
  let closing = false
  let answers: ((request: IncomingMessage, response: ServerResponse) => void) | undefined

  // Node's own rejections have no body and no request id, so the bounds here let all requests reach our answers.
  const settings = {
    ...{ maxHeaderSize: maxHeadBytes, requireHostHeader: false, keepAliveTimeout: 65_000 },
    ...{ headersTimeout: limits.headMs, requestTimeout: limits.requestMs, connectionsCheckingInterval: checkMs },
  }
  /** Connections on which an answer says that it is the last one. */
  const ending = new WeakSet<Socket>()
  const server = createServer(settings, (request, response) => {
    // No client gets an answer to a request that came behind the last one.
    if (ending.has(request.socket)) return void request.resume()
    if (closing) endWith(request, response)
    const refused = answerToHead(request)
    request.url = originForm(request.url ?? '/')
    if (refused) answer(request, response, { route: 'unknown', answer: refused })
    else if (answers) answers(request, response)
    else answer(request, response, startingAnswer(request.url, version))
  })
  server.on('connection', drainBeforeClose)
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    // More data came after a request with `connection: close`, whose answer ends the connection.
    else if (error.code !== 'HPE_CLOSED_CONNECTION') refuse(socket, parserAnswer(error))
  })
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    answer(request, response, { route: 'unknown', answer: expectationAnswer() }),
  )
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    refuse(socket, tunnelAnswer(), request)
  })

  /** Makes an answer the last one of its connection. */
  function endWith(request: IncomingMessage, response: ServerResponse): void {
    response.shouldKeepAlive = false
    ending.add(request.socket)
  }

  /** Answers a request that comes to no route. */
  function answer(request: IncomingMessage, response: ServerResponse, given: { route: string; answer: Answer }): void {
    endWith(request, response)
    write(response, given.answer, requestId(idOf(request)))
    count(given.route, methodOf(request), given.answer.status, 0)
  }

  /** Answers on a connection of which node made no request. */
  function refuse(socket: Socket, given: Answer, request?: IncomingMessage): void {
    if (refuseSocket(socket, given, requestId(request && idOf(request))))
      count('unknown', methodOf(request), given.status, 0)
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(ListenError.of({ host, port }, cause)))
    server.listen(port, host, resolve)
  })

  let closed: Promise<void> | undefined
  return {
    url: urlOf(host, (server.address() as AddressInfo).port),
    serve({ fetch, shortcut }) {
      const slowPath = getRequestListener(fetch as Parameters<typeof getRequestListener>[0], {
        // Checks of load balancers speak HTTP/1.0 and send no host.
        hostname: 'localhost',
        errorHandler: () => {
          count('unknown', methodOf(undefined), 400, 0)
          return badRequest(requestId(undefined))
        },
      })
      answers = (request, response) => {
        if (!shortcut?.(request, response)) void slowPath(request, response)
      }
    },
    close() {
      closing = true
      closed ??= closeServer(server, closeTimeoutMs)
      return closed
    },
  }
}

/**
 * What the server answers while it listens and has no database yet. `/health` says that it is alive; everything else is 503 with
 * Retry-After, so that clients retry: they would take a refused connection for the end of the service.
 */
function startingAnswer(target: string, version: string): { route: string; answer: Answer } {
  const [path] = target.split('?', 1)
  if (path === '/health') return { route: path, answer: jsonAnswer(200, { status: 'ok', version }) }
  if (path === '/ready')
    return {
      route: path,
      answer: errorAnswer(new UnavailableError('not ready: starting', { details: { waitingFor: ['start'] } })),
    }
  return { route: 'unknown', answer: errorAnswer(new UnavailableError('the server is starting; retry')) }
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
    'the request is malformed: its target or its Host header is not an address',
  )
  return new Response(body as Uint8Array<ArrayBuffer> | null, {
    status,
    headers: { [headers[0]!]: headers[1]!, 'x-request-id': requestId },
  })
}

/** Writes an answer that needs no route. */
function write(response: ServerResponse, { status, headers, body }: Answer, requestId: string): void {
  const length = body ? ['content-length', String(body.length)] : []
  response.writeHead(status, [...headers, ...length, 'x-request-id', requestId])
  response.end(body ?? undefined)
}

/** The method as a label of metrics. Node's parser knows a fixed list, so no client can make up labels. `unknown`: there is no request. */
function methodOf(request: IncomingMessage | undefined): string {
  return request?.method ?? 'unknown'
}

function idOf(request: IncomingMessage): string | undefined {
  return request.headers['x-request-id'] as string | undefined
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
