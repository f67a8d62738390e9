import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export type RpcServerCall = { id: unknown; method: string; params: readonly unknown[] }

/** An error object instead of a result. */
export class RpcFailure {
  readonly error: { code: number; message: string; data?: unknown }

  constructor(code: number, message: string, data?: unknown) {
    this.error = { code, message, ...(data !== undefined && { data }) }
  }
}

/** The complete HTTP response to every request. A body that is not text is sent as JSON. */
export class RawAnswer {
  readonly status: number
  readonly body: unknown
  readonly headers: Record<string, string>

  constructor(status: number, body: unknown = '', headers: Record<string, string> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** Cuts the connection after this many bytes of the response. */
export class Cut {
  readonly afterBytes: number

  constructor(afterBytes = 0) {
    this.afterBytes = afterBytes
  }
}

export type RpcExchange = { calls: RpcServerCall[]; batch: boolean; headers: IncomingHttpHeaders; path: string }

/** Returns the result of one call, or an RpcFailure, RawAnswer or Cut. A promise delays the response. */
export type RpcHandler = (call: RpcServerCall, exchange: RpcExchange) => unknown

export type RpcServer = {
  url: string
  port: number
  /** Every HTTP request received, oldest first. */
  exchanges: RpcExchange[]
  /** All calls, or those of one method, oldest first. */
  calls(method?: string): RpcServerCall[]
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** A scripted JSON-RPC node on a free port of loopback: a real HTTP server whose responses come from a function. */
export async function createRpcServer(
  handler: RpcHandler,
  /** With `keeps: false`, `exchanges` stays empty, for a node that receives requests for hours. */
  options: { port?: number; keeps?: boolean } = {},
): Promise<RpcServer> {
  const exchanges: RpcExchange[] = []
  const sockets = new Set<Socket>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as RpcServerCall | RpcServerCall[]
    const batch = Array.isArray(body)
    const calls = batch ? body : [body]
    const exchange = { calls, batch, headers: request.headers, path: request.url ?? '/' }
    if (options.keeps !== false) exchanges.push(exchange)
    const answers = await Promise.all(calls.map((call) => handler(call, exchange)))
    if (response.destroyed) return
    const items = calls.map((call, i) => {
      const answer = answers[i]
      const outcome = answer instanceof RpcFailure ? { error: answer.error } : { result: answer }
      return { jsonrpc: '2.0', id: call.id, ...outcome }
    })
    const special = answers.find((answer) => answer instanceof RawAnswer || answer instanceof Cut)
    if (special instanceof Cut) {
      const text = JSON.stringify(batch ? items : items[0])
      if (special.afterBytes === 0) return void request.socket.destroy()
      response.writeHead(200, { 'content-length': text.length + 1_000 })
      response.write(text.slice(0, special.afterBytes), () => request.socket.destroy())
      return
    }
    if (special instanceof RawAnswer) {
      response.writeHead(special.status, special.headers)
      response.end(typeof special.body === 'string' ? special.body : JSON.stringify(special.body))
      return
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(batch ? items : items[0]))
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    exchanges,
    calls: (method) =>
      exchanges.flatMap((exchange) => exchange.calls).filter((call) => method === undefined || call.method === method),
    close,
    [Symbol.asyncDispose]: close,
  }
}
