import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../test/api.ts'
import { holdClock } from '../../test/holdClock.ts'
import { lastingHeaders } from '../../test/lastingHeaders.ts'
import { resolveReferences } from '../../test/resolveReferences.ts'
import { createDatabase } from '../db/database.ts'
import { createKey, revokeKey } from '../db/keys.ts'
import { noopLog } from '../util/log.ts'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
})
afterAll(() => api.drop())

const contract = `/api/v2/nft/0x${'11'.repeat(20)}`

function send(target: string, init: RequestInit = {}): Promise<Response> {
  return api.api.request(new Request(`http://localhost${target}`, init))
}

async function failureOf(response: Response) {
  const body = (await response.json()) as { message: string; statusCode: number; details?: Record<string, unknown> }
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(response.headers.get('x-request-id')).toMatch(/^[\w-]+$/)
  expect(body.statusCode).toBe(response.status)
  expect(body.message).not.toBe('')
  return { status: response.status, ...body }
}

test('default: accepts the API key by X-API-Key or by Authorization: Bearer', async () => {
  for (const headers of [
    { 'X-API-Key': adminKey },
    { authorization: 'Bearer theKey' },
    { authorization: 'bearer  theKey' },
    { 'x-api-key': '', authorization: 'Bearer theKey' },
  ]) {
    const own = await createTestApi({ config: { apiKey: 'X-API-Key' in headers ? adminKey : 'theKey' } })
    const response = await own.api.request(new Request(`http://localhost${contract}`, { headers }))
    expect(response.status).toBe(200)
    await own.drop()
  }
})

test('behavior: a literal path segment takes precedence over a path parameter', async () => {
  const headers = { 'x-api-key': adminKey }
  expect((await send(`${contract}/sync`, { method: 'PUT', headers })).status).toBe(202)
  expect((await send(`${contract}/1/sync`, { method: 'PUT', headers })).status).toBe(404)
})

test('error: a missing key, a wrong key or an unknown scheme gets 401', async () => {
  for (const headers of [
    {},
    { 'x-api-key': 'wrong' },
    { 'x-api-key': `${adminKey} x` },
    { 'x-api-key': 'x'.repeat(5_000) },
    { authorization: `Basic ${adminKey}` },
    { authorization: 'Bearer' },
  ] as Record<string, string>[]) {
    const response = await send(contract, { headers })
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect((await failureOf(response)).status).toBe(401)
  }
})

test('behavior: a revoked database key stops working within a second', async () => {
  const { id, key } = await createKey(api.db, { name: 'reader', access: 'read' })
  const status = async () => (await send(contract, { headers: { 'x-api-key': key } })).status
  const clock = holdClock()
  expect(await status()).toBe(200)
  await revokeKey(api.db, id)
  clock.advance(1_000)
  expect(await status()).toBe(401)
})

test('behavior: public routes need no key', async () => {
  for (const path of ['/', '/health', '/ready', '/openapi.json', '/docs', '/docs/swagger-ui.css'])
    expect((await send(path)).status, path).toBe(200)
})

test('behavior: /metrics needs a key unless the configuration opens it', async () => {
  expect((await send('/metrics')).status).toBe(401)
  const response = await api.get('/metrics', { accept: 'text/plain;version=0.0.4' })
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('mintmark_http_requests_total{method="GET",route="/metrics",status="401"}')
  const open = await createTestApi({ config: { metricsPublic: true } })
  expect((await open.api.request(new Request('http://localhost/metrics'))).status).toBe(200)
  await open.drop()
})

test('error: an unknown path gets 404', async () => {
  for (const path of ['/nowhere', '/api/v2', '/api/v3/nft/0x1', '/api/v2/nft/', `${contract}/`, '/docs/package.json'])
    expect((await failureOf(await api.get(path))).status, path).toBe(404)
})

test('error: an unsupported method gets 405 with an Allow header', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    const response = await send(contract, { method })
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    expect((await failureOf(response)).status).toBe(405)
  }
})

test('error: an Accept header that excludes JSON gets 406', async () => {
  expect((await failureOf(await api.get(contract, { accept: 'text/html' }))).status).toBe(406)
  expect((await api.get(contract, { accept: 'application/json, text/plain, */*' })).status).toBe(200)
})

test('error: an oversized body gets 413, and an oversized URL 414', async () => {
  const body = 'x'.repeat(1_048_577)
  const long = await send(contract, { method: 'POST', body, headers: { 'content-length': String(body.length) } })
  expect((await failureOf(long)).status).toBe(413)
  expect((await failureOf(await api.get(`${contract}?x=${'y'.repeat(17_000)}`))).status).toBe(414)
})

test('error: exceeding the rate limit of a key gets 429 with Retry-After', async () => {
  const { key } = await createKey(api.db, { name: 'slow', access: 'read', requestsPerSecond: 0.5, burst: 3 })
  const responses: Response[] = []
  holdClock()
  for (let i = 0; i < 4; i++) responses.push(await send(contract, { headers: { 'x-api-key': key } }))
  expect(responses.map((response) => response.status)).toEqual([200, 200, 200, 429])
  expect(responses.map((response) => response.headers.get('x-rate-limit-remaining'))).toEqual(['2', '1', '0', '0'])
  expect(responses[0]!.headers.get('x-rate-limit-limit')).toBe('3')
  expect(Number(responses[3]!.headers.get('x-rate-limit-reset'))).toBeGreaterThan(3)
  expect(responses[3]!.headers.get('retry-after')).toBe('2')
  expect((await failureOf(responses[3]!)).status).toBe(429)
})

