import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createMetrics } from '../../metrics/metrics.ts'
import { type ConnectionLimits, type Shortcut, startServer } from './server.ts'

/** The URL of a server that answers by `shortcut`. */
async function start(limits: Partial<ConnectionLimits>, shortcut: Shortcut): Promise<URL> {
  const { requests } = createMetrics()
  const own = await startServer({
    ...{ host: '127.0.0.1', port: 0, version: '1', closeTimeoutMs: 1_000, count: requests.count, limits },
  })
  onTestFinished(own.close)
  own.serve({ fetch: () => new Response(), shortcut })
  return new URL(own.url)
}

function open({ port, hostname }: URL): Socket {
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  return socket
}

/** A server whose answers have `bytes` bytes, and the answers in progress, in the order of their requests. */
async function startLarge(bytes: number, limits: Partial<ConnectionLimits>) {
  const answers: ServerResponse[] = []
  const url = await start(limits, (_, response) => {
    answers.push(response)
    response.end(Buffer.alloc(bytes))
    return true
  })
  async function request(): Promise<Socket> {
    const socket = open(url)
    socket.pause()
    const before = answers.length
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    await expect.poll(() => answers.length).toBe(before + 1)
    return socket
  }
  return { answers, request }
}

async function bytesOf(socket: Socket): Promise<number> {
  let bytes = 0
  socket.on('data', (part) => {
    bytes += part.length
  })
  socket.on('error', () => undefined)
  socket.resume()
  await once(socket, 'close')
  return bytes
}

const largeBytes = 16_777_216

test('behavior: a client that reads nothing of its answer is disconnected, and one that reads gets all of it', async () => {
  const { answers, request } = await startLarge(largeBytes, { unreadMs: 1_000 })
  const reading = await request()
  const unread = await request()
  expect(await bytesOf(reading)).toBeGreaterThan(largeBytes)
  await expect.poll(() => answers[1]!.destroyed).toBe(true)
  expect(await bytesOf(unread)).toBeLessThan(largeBytes)
  expect(answers.map(({ writableFinished }) => writableFinished)).toEqual([true, false])
})

test('behavior: a connection stays open while an answer is made, also if later answers wait behind it', async () => {
  const made: ServerResponse[] = []
  const url = await start({ unreadMs: 50 }, (request, response) => {
    if (request.url === '/later') made.push(response)
    else response.end()
    return true
  })
  const socket = open(url)
  let answer = ''
  socket.setEncoding('latin1').on('data', (part) => {
    answer += part
  })
  socket.write('GET /later HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  const closed = once(socket, 'close')
  await expect.poll(() => made.length).toBe(1)
  // A later connection without a request shows that the limit is over.
  await once(open(url), 'close')
  made[0]!.end()
  await closed
  expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
})

test('behavior: above the limit of unread bytes, the clients that read nothing for longest are disconnected first', async () => {
  const { answers, request } = await startLarge(largeBytes, { unreadBytes: 3.5 * largeBytes })
  const sockets: Socket[] = []
  for (let i = 0; i < 5; i++) sockets.push(await request())
  await expect.poll(() => answers.map(({ destroyed }) => destroyed)).toEqual([true, true, false, false, false])
  expect(await bytesOf(sockets[4]!)).toBeGreaterThan(largeBytes)
})
