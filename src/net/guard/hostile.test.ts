import type { Socket } from 'node:net'
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { guardedClient, names, rejection } from '../../../test/guardedClient.ts'
import { patienceMs } from '../../../test/patience.ts'
import { createRawServer, httpAnswer, type RawHandler } from '../../../test/rawServer.ts'

const zeros = Buffer.alloc(64_000_000)

// Compressed before the request, and at the lowest level: brotli's highest takes four hundred times as long.
const brotliZeros = brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
const gzipZeros = gzipSync(zeros, { level: 1 })
const deflateZeros = deflateSync(zeros, { level: 1 })
const bareDeflateZeros = deflateRawSync(zeros, { level: 1 })
const zstdZeros = zstdCompressSync(zeros)

/** Writes a piece every few milliseconds until the peer closes. */
function drip(socket: Socket, part: string | Buffer, everyMs: number, head: string): void {
  socket.write(head)
  const timer = setInterval(() => socket.write(part), everyMs)
  socket.on('close', () => clearInterval(timer))
}

/** Writes chunks as fast as they are read, forever. */
function pour(socket: Socket, part: string | Buffer, head: string): void {
  socket.write(head)
  const more = () => {
    while (!socket.destroyed && socket.write(part));
  }
  socket.on('drain', more)
  more()
}

const encoded = (encoding: string, body: Buffer) => httpAnswer(200, body, { 'content-encoding': encoding })

const tooLarge: [string, RawHandler][] = [
  ['a body above the limit', (_, socket) => socket.write(httpAnswer(200, Buffer.alloc(2_000_001)))],
  [
    'a length above the limit, and nothing else',
    (_, s) => s.write('HTTP/1.1 200 X\r\ncontent-length: 2000001\r\n\r\n'),
  ],
  ['a length beyond numbers', (_, s) => s.write('HTTP/1.1 200 X\r\ncontent-length: 99999999999\r\n\r\n')],
  ['an endless body', (_, socket) => pour(socket, 'x'.repeat(10_000), 'HTTP/1.1 200 X\r\n\r\n')],
  [
    'endless chunks',
    (_, socket) =>
      pour(socket, `2710\r\n${'x'.repeat(10_000)}\r\n`, 'HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n'),
  ],
  [
    'endless chunks of one byte',
    (_, socket) => pour(socket, '1\r\nx\r\n'.repeat(5_000), 'HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n'),
  ],
  [
    'gzip of many members',
    (_, socket) =>
      pour(socket, gzipSync(Buffer.alloc(100_000, 'abc')), 'HTTP/1.1 200 X\r\ncontent-encoding: gzip\r\n\r\n'),
  ],
  [
    'gzip members that hold nothing',
    (_, socket) =>
      pour(socket, Buffer.concat(Array(1_000).fill(gzipSync(''))), 'HTTP/1.1 200 X\r\ncontent-encoding: gzip\r\n\r\n'),
  ],
  ['one huge header', (_, socket) => socket.write(httpAnswer(200, 'x', { 'x-big': 'x'.repeat(20_000) }))],
  [
    'many headers',
    (_, s) =>
      s.write(
        httpAnswer(200, 'x', Object.fromEntries([...Array(1_200).keys()].map((i) => [`x-header-${i}`, 'value']))),
      ),
  ],
  ['endless headers', (_, socket) => pour(socket, 'a: b\r\n'.repeat(100), 'HTTP/1.1 200 X\r\n')],
  ['an endless header', (_, socket) => pour(socket, 'b'.repeat(1_000), 'HTTP/1.1 200 X\r\na: ')],
]

test.each(tooLarge)('error: aborts %s early', async (_, handler) => {
  await using server = await createRawServer(handler)
  await using client = guardedClient()
  expect(await rejection(client.get(server.url))).toMatchObject({ code: 'TOO_LARGE', retryable: false })
  await expect.poll(() => server.requested()).toBe(0)
})

const bombs: [string, RawHandler][] = [
  ['gzip of zeros', (_, socket) => socket.write(encoded('gzip', gzipZeros))],
  ['deflate of zeros', (_, socket) => socket.write(encoded('deflate', deflateZeros))],
  ['bare deflate of zeros', (_, socket) => socket.write(encoded('deflate', bareDeflateZeros))],
  ['brotli of zeros', (_, socket) => socket.write(encoded('br', brotliZeros))],
  ['zstd of zeros', (_, socket) => socket.write(encoded('zstd', zstdZeros))],
]

test.each(bombs)('error: rejects %s as a decompression bomb', async (_, handler) => {
  await using server = await createRawServer(handler)
  await using client = guardedClient()
  expect(await rejection(client.get(server.url))).toMatchObject({ code: 'TOO_LARGE', retryable: false })
})

