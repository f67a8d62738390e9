import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How long a client may continue sending after the answer, in milliseconds. */
export const drainMs = 5_000

/** How many bytes it may still send. */
const drainBytes = 67_108_864

/** Poll interval of a draining connection, in milliseconds. */
const lookMs = 100

/**
 * Discards bytes that arrive after the last answer of a connection. They must not run as a request, as no client would
 * get the answer.
 */
export function ignoreRest(socket: Socket): void {
  const parsing = socket.listeners('data') as (() => void)[]
  // Node passes bytes directly to its parser until a `data` listener is added.
  socket.on('data', () => undefined)
  for (const listener of parsing) socket.off('data', listener)
  socket.resume()
}

/**
 * Closes a connection only after reading what the client still sends: for unread bytes the system sends a reset, and
 * the client loses the answer. Node calls `destroySoon` after the last answer of a connection, even if the request is
 * incomplete.
 */
export function drainBeforeClose(socket: Socket): void {
  socket.destroySoon = () => {
    if (socket.destroyed) return
    socket.end()
    ignoreRest(socket)
    const startedAt = performance.now()
    const readBefore = socket.bytesRead
    const timer = setInterval(() => {
      if (performance.now() - startedAt > drainMs || socket.bytesRead - readBefore > drainBytes) socket.destroy()
    }, lookMs).unref()
    socket.once('close', () => clearInterval(timer))
  }
}

/** Limits of answers that clients do not read. */
export type UnreadLimits = {
  /** How long a client may read nothing of an answer, in milliseconds. */
  unreadMs: number
  /** Most bytes of answers to all clients that wait to be read. */
  unreadBytes: number
}

/** How often the bytes are counted, in milliseconds. */
const countMs = 500

/**
 * Ends connections whose clients do not read. Above `unreadBytes`, the first to end are those that have read nothing for the longest time. `latest`:
 * the answer to the latest request of a connection. Returns a function that ends the counting.
 */
export function limitUnread(
  server: Server,
  { connections, latest }: { connections: ReadonlySet<Socket>; latest: WeakMap<Socket, ServerResponse> },
  { unreadMs, unreadBytes }: UnreadLimits,
): () => void {
  const unread = new Map<Socket, { bytes: number; since: number }>()
  server.setTimeout(unreadMs, (socket) => {
    const response = latest.get(socket)
    const isWaiting = response && !response.writableFinished && socket.writableLength === 0
    if (!isWaiting) socket.destroy()
  })

  function count(): void {
    const now = performance.now()
    let total = 0
    for (const socket of connections) {
      const bytes = socket.writableLength
      total += bytes
      if (bytes === 0) unread.delete(socket)
      else if (unread.get(socket)?.bytes !== bytes) unread.set(socket, { bytes, since: now })
    }
    for (const socket of unread.keys()) if (!connections.has(socket)) unread.delete(socket)
    if (total <= unreadBytes) return
    for (const [socket, { bytes }] of [...unread].toSorted(([, a], [, b]) => a.since - b.since)) {
      if (total <= unreadBytes) return
      socket.destroy()
      total -= bytes
    }
  }
  const timer = setInterval(count, countMs).unref()
  return () => clearInterval(timer)
}
