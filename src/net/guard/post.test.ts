import { expect, test } from 'vitest'
import { guardedClient, names, rejection } from '../../../test/guardedClient.ts'
import { createRawServer, httpAnswer } from '../../../test/rawServer.ts'

const json = { 'content-type': 'application/json' }

test('default: post sends the body and returns status, headers and the start of the response body', async () => {
  await using server = await createRawServer((_, socket) => socket.write(httpAnswer(201, 'thanks', { 'x-a': 'b' })))
  await using client = guardedClient()
  const answer = await client.post(`${server.url}/hook?x=1`, '{"ü":1}', { ...json, 'x-signature': '0xabc' })
  expect(answer).toMatchObject({ status: 201, bodyStart: Buffer.from('thanks') })
  expect(answer.headers['x-a']).toBe('b')
  expect(answer.ms).toBeGreaterThan(0)
  const [request = ''] = server.requests
  expect(request).toMatch(/^POST \/hook\?x=1 HTTP\/1.1\r\n/)
  expect(request).toMatch(/\r\nx-signature: 0xabc\r\n/)
  expect(Buffer.from(request.split('\r\n\r\n')[1]!, 'latin1').toString()).toBe('{"ü":1}')
})

test.each([200, 204, 301, 302, 307, 308, 404, 410, 429, 500, 503])(
  'behavior: post returns status %s and follows no redirect',
  async (status) => {
    await using server = await createRawServer((_, socket) =>
      socket.write(httpAnswer(status, '', { location: '/elsewhere', 'retry-after': '7' })),
    )
    await using client = guardedClient()
    for (let i = 0; i < 2; i++) expect((await client.post(server.url, '{}', json)).status).toBe(status)
    expect(server.requests).toHaveLength(2)
    expect(server.requests.every((request) => request.startsWith('POST / '))).toBe(true)
  },
)

test('behavior: post reads one kilobyte of a longer response, and reuses its connection', async () => {
  await using server = await createRawServer((_, socket) => socket.write(httpAnswer(200, 'x'.repeat(5_000))))
  await using client = guardedClient()
  for (let i = 0; i < 10; i++) expect((await client.post(server.url, '{}', json)).bodyStart).toHaveLength(1_024)
  // The end of a response may still arrive when the next request starts.
  expect(server.opened()).toBeLessThanOrEqual(2)
})

test.each([
  ['an endless answer', 'HTTP/1.1 200 X\r\n\r\n'],
  ['an answer of a gigabyte', 'HTTP/1.1 200 X\r\ncontent-length: 1000000000\r\n\r\n'],
])('behavior: post drops %s after its first kilobyte', async (_, head) => {
  await using server = await createRawServer((_, socket) => {
    socket.write(head)
    const more = () => {
      while (!socket.destroyed && socket.write('x'.repeat(1_000)));
    }
    socket.on('drain', more)
    more()
  })
  await using client = guardedClient()
  expect((await client.post(server.url, '{}', json)).bodyStart).toHaveLength(1_024)
  await expect.poll(() => server.requested()).toBe(0)
})

test('behavior: the status decides, and a body that stops, drips or is cut off is kept up to one second', async () => {
  const head = 'HTTP/1.1 200 X\r\n'
  const bodies: Record<string, string> = {
    '/stops': `${head}content-length: 100\r\n\r\nhalf`,
    '/drips': `${head}transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n`,
    '/cut': `${head}content-length: 100\r\n\r\nhalf`,
    '/garbage': `${head}transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\nno length\r\n`,
    '/silent': `${head}\r\n`,
  }
  await using server = await createRawServer((_, socket, path) => {
    socket.write(bodies[path]!)
    if (path === '/cut') socket.end()
    const timer = setInterval(() => path === '/drips' && socket.write('0001\r\nx\r\n'), 20)
    socket.on('close', () => clearInterval(timer))
  })
  await using client = guardedClient()
  // The time limit is for the status and may be shorter than the one for a body.
  const answers = await Promise.all(
    Object.keys(bodies).map(async (path) => {
      const { status, bodyStart } = await client.post(server.url + path, '{}', json, { timeoutMs: 900 })
      return [status, bodyStart.toString().replace(/x+$/, '')]
    }),
  )
  expect(answers).toEqual([...Array(4).fill([200, 'half']), [200, '']])
  await expect.poll(() => server.requested()).toBe(0)
})

test('behavior: a post aborted while the body arrives keeps its status', async () => {
  const stop = new AbortController()
  await using server = await createRawServer((_, socket) => {
    socket.write('HTTP/1.1 200 X\r\ncontent-length: 100\r\n\r\nhalf')
  })
  await using client = guardedClient()
  const answer = client.post(server.url, '{}', json, { signal: stop.signal })
  await expect.poll(async () => (await client.metrics.outboundBytes.get()).values[0]?.value ?? 0).toBe(4)
  stop.abort(new Error('no longer needed'))
  expect(await answer).toMatchObject({ status: 200, bodyStart: Buffer.from('half') })
  await expect.poll(() => server.requested()).toBe(0)
})

