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
