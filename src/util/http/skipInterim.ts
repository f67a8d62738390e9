import type { Socket } from 'node:net'
import { type buildConnector, errors } from 'undici'

/** Most bytes of all interim responses to one request. undici allows as many for the headers of a final response. */
const maxBytes = 16_384

/** The beginning of an interim response; `#` is a digit. */
const start = 'HTTP/1.# 1##'
/** Switching Protocols: the following bytes are not HTTP. */
const switching = '101'
const zero = 0x30
const nine = 0x39

/**
 * A connector whose sockets skip interim responses (RFC 9110, 15.2), which a server may send before its response to any request. undici ends the
 * connection at 100, which it never requests, and reads any number of others. 101 is left to undici, which rejects it.
 */
export function skipInterim(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error) return callback(error, null)
      filterReads(socket)
      callback(null, socket)
    })
}

/** undici reads a socket only by `read()`, and sends one request at a time. */
function filterReads(socket: Socket): void {
  const read = socket.read.bind(socket)
  const write = socket.write.bind(socket) as (chunk: unknown, encoding: unknown, callback: unknown) => boolean
  /** A request was sent, and its final response has not begun. */
  let isWaiting = false
  /** Bytes that may be the beginning of an interim response. */
  let held: Buffer = Buffer.alloc(0)
  let skipped = 0

  /** The bytes of the chunk, with those held before, that belong to a final response. */
  function finalPart(chunk: Buffer): Buffer {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    let at = 0
    while (isInterim(bytes, at)) {
      const end = bytes.indexOf('\r\n\r\n', at)
      const isWhole = end >= 0 && bytes.length - at >= start.length
      const size = (isWhole ? end + 4 : bytes.length) - at
      if (skipped + size > maxBytes) {
        socket.destroy(new errors.HeadersOverflowError())
        return Buffer.alloc(0)
      }
      if (!isWhole) {
        held = bytes.subarray(at)
        return Buffer.alloc(0)
      }
      skipped += size
      at += size
    }
    isWaiting = false
    held = Buffer.alloc(0)
    return bytes.subarray(at)
  }

  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk: Buffer | null = read(size)
      if (chunk === null || !isWaiting) return chunk
      const final = finalPart(chunk)
      if (final.length > 0) return final
    }
  }
  socket.write = (chunk: unknown, encoding?: unknown, callback?: unknown): boolean => {
    if (!isWaiting) {
      isWaiting = true
      skipped = 0
    }
    return write(chunk, encoding, callback)
  }
}

/** Whether an interim response begins here, or may begin as far as the bytes show. */
function isInterim(bytes: Buffer, at: number): boolean {
  const given = Math.min(bytes.length - at, start.length)
  for (let i = 0; i < given; i++) {
    const byte = bytes[at + i]!
    if (start[i] === '#' ? byte < zero || byte > nine : byte !== start.charCodeAt(i)) return false
  }
  return given < start.length || bytes.toString('latin1', at + start.length - 3, at + start.length) !== switching
}
