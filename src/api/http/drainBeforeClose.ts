import type { Socket } from 'node:net'

/** How long a client that was answered may continue sending, in milliseconds. */
export const drainMs = 5_000

/** How much it may send. */
const drainBytes = 67_108_864

/** How often a connection that is drained is looked at, in milliseconds. */
const lookMs = 100

/**
 * Discards bytes that still arrive on a connection after its last answer: none of them may run as a request, as no client would get its answer.
 */
export function ignoreRest(socket: Socket): void {
  const parsing = socket.listeners('data') as (() => void)[]
  // Node gives the bytes to its parser past these listeners, until somebody else listens.
  socket.on('data', () => undefined)
  for (const listener of parsing) socket.off('data', listener)
  socket.resume()
}

/**
 * Closes a connection only after what the client still sends was read: a reset, which the system sends for unread bytes, makes the client
 * lose the answer. Node calls `destroySoon` after the last answer of a connection, also where the request is not at its end.
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
