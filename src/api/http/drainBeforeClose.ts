import type { Socket } from 'node:net'

/** How long a client that was answered may go on sending, in milliseconds. */
export const drainMs = 5_000

/** How much it may send. */
const drainBytes = 67_108_864

/** How often a connection that is drained is looked at, in milliseconds. */
const lookMs = 100

/**
 * Closes a connection only after what the client still sends was read: a reset, which the system sends for unread bytes, makes the client
 * lose the answer. Node calls `destroySoon` after the last answer of a connection, also where the request is not at its end.
 */
export function drainBeforeClose(socket: Socket): void {
  socket.destroySoon = () => {
    if (socket.destroyed) return
    socket.end()
    socket.resume()
    const startedAt = performance.now()
    const readBefore = socket.bytesRead
    const timer = setInterval(() => {
      if (performance.now() - startedAt > drainMs || socket.bytesRead - readBefore > drainBytes) socket.destroy()
    }, lookMs).unref()
    socket.once('close', () => clearInterval(timer))
  }
}
