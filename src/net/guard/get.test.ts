import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certificates } from '../../../test/certificates.ts'
import { guardedClient, names, rejection } from '../../../test/guardedClient.ts'
import { patienceMs } from '../../../test/patience.ts'
import { createRawServer, httpAnswer } from '../../../test/rawServer.ts'
import { system } from '../../../test/system.ts'

const rejected: [string, string][] = [
  ['', 'syntax'],
  ['hello', 'syntax'],
  ['//example.com/x', 'syntax'],
  ['http://', 'syntax'],
  ['http://exa mple.com/', 'syntax'],
  ['http://[fe80::1%25eth0]/', 'syntax'],
  ['http://[::1/', 'syntax'],
  ['http://1.2.3.4.5/', 'syntax'],
  ['http://256.1.1.1/', 'syntax'],
  ['http://0x100000000/', 'syntax'],
  ['http://example.com:99999/', 'syntax'],
  ['http://%00/', 'syntax'],
  ['http://a%2fb/', 'syntax'],
  ['ftp://example.com/', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['gopher://127.0.0.1:6379/_FLUSHALL', 'scheme'],
  ['data:text/plain,hello', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['ws://example.com/', 'scheme'],
  ['unix:/var/run/docker.sock', 'scheme'],
  ['blob:https://example.com/1', 'scheme'],
  ['http://user@example.com/', 'credentials'],
  ['http://user:secret@example.com/', 'credentials'],
  ['http://:secret@example.com/', 'credentials'],
  ['http://example.com%40127.0.0.1@10.0.0.1/', 'credentials'],
  ['http://example.com:22/', 'port'],
  ['http://example.com:25/', 'port'],
  ['http://example.com:0/', 'port'],
  ['http://example.com:6379/', 'port'],
  ['http://example.com:5432/', 'port'],
  ['http://example.com:11211/', 'port'],
  ['http://example.com:6667/', 'port'],
  ['https://example.com:80022/', 'syntax'],
  [`http://example.com/${'x'.repeat(9_000)}`, 'too_long'],
  [`http://example.com/${'ü'.repeat(2_000)}`, 'too_long'],
  [`http://${'a'.repeat(60)}.${'b.'.repeat(120)}test/`, 'host'],
]

test.each(rejected)('error: rejects %s (%s)', async (url, fault) => {
  await using client = guardedClient({}, () => Promise.reject(new Error('an address was looked up')))
  const expected = { code: 'BAD_URL', fault, retryable: false }
  expect(await rejection(client.get(url))).toMatchObject(expected)
  expect(await rejection(client.post(url, '{}', {}))).toMatchObject(expected)
})

test('default: sends the usual headers and returns the response', async () => {
  const headers = { 'content-type': 'application/json' }
  await using server = await createRawServer((_, socket) => socket.write(httpAnswer(200, '{"a":1}', headers)))
  await using client = guardedClient({ userAgent: 'a reader' })
  expect(await client.get(`${server.url}/a/../b?x=%20y#z`, { accept: 'application/json' })).toMatchObject({
    url: `${server.url}/b?x=%20y#z`,
    status: 200,
    body: Buffer.from('{"a":1}'),
    contentType: 'application/json',
  })
  const [request = ''] = server.requests
  expect(request).toMatch(/^GET \/b\?x=%20y HTTP\/1.1\r\n/)
  expect(request).toMatch(/\r\nuser-agent: a reader\r\n/)
  expect(request).toMatch(/\r\naccept: application\/json\r\n/)
  expect(request).toMatch(/\r\naccept-encoding: gzip, deflate, br, zstd\r\n/)
  expect(request).not.toMatch(/cookie|authorization|referer/i)
})

const text = 'hello, world. '.repeat(100)
test.each([
  ['gzip', gzipSync(text)],
  ['x-gzip', gzipSync(text)],
  ['GZIP', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  ['br', brotliCompressSync(text)],
  ['zstd', zstdCompressSync(text)],
  ['identity', Buffer.from(text)],
  ['', Buffer.from(text)],
])('behavior: decodes the content encoding %s', async (encoding, body) => {
  await using server = await createRawServer((_, socket) =>
    socket.write(httpAnswer(200, body, { 'content-encoding': encoding })),
  )
  await using client = guardedClient()
  expect((await client.get(server.url)).body.toString()).toBe(text)
})

test('behavior: an empty body with a content encoding decodes to an empty body', async () => {
  await using server = await createRawServer((_, socket) =>
    socket.write(httpAnswer(200, '', { 'content-encoding': 'gzip' })),
  )
  await using client = guardedClient()
  expect((await client.get(server.url)).body).toHaveLength(0)
})

test('behavior: follows redirects of every form over one connection', async () => {
  const next: Record<string, string> = { '/1': '2', '/2': '/3?x', '/3?x': './a/../4', '/4': '?y', '/4?y': '/end' }
  await using server = await createRawServer((_, socket, path) =>
    socket.write(path === '/end' ? httpAnswer(200, 'end') : httpAnswer(302, 'moved', { location: next[path]! })),
  )
  await using client = guardedClient({ perHostConcurrency: 1 })
  expect(await client.get(`${server.url}/1`)).toMatchObject({ url: `${server.url}/end`, body: Buffer.from('end') })
  expect(server.opened()).toBe(1)
})

test('behavior: an authorization header is sent only to the requested origin', async () => {
  const seen: string[] = []
  const note = (name: string, request: string) => seen.push(`${name} ${/authorization: (.*)\r/i.exec(request)?.[1]}`)
  await using other = await createRawServer((request, socket) => {
    note('other', request)
    socket.write(httpAnswer(200, 'x'))
  })
  await using server = await createRawServer((request, socket, path) => {
    note('own', request)
    socket.write(httpAnswer(302, '', { location: path === '/' ? '/next' : other.url }))
  })
  await using client = guardedClient()
  await client.get(server.url, { authorization: 'Basic eA==' })
  expect(seen).toEqual(['own Basic eA==', 'own Basic eA==', 'other undefined'])
})

test.each([0, 1, 5])('error: gives up after %d redirects', async (maxRedirects) => {
  await using server = await createRawServer((_, socket, path) => socket.write(httpAnswer(302, '', { location: path })))
  await using client = guardedClient({ maxRedirects })
  expect(await rejection(client.get(`${server.url}/loop`))).toMatchObject({
    code: 'TOO_MANY_REDIRECTS',
    retryable: false,
  })
  expect(server.requests).toHaveLength(maxRedirects + 1)
})

test.each([
  ['file:///etc/passwd', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['data:text/html,hello', 'scheme'],
  ['http://user:secret@127.0.0.1/', 'credentials'],
  ['http://127.0.0.1:22/', 'port'],
  ['http://[::1', 'syntax'],
  ['http://metadata.google.internal/', 'host'],
])('error: does not follow a redirect to %s', async (location, fault) => {
  await using server = await createRawServer((_, socket) => socket.write(httpAnswer(301, '', { location })))
  await using client = guardedClient()
  const cause = { code: 'BAD_URL', fault }
  expect(await rejection(client.get(server.url))).toMatchObject({ code: 'REDIRECT_REFUSED', retryable: true, cause })
})

test('behavior: follows a redirect immediately, even if its body drips or never ends', system, async () => {
  await using server = await createRawServer((_, socket, path) => {
    if (path === '/end') return socket.write(httpAnswer(200, 'end'))
    socket.write('HTTP/1.1 302 X\r\nlocation: /end\r\ncontent-length: 1000\r\n\r\nx')
  })
  // The body of the redirect never ends. The client must neither wait for it nor keep the connection.
  await using client = guardedClient({ timeoutMs: 2 * patienceMs, idleTimeoutMs: 2 * patienceMs })
  expect((await client.get(`${server.url}/`)).body.toString()).toBe('end')
  await expect.poll(() => server.open()).toBe(1)
})

test.each([201, 202, 206, 300, 305, 400, 401, 403, 404, 410, 451, 501])(
  'error: status %s is not retryable',
  async (status) => {
    await using server = await createRawServer((_, socket) => socket.write(httpAnswer(status, 'no')))
    await using client = guardedClient()
    expect(await rejection(client.get(server.url))).toMatchObject({ code: 'HTTP_STATUS', status, retryable: false })
  },
)

test.each([408, 425, 429, 500, 502, 503, 504, 520])('error: status %s is retryable', async (status) => {
  await using server = await createRawServer((_, socket) => socket.write(httpAnswer(status, 'no')))
  await using client = guardedClient()
  expect(await rejection(client.get(server.url))).toMatchObject({ code: 'HTTP_STATUS', status, retryable: true })
})

test('error: a redirect without a location fails with its status', async () => {
  await using server = await createRawServer((_, socket) => socket.write(httpAnswer(302)))
  await using client = guardedClient()
  expect(await rejection(client.get(server.url))).toMatchObject({ code: 'HTTP_STATUS', status: 302 })
})

test('error: an aborted request fails with the reason of its signal, before connecting, while connecting and in the body', async () => {
  await using server = await createRawServer((_, s) => s.write('HTTP/1.1 200 X\r\ncontent-length: 9\r\n\r\nhalf'))
  await using client = guardedClient({}, () => new Promise(() => {}))
  const reason = new Error('no longer needed')
  expect(await rejection(client.get(server.url, { signal: AbortSignal.abort(reason) }))).toBe(reason)
  expect(server.opened()).toBe(0)
  for (const url of ['http://silent.test/', server.url]) {
    const stop = new AbortController()
    const failed = rejection(client.get(url, { signal: stop.signal }))
    if (url === server.url) await expect.poll(() => server.requests.length).toBe(1)
    stop.abort(reason)
    expect(await failed).toBe(reason)
  }
  await expect.poll(() => server.requested()).toBe(0)
})

const trusted = getCACertificates()
beforeAll(() => setDefaultCACertificates([...trusted, certificates.good, certificates.expired]))
afterAll(() => setDefaultCACertificates(trusted))

const tls = (cert: string) => ({ key: certificates.key, cert })
const zone = names({ 'good.test': ['127.0.0.1'], 'bad.test': ['127.0.0.1'] })

test('default: accepts https with a valid certificate', async () => {
  await using server = await createRawServer((_, socket) => socket.write(httpAnswer(200, 'hello')), {
    tls: tls(certificates.good),
  })
  await using client = guardedClient({}, zone)
  expect((await client.get(`https://good.test:${server.port}/`)).body.toString()).toBe('hello')
  expect((await client.get(server.url)).status).toBe(200)
})

test('error: rejects certificates of another name, expired ones, and those of an unknown authority', async () => {
  const answer = () => createRawServer((_, s) => s.write(httpAnswer(200, 'hello')), { tls: tls(certificates.good) })
  await using server = await answer()
  await using old = await createRawServer(() => {}, { tls: tls(certificates.expired) })
  await using client = guardedClient({}, zone)
  const expected = { code: 'HOST_UNAVAILABLE', kind: 'tls' }
  expect(await rejection(client.get(`https://bad.test:${server.port}/`))).toMatchObject(expected)
  expect(await rejection(client.get(`https://good.test:${old.port}/`))).toMatchObject(expected)
  setDefaultCACertificates(trusted)
  await using stranger = await answer()
  await using other = guardedClient({}, zone)
  expect(await rejection(other.get(`https://good.test:${stranger.port}/`))).toMatchObject(expected)
  setDefaultCACertificates([...trusted, certificates.good])
  expect(server.requests).toHaveLength(0)
})

test('error: https to an http server fails, and so does http to an https server', async () => {
  await using plain = await createRawServer((_, socket) => socket.write(httpAnswer(200, 'hello')))
  await using secret = await createRawServer(() => {}, { tls: tls(certificates.good) })
  await using garbage = await createRawServer(() => {})
  await using client = guardedClient({ connectTimeoutMs: 300 })
  // A ClientHello is not a request to an HTTP server: it waits for more, and the handshake waits for it.
  const error = await rejection(client.get(`https://127.0.0.1:${garbage.port}/`))
  expect(error).toMatchObject({ code: 'TIMEOUT', phase: 'connect' })
  expect(['BAD_ANSWER', 'HOST_UNAVAILABLE']).toContain(
    (await rejection(client.get(`http://127.0.0.1:${secret.port}/`))).code,
  )
  expect((await client.get(plain.url)).status).toBe(200)
})

test('error: does not follow a redirect from https to http', async () => {
  await using plain = await createRawServer((_, socket) => socket.write(httpAnswer(200, 'hello')))
  await using server = await createRawServer((_, s) => s.write(httpAnswer(302, '', { location: plain.url })), {
    tls: tls(certificates.good),
  })
  await using client = guardedClient({}, zone)
  expect(await rejection(client.get(`https://good.test:${server.port}/`))).toMatchObject({
    code: 'REDIRECT_REFUSED',
    cause: { fault: 'downgrade' },
  })
  expect(plain.opened()).toBe(0)
})
