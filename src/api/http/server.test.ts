import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../test/api.ts'
import { lastingHeaders } from '../../../test/lastingHeaders.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import { createKey } from '../../db/keys.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import { type ApiServer, startServer } from './server.ts'

const address = `0x${'5a'.repeat(20)}` as const
const target = `/api/v2/nft/${address}?limit=50`
const metrics = createMetrics()

let api: TestApi
let server: ApiServer
beforeAll(async () => {
  api = await createTestApi({ metrics, config: { pageCache: { freshMs: 60_000 } } })
  await seedCollection(api.db, { address, tokens: Array.from({ length: 80 }, (_, i) => BigInt(i)) })
  server = await api.api.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await server.close()
  await api.drop()
})

/** Returns the response to these bytes on one connection. The server closes the connection. */
async function exchange(...parts: string[]): Promise<string> {
  const { port, hostname } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.setEncoding('latin1').on('data', (text) => {
    answer += text
  })
  for (const part of parts) socket.write(part)
  await once(socket, 'close')
  return answer
}

const head = (line: string, more = `X-API-Key: ${adminKey}\r\n`) =>
  `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n`

async function hits(): Promise<number> {
  return (await metrics.pageCacheHits.get()).values[0]?.value ?? 0
}

type Plain = { status: number; headers: Record<string, string>; body: Buffer }

