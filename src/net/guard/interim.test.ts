import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { guardedClient, rejection } from '../../../test/guardedClient.ts'
import { createRawServer, httpAnswer } from '../../../test/rawServer.ts'

const json = { 'content-type': 'application/json' }
const fields = 'link: </style.css>; rel=preload\r\ncontent-length: 3\r\n'
const interim = (status: number, extra = '') => `HTTP/1.1 ${status} X\r\n${extra}\r\n`
/** A response whose body looks like the beginning of another one. */
const answer = httpAnswer(200, 'HTTP/1.1 100 X\r\n\r\n{}', { 'x-a': 'b' }).toString()

/** Writes chunks one after another, so that each reaches the client separately. */
function writeApart(socket: Socket, chunks: readonly string[]): void {
  socket.setNoDelay(true)
  const [first, ...others] = chunks
  if (first !== undefined) socket.write(first, () => setImmediate(writeApart, socket, others))
}

const sequences: [string, string][] = [
  ['100', interim(100)],
  ['100 with fields', interim(100, fields)],
  ['100 of HTTP/1.0 without a reason', 'HTTP/1.0 100\r\n\r\n'],
  ['102', interim(102)],
  ['103', interim(103, fields)],
  ['199', interim(199)],
  ['100 twice', interim(100) + interim(100)],
  ['103, 100, 102, 103', interim(103, fields) + interim(100) + interim(102) + interim(103, fields)],
]
const splits: [string, (text: string) => string[]][] = [
  ['in one piece', (text) => [text]],
  ['answer by answer', (text) => text.split(/(?<=\r\n\r\n)(?=HTTP)/)],
  ['byte by byte', (text) => [...text]],
]

test.each(
  sequences.flatMap(([name, text]) => splits.map(([how, split]) => [name, how, split(text + answer)] as const)),
)('behavior: skips the interim status %s before the response, received %s', async (_, __, chunks) => {
  await using server = await createRawServer((___, socket) => writeApart(socket, chunks))
  await using client = guardedClient()
  for (let i = 0; i < 2; i++) {
    const posted = await client.post(server.url, '{}', json)
    expect(posted).toMatchObject({ status: 200, bodyStart: Buffer.from('HTTP/1.1 100 X\r\n\r\n{}') })
    expect(posted.headers).toEqual({ 'content-length': '20', 'x-a': 'b' })
    const got = await client.get(server.url)
    expect(got).toMatchObject({ status: 200, body: Buffer.from('HTTP/1.1 100 X\r\n\r\n{}') })
    expect(got.headers).toEqual({ 'content-length': '20', 'x-a': 'b' })
  }
  expect(server.requests).toHaveLength(4)
  // GET and POST have separate connections, and the client reuses each.
  expect(server.opened()).toBe(2)
})

test('behavior: the final status after interim ones counts, such as a 503 with Retry-After', async () => {
  await using server = await createRawServer((_, socket) =>
    socket.write(Buffer.concat([Buffer.from(interim(100)), httpAnswer(503, 'busy', { 'retry-after': '7' })])),
  )
  await using client = guardedClient()
  expect(await client.post(server.url, '{}', json)).toMatchObject({ status: 503, headers: { 'retry-after': '7' } })
  expect(await rejection(client.get(server.url))).toMatchObject({ code: 'HTTP_STATUS', retryAfterMs: 7_000 })
})

test.each([
  ['interim responses without end', interim(103).repeat(100)],
  ['the fields of an interim response', 'x-more: and more\r\n'.repeat(100)],
])('error: %s close the connection after 16 kB', async (_, part) => {
  await using server = await createRawServer((__, socket) => {
    socket.write(interim(100) + (part.startsWith('HTTP') ? '' : 'HTTP/1.1 103 X\r\n'))
    const more = () => {
      while (!socket.destroyed && socket.write(part));
    }
    socket.on('drain', more)
    more()
  })
  await using client = guardedClient()
  for (const request of [client.post(server.url, '{}', json), client.get(server.url)])
    expect(await rejection(request)).toMatchObject({ code: 'TOO_LARGE', what: 'headers', retryable: false })
  await expect.poll(() => server.requested()).toBe(0)
})

test('error: rejects status 101, and interim responses without a final response', async () => {
  await using server = await createRawServer((_, socket, path) =>
    path === '/upgrade' ? socket.write(interim(101, 'upgrade: websocket\r\n')) : socket.end(interim(100)),
  )
  await using client = guardedClient()
  for (const path of ['/upgrade', '/ends'])
    for (const request of [client.post(server.url + path, '{}', json), client.get(server.url + path)])
      expect((await rejection(request)).code).toMatch(/^(HOST_UNAVAILABLE|BAD_ANSWER)$/)
  await expect.poll(() => server.requested()).toBe(0)
})
