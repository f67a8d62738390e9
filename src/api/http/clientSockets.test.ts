import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createMetrics } from '../../metrics/metrics.ts'
import { countMs, limitUnread, type UnreadLimits } from './clientSockets.ts'
import { startServer } from './server.ts'

const largeBytes = 16_777_216
const mostMs = 60_000

/** A server that counts unread bytes when the test calls `count`. */
async function start(limits: Partial<UnreadLimits>, listener: RequestListener) {
  const connections = new Set<Socket>()
  const server = createServer(listener).on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const count = limitUnread(
    { connections, waiting: new WeakMap() },
    { unreadMs: mostMs, unreadBytes: Number.POSITIVE_INFINITY, ...limits },
  )
  return {
    open: () => open((server.address() as AddressInfo).port),
    count(ms: number) {
      for (let i = 0; i < ms / countMs; i++) count()
    },
  }
}

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  return socket
}

/** The same with answers of four times `largeBytes`, and the answers in the order of their requests. */
async function startLarge(limits: Partial<UnreadLimits>) {
  const answers: ServerResponse[] = []
  const server = await start(limits, (_, response) => {
    answers.push(response)
    response.end(Buffer.alloc(4 * largeBytes))
  })
  async function request(): Promise<Socket> {
    const socket = server.open()
    const before = answers.length
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => answers.length).toBe(before + 1)
    return socket
  }
  return { answers, request, count: server.count, ended: () => answers.map(({ destroyed }) => destroyed) }
}

/** Reads so many bytes, and then nothing more. */
async function readSome(socket: Socket, bytes: number): Promise<void> {
  for (let rest = bytes; rest > 0; ) {
    const part: Buffer | null = socket.read()
    if (part) rest -= part.length
    else await once(socket, 'readable')
  }
}

async function bytesOf(socket: Socket): Promise<number> {
  let bytes = 0
  socket.on('data', (part) => {
    bytes += part.length
  })
  socket.resume()
  await once(socket, 'close')
  return bytes
}

test('behavior: a client that reads nothing of its answer is disconnected, and one that reads gets all of it', async () => {
  const { requests } = createMetrics()
  const answers: ServerResponse[] = []
  const server = await startServer({
    ...{ host: '127.0.0.1', port: 0, version: '1', closeTimeoutMs: 1_000, count: requests.count },
    limits: { unreadMs: 1_000 },
  })
  onTestFinished(server.close)
  server.serve({
    fetch: () => new Response(),
    shortcut: (_, response) => {
      answers.push(response)
      response.end(Buffer.alloc(largeBytes))
      return true
    },
  })
  async function request(): Promise<Socket> {
    const socket = open(Number(new URL(server.url).port))
    socket.pause()
    const before = answers.length
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    await expect.poll(() => answers.length).toBe(before + 1)
    return socket
  }
  const reading = await request()
  const unread = await request()
  expect(await bytesOf(reading)).toBeGreaterThan(largeBytes)
  await expect.poll(() => answers[1]!.destroyed, { timeout: 5_000 }).toBe(true)
  expect(await bytesOf(unread)).toBeLessThan(largeBytes)
  expect(answers.map(({ writableFinished }) => writableFinished)).toEqual([true, false])
})

test('behavior: a client that reads slowly stays connected, and one that only sends does not', async () => {
  const { answers, request, count, ended } = await startLarge({})
  const slow = await request()
  const sending = await request()
  count(mostMs / 2)
  // A second request that never ends.
  for (const part of ['GET / HTTP/1.1\r\nx: ', 'x']) {
    const { bytesRead } = answers[1]!.socket!
    sending.write(part)
    await expect.poll(() => answers[1]!.socket?.bytesRead).toBeGreaterThan(bytesRead)
  }
  await readSome(slow, largeBytes)
  count(mostMs / 2 + 2 * countMs)
  await expect.poll(ended).toEqual([false, true])
})

test('behavior: a connection stays open while an answer is made, also if later answers wait behind it', async () => {
  const made: ServerResponse[] = []
  const server = await start({}, (request, response) => {
    if (request.url === '/later') made.push(response)
    else response.end()
  })
  const socket = server.open()
  let answer = ''
  socket.setEncoding('latin1').on('data', (part) => {
    answer += part
  })
  socket.write('GET /later HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  const closed = once(socket, 'close')
  await expect.poll(() => made.length).toBe(1)
  server.count(3 * mostMs)
  made[0]!.end()
  await closed
  expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
})

test('behavior: above the limit of unread bytes, the clients that read nothing for longest are disconnected first', async () => {
  const { request, count, ended } = await startLarge({ unreadBytes: 14 * largeBytes })
  const slow = await request()
  await request()
  count(countMs)
  await request()
  count(countMs)
  await readSome(slow, largeBytes)
  count(countMs)
  await request()
  count(countMs)
  await expect.poll(ended).toEqual([false, true, false, false])
})

test('behavior: answers that wait behind an unread one count too', async () => {
  const { requests } = createMetrics()
  const server = await startServer({
    ...{ host: '127.0.0.1', port: 0, version: '1', closeTimeoutMs: 1_000, count: requests.count },
    limits: { unreadBytes: 2 * largeBytes },
  })
  onTestFinished(server.close)
  const sockets: Socket[] = []
  server.serve({
    fetch: () => new Response(),
    shortcut: ({ socket }, response) => {
      sockets.push(socket)
      response.end(Buffer.alloc(largeBytes))
      return true
    },
  })
  const client = open(Number(new URL(server.url).port))
  client.pause()
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(4))
  await expect.poll(() => sockets.length).toBe(4)
  await expect.poll(() => sockets[0]!.destroyed, { timeout: 5_000 }).toBe(true)
})
