import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../test/api.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import { type Log, noopLog } from '../../util/log.ts'
import { type ApiServer, startServer } from './server.ts'

const metrics = createMetrics()
const logged: string[] = []
const log: Log = { ...noopLog, warn: (...line) => void logged.push(String(line.at(-1))) }

let api: TestApi
let server: ApiServer
beforeAll(async () => {
  api = await createTestApi({ metrics, log })
  server = await api.api.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await server.close()
  await api.drop()
})

function open(url = server.url): Socket {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  return socket
}

/** Sends until the server ends the connection. Returns the response, and the client's error before it. */
async function sendUntilEnd(head: string, repeated: string): Promise<{ answer: string; error: string | undefined }> {
  const socket = open()
  let answer = ''
  let error: string | undefined
  let isEnded = false
  socket.setEncoding('latin1').on('data', (text) => {
    answer += text
  })
  socket.on('error', (err: NodeJS.ErrnoException) => {
    if (!isEnded) error = err.code
  })
  socket.on('end', () => {
    isEnded = true
  })
  socket.write(head)
  // A client that writes blindly reads only between its writes.
  const send = () => {
    while (!isEnded && !socket.destroyed) if (!socket.write(repeated)) return
  }
  socket.on('drain', send)
  send()
  await new Promise((resolve) => socket.once('close', resolve))
  return { answer, error }
}

const key = `X-API-Key: ${adminKey}\r\n`
const chunk = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`
const multiple = 'POST /api/v2/nft/getMultipleNFTs HTTP/1.1\r\nHost: x\r\n'

const rejections: [what: string, head: string, piece: string, status: number][] = [
  ['413 of a length', `${multiple}${key}Content-Length: 200000000\r\n\r\n`, 'x'.repeat(65_536), 413],
  ['413 of chunks', `${multiple}${key}Transfer-Encoding: chunked\r\n\r\n`, chunk, 413],
  ['401 of a length', `${multiple}Connection: close\r\nContent-Length: 1000000\r\n\r\n`, 'x'.repeat(65_536), 401],
  ['401 of chunks', `${multiple}Transfer-Encoding: chunked\r\n\r\n`, chunk, 401],
  ['404 of chunks', `POST /nothing HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`, chunk, 404],
  ['431 of chunks', `${multiple}x-long: ${'x'.repeat(70_000)}\r\nTransfer-Encoding: chunked\r\n\r\n`, chunk, 431],
]

test.each(rejections)(
  'error: a client that keeps sending its body can read the error response: %s',
  async (_, head, repeated, status) => {
    const { answer, error } = await sendUntilEnd(head, repeated)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toMatchObject({ statusCode: status })
    expect(error).toBeUndefined()
  },
)

/** Counted requests of a route, by status. */
async function counted(route: string): Promise<Record<string, number>> {
  const { values } = await metrics.registry.getSingleMetric('mintmark_http_requests_total')!.get()
  return Object.fromEntries(
    values.filter(({ labels }) => labels.route === route).map(({ labels, value }) => [String(labels.status), value]),
  )
}

test('error: a client that disconnects in the middle of its body counts as 400 and logs no warning', async () => {
  const route = '/streams/evm/{id}/status'
  const path = '/streams/evm/7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f/status'
  for (const framing of ['Content-Length: 100', 'Transfer-Encoding: chunked']) {
    const before = (await counted(route))['400'] ?? 0
    const socket = open()
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${key}Expect: 100-continue\r\n${framing}\r\n\r\n`)
    // The server waits for the body from now on.
    await once(socket, 'data')
    socket.write(framing.startsWith('C') ? '{' : '1\r\n{\r\n')
    socket.resetAndDestroy()
    await expect.poll(async () => (await counted(route))['400']).toBe(before + 1)
  }
  expect(await counted(route)).toEqual({ 400: 2 })
  expect(logged).toEqual([])
})

test('error: rejects two Host headers, equal or different', async () => {
  for (const version of ['1.1', '1.0'])
    for (const second of ['x', 'y']) {
      const socket = open()
      socket.write(`GET /health HTTP/${version}\r\nHost: x\r\nHost: ${second}\r\nConnection: close\r\n\r\n`)
      const [text] = (await once(socket.setEncoding('latin1'), 'data')) as [string]
      expect(text).toMatch(/^HTTP\/1\.1 400 /)
    }
})

/** Sends a text and returns the responses, and the existing keys after the end of the connection. */
async function exchanged(text: string, url = server.url): Promise<{ answers: string[]; keys: unknown[] }> {
  const socket = open(url)
  let answer = ''
  socket.setEncoding('latin1').on('data', (part) => {
    answer += part
  })
  socket.write(text)
  await once(socket, 'close')
  const keys = await api.db.rows('SELECT name FROM api_key')
  return { answers: answer.match(/HTTP\/1\.1 \d+/g) ?? [], keys: keys.flat() }
}

