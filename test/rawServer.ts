import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'

export type RawServer = {
  host: string
  port: number
  url: string
  /** Start lines and headers of every request, in order. */
  requests: string[]
  /**
   * The number of connections: opened so far, still open, and open ones that received a request.
   * After an aborted request, undici opens a new connection and keeps it for ten seconds.
   */
  opened(): number
  open(): number
  requested(): number
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Answers a request by writing to the socket. `request`: the head, and the part of the body that came with it. */
export type RawHandler = (request: string, socket: Socket, path: string) => void

/** A server on a free port of loopback that sends exactly the bytes that a test wants. */
export async function createRawServer(
  handler: RawHandler,
  options: { host?: string; tls?: TlsOptions } = {},
): Promise<RawServer> {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  const requested = new Set<Socket>()
  let opened = 0
  const listen = (socket: Socket) => {
    opened++
    sockets.add(socket)
    let text = ''
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      sockets.delete(socket)
      requested.delete(socket)
    })
    socket.on('data', (chunk) => {
      requested.add(socket)
      text += chunk.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (text.length < end + 4 + length) return
      const request = text
      text = ''
      requests.push(request)
      handler(request, socket, request.split(' ')[1] ?? '')
    })
  }
  const server = options.tls ? createTlsServer(options.tls, listen) : createServer(listen)
  // Some tests make handshakes fail.
  server.on('tlsClientError', () => undefined)
  const host = options.host ?? '127.0.0.1'
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, host, resolve)
  })
  const { port } = server.address() as { port: number }
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  return {
    host,
    port,
    url: `${options.tls ? 'https' : 'http'}://${host}:${port}`,
    requests,
    opened: () => opened,
    open: () => sockets.size,
    requested: () => requested.size,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** A complete response with a content-length. */
export function httpAnswer(status: number, body: string | Buffer = '', headers: Record<string, string> = {}): Buffer {
  const fields = { 'content-length': String(Buffer.byteLength(body)), ...headers }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} X\r\n${lines.join('')}\r\n`), Buffer.from(body)])
}
