import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Answer } from './answer.ts'
import { drainMs, ignoreRest } from './clientSockets.ts'
import { failure } from './errorAnswer.ts'

/** All methods of all paths. */
export const serverMethods = 'GET, HEAD, POST, PUT, DELETE, OPTIONS'

/** Longest path and query: more than any operation needs. */
export const maxTargetLength = 16_384

/** Most bytes of all header fields of a request: a bit more than any client sends. */
const maxHeaderBytes = 65_536

/**
 * Limit of Node's parser for the head of a request. It exceeds the longest target, so an overlong target reaches
 * `respond`, which answers 414.
 */
export const maxHeadBytes = 4 * maxHeaderBytes

/** The answer if the head alone rejects the request; undefined: the request continues to its route. */
export function answerToHead(request: IncomingMessage): Answer | undefined {
  if (request.headers.host === undefined && request.httpVersion === '1.1')
    return failure(400, 'the header Host is missing, which HTTP/1.1 requires')
  if (hostsIn(request.rawHeaders) > 1) return failure(400, 'the header Host is repeated; allowed: once')
  let headerBytes = 0
  for (const text of request.rawHeaders) headerBytes += text.length
  if (headerBytes > maxHeaderBytes)
    return failure(431, `the headers have ${headerBytes} bytes; allowed: at most ${maxHeaderBytes}`)
  if (request.url === '*' && request.method === 'OPTIONS')
    return { status: 204, headers: ['allow', serverMethods], body: null }
  return undefined
}

/** Number of Host headers. Node uses the first one; a proxy before this server may have used another. */
function hostsIn(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === 4 && /^host$/i.test(rawHeaders[i]!)) hosts++
  return hosts
}

export function expectationAnswer(): Answer {
  return failure(417, 'the header Expect has a value that this server does not support; allowed: 100-continue')
}

/** The answer to CONNECT: this server is not a proxy. */
export function tunnelAnswer(): Answer {
  return failure(405, `CONNECT is not a method of this server; allowed: ${serverMethods}`, undefined, [
    'allow',
    serverMethods,
  ])
}

/** A request line with any method, also an unknown one. */
const requestLine = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r\n/

/** The answer to a parser error of Node, by its code and the packet at which it stopped. */
export function parserAnswer(error: NodeJS.ErrnoException & { rawPacket?: Buffer }): Answer {
  const { code, rawPacket } = error
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return failure(
        431,
        `the head of the request is too long; allowed: a target of ${maxTargetLength} characters, headers of ${maxHeaderBytes} bytes`,
      )
    case 'HPE_INVALID_METHOD':
      if (!rawPacket || !requestLine.test(rawPacket.toString('latin1', 0, maxHeaderBytes))) break
      return failure(405, `this is not a method of HTTP; allowed: ${serverMethods}`, undefined, [
        'allow',
        serverMethods,
      ])
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return failure(408, 'the request did not arrive in time')
  }
  return failure(400, 'the request is not HTTP/1.1')
}

/**
 * Writes an answer to a connection without a request object, and ends the connection. false: the connection was already
 * ending, so nothing was written.
 */
export function rejectSocket(socket: Socket, { status, headers, body }: Answer, requestId: string): boolean {
  if (socket.writableEnded) return false
  if (!socket.writable) {
    socket.destroy()
    return false
  }
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`]
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`)
  lines.push(`content-length: ${body?.length ?? 0}`, `x-request-id: ${requestId}`, 'connection: close', '', '')
  socket.write(lines.join('\r\n'))
  socket.end(body ?? '')
  const timer = setTimeout(() => socket.destroy(), drainMs).unref()
  socket.once('close', () => clearTimeout(timer))
  ignoreRest(socket)
  return true
}
