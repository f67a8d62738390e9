import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo, Server } from 'node:net'
import { onTestFinished } from 'vitest'

/** The behaviour of an address, set by the first segment of its path. `node` forwards to the target until the host is broken. */
type Mode = 'unauthorized' | 'failing' | 'garbage' | 'hanging' | 'chain' | 'away' | 'node' | 'list'

export type EchoHost = {
  url: string
  port: number
  /** `host:port` of a transaction stream that rejects every request. */
  grpc: string
  /** Everything that requests contained and that responses repeated. */
  output(): string
  /** From now on, the node rejects every request. */
  break(): void
}

/** A host that repeats everything of a request in its response: path, query, user, password and token. */
export async function startEchoHost(options: { node: string; list: () => unknown }): Promise<EchoHost> {
  const all: string[] = []
  let broken = false

  function echo(url: string, authorization = ''): string {
    const basic = /^Basic (.*)$/.exec(authorization)?.[1]
    const reported = [url, decodeURIComponent(url), authorization, basic ? Buffer.from(basic, 'base64').toString() : '']
    const text = `no such key: ${reported.join(' ')}, ${reported.join(' ').toUpperCase()}`
    all.push(text)
    return text
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const { url = '/', headers } = request
    const mode = url.split(/[/?]/)[1] as Mode
    const text = echo(url, headers.authorization)
    const send = (status: number, value: unknown, more: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...more })
      response.end(typeof value === 'string' ? value : JSON.stringify(value))
    }
    if (mode === 'hanging') return
    if (mode === 'away') return send(302, text, { location: `/away/${url}` })
    if (mode === 'garbage') return send(200, `<html>${text}</html>`, { 'content-type': 'text/html' })
    if (mode === 'list') return send(200, options.list())
    if (mode === 'node' && !broken) {
      const forwarded = await fetch(options.node, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      })
      return send(forwarded.status, await forwarded.text())
    }
    const status = mode === 'failing' || mode === 'chain' ? 200 : 401
    if (!body.includes('"jsonrpc"')) return send(status, { message: text, error_code: text, error: text })
    const calls = JSON.parse(body) as { id: number } | { id: number }[]
    const reply = ({ id }: { id: number }) => ({
      jsonrpc: '2.0',
      id,
      ...(mode === 'chain'
        ? { result: text }
        : { error: { code: mode === 'failing' ? -32_000 : text, message: text, data: text } }),
    })
    send(status, Array.isArray(calls) ? calls.map(reply) : reply(calls))
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  const stream = createHttp2Server()
  stream.on('session', (session) => onTestFinished(() => session.destroy()))
  stream.on('stream', (call, headers) => {
    call.on('error', () => undefined)
    const message = encodeURIComponent(echo(String(headers[':path']), headers.authorization))
    call.respond(
      { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': 16, 'grpc-message': message },
      { endStream: true },
    )
  })
  const port = await listen(server)
  onTestFinished(() => server.closeAllConnections())
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    grpc: `127.0.0.1:${await listen(stream)}`,
    output: () => all.join('\n'),
    break() {
      broken = true
    },
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}
