import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { CountRequest } from '../../metrics/requestMetrics.ts'
import { UnavailableError } from '../../util/errors.ts'
import { ListenError } from '../../util/http/listenError.ts'
import { type Answer, jsonAnswer } from './answer.ts'
import {
  addWaiting,
  countMs,
  drainBeforeClose,
  limitUnread,
  type UnreadLimits,
  type WaitingAnswers,
} from './clientSockets.ts'
import { errorAnswer, failure } from './errorAnswer.ts'
import {
  answerToHead,
  expectationAnswer,
  maxHeadBytes,
  parserAnswer,
  rejectSocket,
  tunnelAnswer,
} from './rejections.ts'
import { createRequestIds } from './wireRoutes.ts'

export type ApiServer = {
  /** Such as http://127.0.0.1:8080. */
  url: string
  /** Serves requests with `served`. Before this call, each request is answered that the server is starting. */
  serve(served: Served): void
  /** Stops accepting connections, finishes requests within the deadline, then closes the remaining connections. */
  close(): Promise<void>
}

/** Answers a request itself; false: it did nothing, and the request takes the full path with the router. */
export type Shortcut = (request: IncomingMessage, response: ServerResponse) => boolean

/** Request handlers: the shortcut first, the application for all other requests. */
export type Served = {
  fetch: (request: Request, environment: object) => Response | Promise<Response>
  /** Tried before `fetch`; optional. */
  shortcut?: Shortcut
}

export type ServerOptions = {
  host: string
  port: number
  /** Version of this program, for `/health`. */
  version: string
  closeTimeoutMs: number
  /** Counts requests that are answered before routing; others are counted where they are handled. */
  count: CountRequest
  limits?: Partial<ConnectionLimits>
}

/** Time limits of clients, in milliseconds, accurate to half a second. */
export type ConnectionLimits = UnreadLimits & {
  /** For the head of a request, and for the first request of a connection. */
  headMs: number
  /** For a whole request. */
  requestMs: number
}

/** Interval at which Node checks connections against their limits, in milliseconds. */
const checkMs = 500

const defaultLimits: ConnectionLimits = {
  ...{ headMs: 15_000, requestMs: 60_000 },
  ...{ unreadMs: 600_000, unreadBytes: 268_435_456 },
}

/** Listens with node:http. Throws ListenError. */
export async function startServer(options: ServerOptions): Promise<ApiServer> {
  const { host, port, version, closeTimeoutMs, count } = options
  const limits = { ...defaultLimits, ...options.limits }
  const requestId = createRequestIds()
  let closing = false
  let answers: ((request: IncomingMessage, response: ServerResponse) => void) | undefined

  // Node's own rejections have no body and no request id, so these limits let all requests reach our answers.
  const settings = {
    ...{ maxHeaderSize: maxHeadBytes, requireHostHeader: false, keepAliveTimeout: 65_000 },
    ...{ headersTimeout: limits.headMs, requestTimeout: limits.requestMs, connectionsCheckingInterval: checkMs },
  }
  /** Connections whose last answer is already announced. */
  const ending = new WeakSet<Socket>()
  /** The answer to the latest request of each connection. */
  const latest = new WeakMap<Socket, ServerResponse>()
  const waiting: WaitingAnswers = new WeakMap()
  const server = createServer(settings, (request, response) => {
    // A request after the last answer gets no answer.
    if (ending.has(request.socket)) return void request.resume()
    if (latest.get(request.socket)?.writableFinished === false) addWaiting(waiting, request.socket, response)
    latest.set(request.socket, response)
    if (closing) endWith(request, response)
    const rejected = answerToHead(request)
    request.url = originForm(request.url ?? '/')
    if (rejected) answer(request, response, { route: 'unknown', answer: rejected })
    else if (answers) answers(request, response)
    else answer(request, response, startingAnswer(request.url, version))
  })
  const connections = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
    drainBeforeClose(socket)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    // This code means data after a request with `connection: close`, whose answer ends the connection.
    else if (error.code !== 'HPE_CLOSED_CONNECTION' && !endAfterAnswers(socket))
      rejectRequest(socket, parserAnswer(error))
  })
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    answer(request, response, { route: 'unknown', answer: expectationAnswer() }),
  )
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    rejectRequest(socket, tunnelAnswer(), request)
  })

  /** Makes an answer the last of its connection. */
  function endWith(request: IncomingMessage, response: ServerResponse): void {
    response.shouldKeepAlive = false
    ending.add(request.socket)
  }

  /** Ends a connection after the answers to its complete requests, which precede data that is no request. false: none is pending. */
  function endAfterAnswers(socket: Socket): boolean {
    const response = latest.get(socket)
    if (!response?.req.complete || response.writableFinished || socket.destroyed) return false
    endWith(response.req, response)
    response.once('finish', () => socket.end())
    return true
  }

  /** Answers a request without a route. */
  function answer(request: IncomingMessage, response: ServerResponse, given: { route: string; answer: Answer }): void {
    endWith(request, response)
    write(response, given.answer, requestId(idOf(request)))
    count(given.route, methodOf(request), given.answer.status, 0)
  }

  /** Answers on a connection without a request object. */
  function rejectRequest(socket: Socket, given: Answer, request?: IncomingMessage): void {
    if (rejectSocket(socket, given, requestId(request && idOf(request))))
      count('unknown', methodOf(request), given.status, 0)
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(ListenError.of({ host, port }, cause)))
    server.listen(port, host, resolve)
  })
  const counting = setInterval(limitUnread({ connections, waiting }, limits), countMs).unref()

  let closed: Promise<void> | undefined
  return {
    url: urlOf(host, (server.address() as AddressInfo).port),
    serve({ fetch, shortcut }) {
      const slowPath = getRequestListener(fetch as Parameters<typeof getRequestListener>[0], {
        // Health checks of load balancers speak HTTP/1.0 without a Host header.
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
      closed ??= closeServer(server, connections, closeTimeoutMs).finally(() => clearInterval(counting))
      return closed
    },
  }
}

/**
 * Answers while the server listens but has no database yet. `/health` reports that it is alive; other paths get 503
 * with Retry-After. Clients would take a refused connection for the end of the service.
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

/** Proxies and old clients write `GET http://host/path`; returns the path. */
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

/** Writes an answer without a route. */
function write(response: ServerResponse, { status, headers, body }: Answer, requestId: string): void {
  const length = body ? ['content-length', String(body.length)] : []
  response.writeHead(status, [...headers, ...length, 'x-request-id', requestId])
  response.end(body ?? undefined)
}

/**
 * The method as a metric label. Node's parser has a fixed list, so clients cannot invent labels. `unknown`: there is no
 * request.
 */
function methodOf(request: IncomingMessage | undefined): string {
  return request?.method ?? 'unknown'
}

function idOf(request: IncomingMessage): string | undefined {
  return request.headers['x-request-id'] as string | undefined
}

/** Poll interval for idle connections while closing. */
const idleCheckMs = 20

async function closeServer(server: Server, connections: ReadonlySet<Socket>, timeoutMs: number): Promise<void> {
  const idle = setInterval(() => {
    server.closeIdleConnections()
    // Node counts a connection without any data as busy, until the limit for its first request.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }, idleCheckMs)
  const deadline = setTimeout(() => server.closeAllConnections(), timeoutMs)
  await new Promise<void>((resolve) => server.close(() => resolve()))
  clearInterval(idle)
  clearTimeout(deadline)
}

function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