async function plain(line: string, headers: Record<string, string>): Promise<Plain> {
  const more = Object.entries({ 'x-api-key': adminKey, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const answer = Buffer.from(await exchange(head(line, more.join(''))), 'latin1')
  const end = answer.indexOf('\r\n\r\n')
  const [first = '', ...lines] = answer.subarray(0, end).toString('latin1').split('\r\n')
  const fields = new Map<string, string>()
  for (const field of lines) {
    const [name, value] = [field.slice(0, field.indexOf(':')).toLowerCase(), field.slice(field.indexOf(':') + 2)]
    const before = fields.get(name)
    fields.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return { status: Number(first.split(' ')[1]), headers: lastingHeaders(fields), body: answer.subarray(end + 4) }
}

test('behavior: the fast path and the full path give the same responses', async () => {
  const { key } = await createKey(api.db, { name: 'limited', access: 'read' })
  const etag = (await plain(`GET ${target}`, {})).headers.etag!
  const variants: [string, Record<string, string>][] = [
    ['GET', {}],
    ['HEAD', {}],
    ['GET', { 'accept-encoding': 'gzip' }],
    ['GET', { 'accept-encoding': 'gzip, deflate, br' }],
    ['HEAD', { 'accept-encoding': 'br' }],
    ['GET', { accept: 'application/json, text/plain, */*' }],
    ['GET', { 'if-none-match': etag }],
    ['GET', { 'if-none-match': `"a", ${etag.slice(2)}`, 'accept-encoding': 'gzip' }],
    ['HEAD', { 'if-none-match': '*' }],
    ['GET', { 'if-none-match': '"another"' }],
    ['GET', { origin: 'https://app.example' }],
    ['GET', { 'x-api-key': key, authorization: 'Bearer other' }],
    ['GET', { accept: 'text/html' }],
    ['GET', { 'x-api-key': 'wrong' }],
    ['POST', {}],
  ]
  let whole = 0
  const statuses = new Set<number>()
  for (const [method, headers] of variants) {
    // The same page at a target unknown to the fast path takes the full path.
    const slow = await plain(`${method} ${target}&way=${++whole}`, headers)
    const first = await plain(`${method} ${target}`, headers)
    const repeated = await plain(`${method} ${target}`, headers)
    const label = `${method} ${JSON.stringify(headers)}`
    expect(first, label).toEqual(slow)
    expect(repeated, label).toEqual(slow)
    statuses.add(slow.status)
  }
  expect([...statuses].sort()).toEqual([200, 304, 401, 405, 406])
})

test('behavior: a repeated page comes from the page cache, and the metrics count the hits', async () => {
  const before = await hits()
  for (let i = 0; i < 5; i++) expect((await plain(`GET ${target}`, {})).status).toBe(200)
  expect(await hits()).toBe(before + 5)
})

test('behavior: compressed bodies equal the plain body, and small bodies are not compressed', async () => {
  const identity = await plain(`GET ${target}`, {})
  const gzip = await plain(`GET ${target}`, { 'accept-encoding': 'gzip' })
  const br = await plain(`GET ${target}`, { 'accept-encoding': 'br, gzip' })
  expect([gzip.headers['content-encoding'], br.headers['content-encoding']]).toEqual(['gzip', 'br'])
  expect(gunzipSync(gzip.body).equals(identity.body)).toBe(true)
  expect(brotliDecompressSync(br.body).equals(identity.body)).toBe(true)
  expect(gzip.body.length).toBeLessThan(identity.body.length / 2)
  expect(identity.headers.vary).toBe('Accept-Encoding')
  const small = await plain('GET /health', { 'accept-encoding': 'br' })
  expect(small.headers['content-encoding']).toBeUndefined()
  const document = await plain('GET /openapi.json', { 'accept-encoding': 'br' })
  expect(JSON.parse(brotliDecompressSync(document.body).toString()).openapi).toBe('3.1.0')
})

test('behavior: the rate limit of a key applies on the fast path too', async () => {
  const { key } = await createKey(api.db, { name: 'slow', access: 'read', requestsPerSecond: 0.01, burst: 4 })
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) statuses.push((await plain(`GET ${target}`, { 'x-api-key': key })).status)
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
})

test('behavior: accepts request targets in absolute form, as proxies send them', async () => {
  for (const line of [`GET http://anything.example${target}`, 'GET HTTP://x/health', 'GET http://x'])
    expect(await exchange(head(line))).toMatch(/^HTTP\/1\.1 200 /)
})

test('error: malformed HTTP requests get a JSON error too', async () => {
  const faults: [string, RegExp][] = [
    ['nonsense\r\n\r\n', /^HTTP\/1\.1 400 /],
    [head('GET /health', `x-long: ${'x'.repeat(70_000)}\r\n`), /^HTTP\/1\.1 431 /],
    [head('GET /health').replace('Host: x', 'Host: a b'), /^HTTP\/1\.1 400 /],
    [head('GET not-a-path'), /^HTTP\/1\.1 400 /],
    [head(`GET /${'x'.repeat(20_000)}`), /^HTTP\/1\.1 414 /],
    [head('POST /health', 'Content-Length: 2000000\r\n'), /^HTTP\/1\.1 413 /],
    [head('GET /%zz%'), /^HTTP\/1\.1 404 /],
    [head('GET /api/v2/nft/%00'), /^HTTP\/1\.1 400 /],
  ]
  for (const [request, status] of faults) {
    const answer = await exchange(request)
    expect(answer, request.slice(0, 60)).toMatch(status)
    expect(answer).toMatch(/x-request-id: [\w-]+\r\n/i)
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
    expect(body).toEqual({
      message: expect.any(String),
      statusCode: Number(answer.split(' ')[1]),
      ...(body.details ? { details: body.details } : {}),
    })
  }
})

test('behavior: a starting server answers 503 with Retry-After immediately, and serves once it has started', async () => {
  const { requests, registry } = createMetrics()
  const listening = { host: '127.0.0.1', port: 0, version: '1.2.3', closeTimeoutMs: 1_000 }
  const starting = await startServer({ ...listening, count: requests.count })
  const query = async (path: string, method = 'GET') => {
    const response = await fetch(`${starting.url}${path}`, { method, headers: { 'x-request-id': 'mine' } })
    expect(response.headers.get('x-request-id')).toBe('mine')
    const text = await response.text()
    return { status: response.status, after: response.headers.get('retry-after'), body: text && JSON.parse(text) }
  }
  const message = 'the server is starting; retry'
  for (const method of ['GET', 'PUT', 'DELETE'])
    expect(await query(target, method)).toEqual({ status: 503, after: '2', body: { message, statusCode: 503 } })
  expect(await query(target, 'HEAD')).toEqual({ status: 503, after: '2', body: '' })
  expect(await query('/ready')).toMatchObject({ status: 503, after: '2', body: { details: { waitingFor: ['start'] } } })
  expect(await query('/health?x=1')).toEqual({ status: 200, after: null, body: { status: 'ok', version: '1.2.3' } })
  const counted = await registry.metrics()
  for (const labels of ['method="HEAD",route="unknown",status="503"', 'method="GET",route="/ready",status="503"'])
    expect(counted).toContain(`mintmark_http_requests_total{${labels}} 1`)
  starting.serve(api.api.served)
  expect(await query(target)).toMatchObject({ status: 401 })
  expect(await query('/ready')).toMatchObject({ status: 200 })
  await starting.close()
})

test('error: listening on a port in use fails with LISTEN', async () => {
  const port = Number(new URL(server.url).port)
  await expect(api.api.listen({ host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'LISTEN' })
})

test('behavior: closing finishes the request in progress, then ends the connection', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let requested = () => {}
  const reached = new Promise<void>((resolve) => {
    requested = resolve
  })
  const own = await createTestApi({
    ready: async () => {
      requested()
      await held
      return []
    },
  })
  const listening = await own.api.listen({ host: '127.0.0.1', port: 0 })
  const answer = fetch(`${listening.url}/ready`)
  await reached
  const closed = listening.close()
  await expect(fetch(`${listening.url}/health`)).rejects.toThrow()
  release()
  expect((await answer).status).toBe(200)
  await closed
  await own.drop()
})

test('behavior: closing aborts requests and idle connections after the shutdown timeout', async () => {
  const own = await createTestApi({ config: { shutdownTimeoutMs: 100 }, ready: () => new Promise(() => {}) })
  const listening = await own.api.listen({ host: '127.0.0.1', port: 0 })
  const answer = fetch(`${listening.url}/ready`)
  const cut = expect(answer).rejects.toThrow()
  const { port, hostname } = new URL(listening.url)
  const idle = connect(Number(port), hostname)
  await once(idle, 'connect')
  const ended = new Promise((resolve) => idle.once('error', resolve).once('close', resolve))
  await listening.close()
  await Promise.all([cut, ended])
  await own.drop()
})

test('behavior: closing does not wait for a connection that never sent a request', async () => {
  const own = await createTestApi({ config: { shutdownTimeoutMs: 9_000 } })
  const listening = await own.api.listen({ host: '127.0.0.1', port: 0 })
  const { port, hostname } = new URL(listening.url)
  const silent = connect(Number(port), hostname)
  await once(silent, 'connect')
  // Answered on another connection, so the server has accepted this one.
  await (await fetch(`${listening.url}/health`)).text()
  const ended = new Promise((resolve) => silent.once('error', resolve).once('close', resolve))
  const closing = listening.close()
  expect(await Promise.race([closing.then(() => 'closed'), wait(5_000, 'waits')])).toBe('closed')
  await Promise.all([closing, ended])
  await own.drop()
})