test('error: a response whose head drips or never arrives ends at the time limit, and so does its connection', async () => {
  const heads = ['', 'HTTP/1.1 200 X\r\n']
  await using server = await createRawServer((_, socket, path) => {
    const head = heads[Number(path.slice(1))]!
    if (head) socket.write(head)
    const timer = setInterval(() => head && socket.write('a: b\r\n'), 20)
    socket.on('close', () => clearInterval(timer))
  })
  await using client = guardedClient()
  for (const index of heads.keys()) {
    const error = await rejection(client.post(`${server.url}/${index}`, '{}', json, { timeoutMs: 200 }))
    expect(error).toMatchObject({ code: 'TIMEOUT', phase: 'total', retryable: true })
  }
  await expect.poll(() => server.requested()).toBe(0)
})

test('error: post fails on a refused connection, a cut connection, garbage and huge headers', async () => {
  const closed = 'http://127.0.0.1:2'
  await using server = await createRawServer((_, socket, path) => {
    if (path === '/cut') socket.resetAndDestroy()
    else if (path === '/garbage') socket.write('garbage\r\n\r\n')
    else socket.write(httpAnswer(200, '', { 'x-big': 'x'.repeat(20_000) }))
  })
  await using client = guardedClient()
  expect(await rejection(client.post(closed, '{}', json))).toMatchObject({
    code: 'HOST_UNAVAILABLE',
    kind: 'refused',
  })
  expect(await rejection(client.post(`${server.url}/cut`, '{}', json))).toMatchObject({ kind: 'reset' })
  expect(await rejection(client.post(`${server.url}/garbage`, '{}', json))).toMatchObject({ code: 'BAD_ANSWER' })
  expect(await rejection(client.post(`${server.url}/big`, '{}', json))).toMatchObject({ code: 'TOO_LARGE' })
})

test('error: an aborted post fails with the reason of its signal, and leaves nothing open', async () => {
  await using server = await createRawServer(() => {})
  await using client = guardedClient({}, () => new Promise(() => {}))
  const reason = new Error('no longer needed')
  expect(await rejection(client.post(server.url, '{}', json, { signal: AbortSignal.abort(reason) }))).toBe(reason)
  for (const url of [server.url, 'http://silent.test/']) {
    const stop = new AbortController()
    const failed = rejection(client.post(url, '{}', json, { signal: stop.signal }))
    if (url === server.url) await expect.poll(() => server.requests.length).toBe(1)
    stop.abort(reason)
    expect(await failed).toBe(reason)
  }
  await expect.poll(() => server.requested()).toBe(0)
  const { values } = await client.metrics.outboundRequests.get()
  expect(values).toMatchObject([{ labels: { method: 'post', outcome: 'aborted' }, value: 3 }])
})

test('behavior: a hanging webhook endpoint occupies only its own connections', async () => {
  await using dead = await createRawServer(() => {})
  await using server = await createRawServer((_, socket) => socket.write(httpAnswer(200)))
  await using client = guardedClient({ postConnections: 4 })
  const stop = new AbortController()
  const options = { timeoutMs: 60_000, signal: stop.signal }
  const hanging = [...Array(50)].map(() => rejection(client.post(dead.url, '{}', json, options)))
  await Promise.all([...Array(1_000)].map(() => client.post(server.url, '{}', json)))
  const reason = new Error('no longer needed')
  stop.abort(reason)
  for (const error of await Promise.all(hanging)) expect(error).toBe(reason)
  // Requests that waited for a connection were not sent, unless a connection became free at the moment of the timeout.
  expect(dead.requests.length).toBeLessThan(10)
  await expect.poll(() => dead.requested()).toBe(0)
})

test('behavior: the least recently used origin is evicted, and its running requests are finished', async () => {
  const held: (() => void)[] = []
  await using server = await createRawServer((request, socket) => {
    if (/host: first.test/.test(request)) held.push(() => socket.write(httpAnswer(200, 'late')))
    else socket.write(httpAnswer(200))
  })
  const zone = Object.fromEntries(['first', ...Array(5).keys()].map((name) => [`${name}.test`, ['127.0.0.1']]))
  await using client = guardedClient({ maxOrigins: 2 }, names(zone))
  const late = client.post(`http://first.test:${server.port}/`, '{}', json)
  await expect.poll(() => held.length).toBe(1)
  for (let i = 0; i < 5; i++) await client.post(`http://${i}.test:${server.port}/`, '{}', json)
  held[0]!()
  expect((await late).bodyStart.toString()).toBe('late')
  await expect.poll(() => server.open()).toBeLessThanOrEqual(2)
})

test('behavior: a request that its caller withdraws while connecting is not sent', async () => {
  await using server = await createRawServer((_, socket) => socket.write(httpAnswer(200, 'thanks')))
  await using client = guardedClient()
  const error = await rejection(client.post(server.url, '{}', json, { maySend: () => false }))
  expect(error).toMatchObject({ code: 'NOT_SENT' })
  expect((await client.post(server.url, '{}', json, { maySend: () => true })).status).toBe(200)
  expect(server.requests).toHaveLength(1)
})