test('error: a decompression bomb is rejected by its ratio long before it reaches a large size limit', async () => {
  await using server = await createRawServer((_, socket) => socket.write(encoded('br', brotliZeros)))
  await using client = guardedClient({ maxBytes: 100_000_000 })
  expect(await rejection(client.get(server.url))).toMatchObject({ code: 'TOO_LARGE', what: 'ratio' })
})

test('behavior: the size limit of a call overrides the general one', async () => {
  await using server = await createRawServer((_, socket) => socket.write(httpAnswer(200, 'x'.repeat(11))))
  await using client = guardedClient()
  expect(await rejection(client.get(server.url, { maxBytes: 10 }))).toMatchObject({ code: 'TOO_LARGE' })
  expect((await client.get(server.url, { maxBytes: 11 })).body).toHaveLength(11)
})

const slow: [string, string, RawHandler][] = [
  ['an answer that never comes', 'total', () => {}],
  ['a status line that drips', 'total', (_, socket) => drip(socket, 'X', 50, 'HTTP/1.1 200 ')],
  ['headers that drip', 'total', (_, socket) => drip(socket, 'a: b\r\n', 20, 'HTTP/1.1 200 X\r\n')],
  ['interim answers without end', 'total', (_, socket) => drip(socket, 'HTTP/1.1 103 X\r\n\r\n', 20, '')],
  ['a body that stops', 'idle', (_, s) => s.write('HTTP/1.1 200 X\r\ncontent-length: 10\r\n\r\nhalf')],
  ['a body that never starts', 'idle', (_, s) => s.write('HTTP/1.1 200 X\r\ncontent-length: 10\r\n\r\n')],
  [
    'a body that drips',
    'total',
    (_, socket) => drip(socket, 'x', 20, 'HTTP/1.1 200 X\r\ncontent-length: 100000\r\n\r\n'),
  ],
  [
    'chunks that drip',
    'total',
    (_, socket) => drip(socket, '1\r\nx\r\n', 20, 'HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n'),
  ],
  [
    'gzip that drips',
    'total',
    (_, socket) => drip(socket, gzipSync(''), 20, 'HTTP/1.1 200 X\r\ncontent-encoding: gzip\r\n\r\n'),
  ],
]

test.each(slow)('error: times out on %s (%s)', async (_, phase, handler) => {
  await using server = await createRawServer(handler)
  // A slow machine may reach the other limit first.
  const limits =
    phase === 'idle' ? { timeoutMs: patienceMs, idleTimeoutMs: 700 } : { timeoutMs: 1_000, idleTimeoutMs: patienceMs }
  await using client = guardedClient(limits)
  expect(await rejection(client.get(server.url))).toMatchObject({ code: 'TIMEOUT', phase, retryable: true })
  await expect.poll(() => server.requested()).toBe(0)
})

test('error: the time limit covers a whole chain of slow redirects', async () => {
  await using server = await createRawServer((_, socket, path) => {
    setTimeout(() => socket.write(httpAnswer(302, '', { location: `${path}x` })), 150)
  })
  await using client = guardedClient({ timeoutMs: 500, maxRedirects: 100 })
  expect(await rejection(client.get(`${server.url}/`))).toMatchObject({ code: 'TIMEOUT', phase: 'total' })
  expect(server.requests.length).toBeLessThan(5)
})

test('error: a request whose host lookup hangs fails after the connect timeout', async () => {
  await using client = guardedClient({ connectTimeoutMs: 200 }, () => new Promise(() => {}))
  expect(await rejection(client.get('http://silent.test/'))).toMatchObject({ code: 'TIMEOUT', phase: 'connect' })
})