/** A request that creates a key. */
const creating = (name: string) => {
  const body = JSON.stringify({ name, access: 'read' })
  return `POST /admin/keys HTTP/1.1\r\nHost: x\r\n${key}Content-Length: ${body.length}\r\n\r\n${body}`
}

test.each([
  ['that asks to close', 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 200],
  ['of HTTP/1.0', 'GET /health HTTP/1.0\r\n\r\n', 200],
  ['with two Host headers', 'GET /health HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400],
  ['with an unknown Expect', 'GET /health HTTP/1.1\r\nHost: x\r\nExpect: y\r\n\r\n', 417],
  ['with too long a body', `${multiple}${key}Content-Length: 2000000\r\n\r\n${' '.repeat(2_000_000)}`, 413],
])(
  'error: no pipelined request runs after the last response of a connection: a request %s',
  async (_, first, status) => {
    expect(await exchanged(first + creating('behind the last'))).toEqual({ answers: [`HTTP/1.1 ${status}`], keys: [] })
  },
)

test.each(['{}', 'XX', '\u0000', 'GET / HTTP/9.9\r\n\r\n'])(
  'behavior: requests before data that is no request are answered, and the connection ends: %j',
  async (data) => {
    const get = `GET /admin/keys HTTP/1.1\r\nHost: x\r\n${key}\r\n`
    const { answers, keys } = await exchanged(creating('before other data') + get + data)
    expect(answers).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
    expect(keys).toEqual(['before other data'])
    await api.db.run('DELETE FROM api_key')
  },
)

test('behavior: a closing server runs no pipelined request after its last response', async () => {
  const { requests } = createMetrics()
  const own = await startServer({
    ...{ host: '127.0.0.1', port: 0, version: '1', closeTimeoutMs: 10_000, count: requests.count },
  })
  own.serve(api.api.served)
  const socket = open(own.url)
  let answer = ''
  socket.setEncoding('latin1').on('data', (part) => {
    answer += part
  })
  // It is in progress, so the connection is open when the server starts to close.
  socket.write(`POST /admin/keys HTTP/1.1\r\nHost: x\r\n${key}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n`)
  await once(socket, 'data')
  const closed = own.close()
  socket.write(`{}GET /health HTTP/1.1\r\nHost: x\r\n\r\n${creating('behind the last')}`)
  await closed
  await expect.poll(() => socket.destroyed || socket.readableEnded).toBe(true)
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 400', 'HTTP/1.1 200'])
  expect(await api.db.rows('SELECT name FROM api_key')).toEqual([])
})

test('error: a request that was answered 408 does not run when the rest of it arrives', async () => {
  const { requests } = createMetrics()
  const limits = { headMs: 100, requestMs: 200 }
  const own = await startServer({
    ...{ host: '127.0.0.1', port: 0, version: '1', closeTimeoutMs: 1_000, count: requests.count, limits },
  })
  onTestFinished(own.close)
  own.serve(api.api.served)
  const socket = open(own.url)
  const text = creating('too late')
  socket.write(text.slice(0, -1))
  const [answer] = (await once(socket.setEncoding('latin1'), 'data')) as [string]
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  socket.end(text.slice(-1))
  await once(socket, 'close')
  const after = await exchanged(`GET /admin/keys HTTP/1.1\r\nHost: x\r\n${key}Connection: close\r\n\r\n`)
  expect(after).toEqual({ answers: ['HTTP/1.1 200'], keys: [] })
})

test('behavior: incomplete headers, an idle connection and an incomplete body each end with 408 by their own timeout', async () => {
  const { requests } = createMetrics()
  const limits = { headMs: 100, requestMs: 3_000 }
  const own = await startServer({
    ...{ host: '127.0.0.1', port: 0, version: '1', closeTimeoutMs: 1_000, count: requests.count, limits },
  })
  onTestFinished(own.close)
  own.serve(api.api.served)
  const events: string[] = []
  const ended = async (name: string, text: string) => {
    const socket = open(own.url)
    let answer = ''
    socket.setEncoding('latin1').on('data', (part) => {
      answer += part
    })
    socket.write(text)
    await once(socket, 'close')
    events.push(name)
    return answer
  }
  const body = ended('body', `${multiple}${key}Content-Length: 100\r\n\r\n{`)
  const heads = await Promise.all([ended('head', 'GET /health HTTP/1.1\r\nHost'), ended('silent', '')])
  // The server responds while the body may still arrive.
  expect((await fetch(`${own.url}/health`)).status).toBe(200)
  events.push('request')
  expect([...heads, await body].map((answer) => answer.slice(0, 12))).toEqual(Array(3).fill('HTTP/1.1 408'))
  expect(events.slice(0, 2).sort()).toEqual(['head', 'silent'])
  expect(events.slice(2)).toEqual(['request', 'body'])
})
