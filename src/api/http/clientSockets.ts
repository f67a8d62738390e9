import type { ServerResponse } from 'node:http'
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

/** How often the unread bytes are counted, in milliseconds. */
export const countMs = 500

/** Answers that wait behind an earlier one of their connection: a client may send requests before it reads. */
export type WaitingAnswers = WeakMap<Socket, Set<ServerResponse>>

/** Adds an answer, until it is sent. */
export function addWaiting(waiting: WaitingAnswers, socket: Socket, answer: ServerResponse): void {
  const answers = waiting.get(socket) ?? new Set()
  waiting.set(socket, answers.add(answer))
  answer.once('close', () => answers.delete(answer))
}

/** Unread bytes of a connection. Nothing is unread while its next answer is made. */
function unreadOf(socket: Socket, waiting: WaitingAnswers): number {
  let bytes = socket.writableLength
  if (bytes > 0) for (const answer of waiting.get(socket) ?? []) if (!answer.socket) bytes += answer.writableLength
  return bytes
}

/**
 * Returns a function that must be called every `countMs`. It ends connections whose clients read nothing for `unreadMs`; above `unreadBytes`, first
 * those that have read nothing for the longest time. Time is the number of counts, so a pause of this process does not end connections.
 */
export function limitUnread(
  { connections, waiting }: { connections: ReadonlySet<Socket>; waiting: WaitingAnswers },
  { unreadMs, unreadBytes }: UnreadLimits,
): () => void {
  const unread = new Map<Socket, { sent: number; since: number }>()
  let counts = 0
  return () => {
    counts++
    let total = 0
    for (const socket of connections) {
      const bytes = unreadOf(socket, waiting)
      total += bytes
      const sent = sentOf(socket)
      if (bytes === 0) unread.delete(socket)
      else if (unread.get(socket)?.sent !== sent) unread.set(socket, { sent, since: counts })
    }
    for (const socket of unread.keys()) if (!connections.has(socket)) unread.delete(socket)
    for (const [socket, { since }] of [...unread].toSorted(([, a], [, b]) => a.since - b.since)) {
      if ((counts - since) * countMs <= unreadMs && total <= unreadBytes) return
      total -= unreadOf(socket, waiting)
      socket.destroy()
    }
  }
}

/**
 * Changes when the system takes bytes to send. Node's public counts do not change before a whole body is sent, so the queue of the handle counts too.
 */
function sentOf(socket: Socket & { _handle?: { writeQueueSize: number } | null }): number {
  return socket.bytesWritten - socket.writableLength - (socket._handle?.writeQueueSize ?? 0)
}