const broken: [string, string, RawHandler][] = [
  ['HTTP/0.9', 'BAD_ANSWER', (_, socket) => socket.end('<html>hello</html>')],
  ['binary garbage', 'BAD_ANSWER', (_, socket) => socket.end(Buffer.from([0, 1, 2, 3, 255, 254, 10, 13, 10]))],
  ['an SSH banner', 'BAD_ANSWER', (_, socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n')],
  ['HTTP/9.9', 'BAD_ANSWER', (_, socket) => socket.write('HTTP/9.9 200 X\r\ncontent-length: 0\r\n\r\n')],
  ['a status of letters', 'BAD_ANSWER', (_, socket) => socket.write('HTTP/1.1 abc X\r\n\r\n')],
  ['a header without a colon', 'BAD_ANSWER', (_, socket) => socket.write('HTTP/1.1 200 X\r\nnonsense\r\n\r\n')],
  ['a header with NUL', 'BAD_ANSWER', (_, socket) => socket.write('HTTP/1.1 200 X\r\na: \0\r\n\r\n')],
  [
    'a length of letters',
    'BAD_ANSWER',
    (_, socket) => socket.write('HTTP/1.1 200 X\r\ncontent-length: ten\r\n\r\n0123456789'),
  ],
  [
    'two lengths',
    'BAD_ANSWER',
    (_, s) => s.write('HTTP/1.1 200 X\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nabc'),
  ],
  [
    'a length and chunks',
    'BAD_ANSWER',
    (_, s) => s.write('HTTP/1.1 200 X\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n'),
  ],
  [
    'chunks of garbage',
    'BAD_ANSWER',
    (_, socket) => socket.write('HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nab\r\n'),
  ],
  [
    'a chunk larger than it says',
    'BAD_ANSWER',
    (_, socket) => socket.write('HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n2\r\nabcdef\r\n0\r\n\r\n'),
  ],
  [
    'chunks that end in the middle',
    'HOST_UNAVAILABLE',
    (_, socket) => socket.end('HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab'),
  ],
  [
    'a body shorter than its length',
    'HOST_UNAVAILABLE',
    (_, s) => s.end('HTTP/1.1 200 X\r\ncontent-length: 9\r\n\r\nab'),
  ],
  ['headers that end in the middle', 'HOST_UNAVAILABLE', (_, socket) => socket.end('HTTP/1.1 200 X\r\ncontent-')],
  ['a connection closed at once', 'HOST_UNAVAILABLE', (_, socket) => socket.end()],
  ['a reset', 'HOST_UNAVAILABLE', (_, socket) => socket.resetAndDestroy()],
  [
    'a reset in the body',
    'HOST_UNAVAILABLE',
    (_, socket) =>
      socket.write('HTTP/1.1 200 X\r\ncontent-length: 9\r\n\r\nab', () =>
        setTimeout(() => socket.resetAndDestroy(), 50),
      ),
  ],
  ['an upgrade', 'BAD_ANSWER|HOST_UNAVAILABLE', (_, s) => s.write('HTTP/1.1 101 X\r\nupgrade: websocket\r\n\r\n')],
  ['text called gzip', 'BAD_ANSWER', (_, socket) => socket.write(encoded('gzip', Buffer.from('hello')))],
  ['text called brotli', 'BAD_ANSWER', (_, socket) => socket.write(encoded('br', Buffer.from('hello, hello, hello')))],
  ['text called zstd', 'BAD_ANSWER', (_, socket) => socket.write(encoded('zstd', Buffer.from('hello')))],
  ['text called deflate', 'BAD_ANSWER', (_, socket) => socket.write(encoded('deflate', Buffer.from('xhello')))],
  [
    'half of a gzip',
    'BAD_ANSWER',
    (_, socket) => socket.write(encoded('gzip', gzipSync('hello'.repeat(1_000)).subarray(0, 40))),
  ],
  ['an encoding nobody knows', 'BAD_ANSWER', (_, socket) => socket.write(encoded('rot13', Buffer.from('uryyb')))],
  [
    'encodings on top of each other',
    'BAD_ANSWER',
    (_, socket) => socket.write(encoded('gzip, gzip', gzipSync(gzipSync('hello')))),
  ],
]

test.each(broken)('error: %s fails with %s', async (_, codes, handler) => {
  await using server = await createRawServer(handler)
  await using client = guardedClient({ timeoutMs: 3_000 })
  const error = await rejection(client.get(server.url))
  expect(codes.split('|')).toContain(error.code)
  expect(error.retryable).toBe(true)
})

test('behavior: after a garbage response, the next request to the host uses a new connection', async () => {
  let count = 0
  await using server = await createRawServer((_, socket) => {
    if (count++ === 0) socket.write('garbage\r\n\r\n')
    else socket.write(httpAnswer(200, 'hello'))
  })
  await using client = guardedClient()
  await rejection(client.get(server.url))
  expect((await client.get(server.url)).body.toString()).toBe('hello')
})

test('behavior: stray bytes after a response are not taken as the next response', async () => {
  let count = 0
  await using server = await createRawServer((_, socket) => {
    const stray = count++ === 0 ? httpAnswer(200, 'a stray answer') : Buffer.alloc(0)
    socket.write(Buffer.concat([httpAnswer(200, `answer ${count}`), stray]))
  })
  await using client = guardedClient()
  expect((await client.get(server.url)).body.toString()).toBe('answer 1')
  expect((await client.get(server.url)).body.toString()).toBe('answer 2')
})

test('error: a refused connection and a name that does not resolve fail as an unavailable host', async () => {
  const closed = 'http://127.0.0.1:2'
  await using client = guardedClient({}, names({ 'empty.test': [] }))
  expect(await rejection(client.get(closed))).toMatchObject({ code: 'HOST_UNAVAILABLE', kind: 'refused' })
  expect(await rejection(client.get('http://empty.test/'))).toMatchObject({ code: 'HOST_UNAVAILABLE', kind: 'dns' })
})
