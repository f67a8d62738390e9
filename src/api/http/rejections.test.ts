import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../test/api.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import type { ApiServer } from './server.ts'

const metrics = createMetrics()
let api: TestApi
let server: ApiServer
beforeAll(async () => {
  api = await createTestApi({ metrics })
  server = await api.api.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await server.close()
  await api.drop()
})

type Answer = { status: number; headers: Map<string, string>; body: string }

/** Returns the response to these bytes on a connection that the server closes. */
async function exchange(request: string): Promise<Answer> {
  const { port, hostname } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.setEncoding('latin1').on('data', (part) => {
    text += part
  })
  socket.on('error', () => undefined)
  socket.write(request)
  await once(socket, 'close')
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = new Map(lines.map((line) => [line.split(':')[0]!.toLowerCase(), line.slice(line.indexOf(':') + 2)]))
  return { status: Number(first.split(' ')[1]), headers, body: rest.join('\r\n\r\n') }
}

const close = 'Connection: close\r\n\r\n'

test('behavior: answers load balancer checks over HTTP/1.0 without a Host header', async () => {
  for (const line of ['GET /health HTTP/1.0', 'HEAD /health HTTP/1.0', 'GET /ready HTTP/1.0']) {
    const answer = await exchange(`${line}\r\n\r\n`)
    expect([line, answer.status]).toEqual([line, 200])
    expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]+$/)
  }
})

test('behavior: OPTIONS * returns the supported methods', async () => {
  const answer = await exchange(`OPTIONS * HTTP/1.1\r\nHost: x\r\nx-request-id: mine\r\n${close}`)
  expect([answer.status, answer.body]).toEqual([204, ''])
  expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, PUT, DELETE, OPTIONS')
  expect(answer.headers.get('x-request-id')).toBe('mine')
})

const rejections: [what: string, request: string, status: number][] = [
  ['HTTP/1.1 without Host', `GET /health HTTP/1.1\r\n${close}`, 400],
  ['no HTTP', 'nonsense\r\n\r\n', 400],
  ['two lengths', `POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n${close}`, 400],
  ['another method of HTTP', `PROPFIND /health HTTP/1.1\r\nHost: x\r\n${close}`, 405],
  ['a method that HTTP does not have', `BREW /health HTTP/1.1\r\nHost: x\r\n${close}`, 405],
  ['TRACE', `TRACE /health HTTP/1.1\r\nHost: x\r\n${close}`, 405],
  ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', 405],
  ['GET *', `GET * HTTP/1.1\r\nHost: x\r\n${close}`, 400],
  ['a target of 20 kB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n${close}`, 414],
  ['a target of 70 kB', `GET /${'x'.repeat(70_000)} HTTP/1.1\r\nHost: x\r\n${close}`, 414],
  ['headers of 70 kB', `GET /health HTTP/1.1\r\nHost: x\r\nx-long: ${'x'.repeat(70_000)}\r\n${close}`, 431],
  ['headers without end', `GET /health HTTP/1.1\r\nHost: x\r\nx-long: ${'x'.repeat(400_000)}\r\n${close}`, 431],
  ['an expectation', `GET /health HTTP/1.1\r\nHost: x\r\nExpect: a wonder\r\n${close}`, 417],
  ['a body of 2 MB', `POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n${close}`, 413],
]

/** Number of answers with a status so far, on any route. */
async function answersOf(status: number): Promise<number> {
  const { values } = await metrics.registry.getSingleMetric('mintmark_http_requests_total')!.get()
  return values.filter(({ labels }) => labels.status === String(status)).reduce((sum, { value }) => sum + value, 0)
}

test.each(rejections)(
  'error: %s gets a JSON error with a request id, and is counted once',
  async (_, request, status) => {
    const before = await answersOf(status)
    const answer = await exchange(request)
    expect(await answersOf(status)).toBe(before + 1)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]+$/)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(JSON.parse(answer.body)).toMatchObject({ message: expect.any(String), statusCode: status })
    if (status === 405) expect(answer.headers.get('allow')).toContain('GET')
  },
)

test('error: a compressed body is rejected with the name of its header', async () => {
  const send = (coding: string) =>
    exchange(
      `PUT /streams/evm HTTP/1.1\r\nHost: x\r\nx-api-key: ${adminKey}\r\nContent-Encoding: ${coding}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    )
  const answer = await send('gzip')
  expect([answer.status, JSON.parse(answer.body)]).toEqual([
    400,
    expect.objectContaining({
      message: 'Content-Encoding is "gzip"; allowed: a body without compression',
      details: { parameter: 'Content-Encoding' },
    }),
  ])
  expect(JSON.parse((await send('Identity')).body).message).not.toContain('Content-Encoding')
})

test('behavior: ignores an upgrade to an unknown protocol and answers the request', async () => {
  const answer = await exchange(
    `GET /health HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade, close\r\n\r\n`,
  )
  expect([answer.status, JSON.parse(answer.body).status]).toEqual([200, 'ok'])
})