test('behavior: the configured API key has no rate limit unless one is set', async () => {
  expect((await api.get(contract)).headers.get('x-rate-limit-limit')).toBeNull()
  const limited = await createTestApi({ config: { apiKeyRateLimit: { requestsPerSecond: 1, burst: 1 } } })
  expect((await limited.get(contract)).headers.get('x-rate-limit-limit')).toBe('1')
  expect((await limited.get(contract)).status).toBe(429)
  await limited.drop()
})

test('behavior: keeps a plain x-request-id of the client, and otherwise generates a unique one', async () => {
  expect((await send('/health', { headers: { 'x-request-id': 'abc-1' } })).headers.get('x-request-id')).toBe('abc-1')
  const made = await Promise.all(
    ['a b', '', 'x'.repeat(200)].map((id) => send('/health', { headers: { 'x-request-id': id } })),
  )
  const ids = made.map((response) => response.headers.get('x-request-id')!)
  expect(new Set(ids).size).toBe(3)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/)
})

test('behavior: HEAD answers as GET does, without a body', async () => {
  for (const target of [contract, '/health', '/nowhere', '/docs']) {
    const headers = { 'x-api-key': adminKey }
    const [get, head] = [await send(target, { headers }), await send(target, { headers, method: 'HEAD' })]
    expect(head.status).toBe(get.status)
    expect(await head.text()).toBe('')
    expect(lastingHeaders(head.headers)).toEqual(lastingHeaders(get.headers))
    expect(Number(head.headers.get('content-length'))).toBe((await get.arrayBuffer()).byteLength)
  }
})

test('behavior: CORS allows any origin by default and exposes the response headers', async () => {
  const response = await api.get(contract, { origin: 'https://app.example' })
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('access-control-expose-headers')).toContain('x-index-status')
  const exposed = new Set(response.headers.get('access-control-expose-headers')!.split(', '))
  type Operations = Record<string, { responses: Record<string, { headers?: Record<string, unknown> }> }>
  const document = (await (await send('/openapi.json')).json()) as { paths: Record<string, Operations> }
  const { paths } = resolveReferences(document)
  const documented = Object.values(paths)
    .flatMap((operations) => Object.values(operations))
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ headers }) => Object.keys(headers ?? {}))
  expect(documented).toContain('x-index-head-age')
  expect([...new Set(documented)].filter((name) => !exposed.has(name))).toEqual([])
  const rejected = await send(contract, { headers: { origin: 'https://app.example' } })
  expect(rejected.headers.get('access-control-allow-origin')).toBe('*')
  const preflight = await send(contract, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-api-key,x-moralis-platform',
    },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-methods')).toContain('GET')
  expect(preflight.headers.get('access-control-allow-headers')).toBe('x-api-key,x-moralis-platform')
  expect(await preflight.text()).toBe('')
})

test('behavior: CORS allows only the configured origins', async () => {
  const own = await createTestApi({ config: { cors: { origins: ['https://app.example'] } } })
  const allowed = await own.get(contract, { origin: 'https://app.example' })
  expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example')
  expect(allowed.headers.get('vary')).toContain('Origin')
  const other = await own.get(contract, { origin: 'https://evil.example' })
  expect(other.headers.get('access-control-allow-origin')).toBeNull()
  expect(other.headers.get('vary')).toContain('Origin')
  await own.drop()
})

test('behavior: the /docs page loads no external resources and has no inline scripts', async () => {
  const response = await send('/docs', { headers: { accept: 'text/html' } })
  const policy = response.headers.get('content-security-policy')!
  expect(policy).toContain("default-src 'none'; script-src 'self';")
  const html = await response.text()
  expect(html).not.toMatch(/https?:|<script>|<style|\son\w+=/)
  const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link!)
  expect(links.length).toBeGreaterThan(3)
  for (const link of links) {
    const file = await send(link)
    expect(file.status, link).toBe(200)
    expect((await file.arrayBuffer()).byteLength, link).toBeGreaterThan(50)
    const again = await send(link, { headers: { 'if-none-match': file.headers.get('etag')! } })
    expect(again.status, link).toBe(304)
  }
})

test('error: /ready returns 503 with the names of the components that are not ready', async () => {
  const own = await createTestApi({ ready: async () => ['database', 'chain eth'] })
  const response = await own.get('/ready')
  expect(response.headers.get('retry-after')).toBe('2')
  expect(await failureOf(response)).toMatchObject({ status: 503, details: { waitingFor: ['database', 'chain eth'] } })
  expect((await own.get('/health')).status).toBe(200)
  await own.drop()
})

test('error: an unreachable database gets 503, while /health stays 200', async () => {
  const connection = { host: join(tmpdir(), 'no-database-is-here'), user: 'nobody', database: 'none' }
  const unreachable = createDatabase({ connection, poolSize: 1, log: noopLog })
  const own = await createTestApi({ db: unreachable })
  for (const headers of [{}, { 'x-api-key': 'one that has to be looked up' }]) {
    const response = await own.get(contract, headers)
    expect(response.headers.get('retry-after')).toBe('2')
    expect((await failureOf(response)).status).toBe(503)
  }
  expect((await own.get('/health')).status).toBe(200)
  await unreachable.close()
  await own.drop()
})

test('error: a 500 response hides the cause, and the log has it under the request id', async () => {
  const logged: Record<string, unknown>[] = []
  const log = {
    debug() {},
    info() {},
    warn() {},
    error: (fields: object) => void logged.push(fields as Record<string, unknown>),
    child: () => log,
  }
  const own = await createTestApi({ log })
  await own.db.run('DROP TABLE collection CASCADE')
  const response = await own.get(contract, { 'x-request-id': 'find-me' })
  const failure = await failureOf(response)
  expect(failure.status).toBe(500)
  expect(JSON.stringify(failure)).not.toContain('collection')
  expect(logged).toMatchObject([{ requestId: 'find-me', status: 500, err: expect.any(Error) }])
  await own.drop()
})
