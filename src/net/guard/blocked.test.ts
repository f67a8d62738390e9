import { expect, test } from 'vitest'
import { guardedClient, names, rejection } from '../../../test/guardedClient.ts'
import { createNameServer } from '../../../test/nameServer.ts'
import { createRawServer, httpAnswer } from '../../../test/rawServer.ts'
import { createResolver } from './resolver.ts'

const hello = () => createRawServer((_, socket) => socket.write(httpAnswer(200, 'hello')))

/** Every notation of addresses that untrusted URLs must not reach, as the host of a URL. */
const spellings: [string, string][] = [
  ['dotted', '127.0.0.2'],
  ['decimal', '2130706434'],
  ['hex', '0x7f000002'],
  ['octal', '017700000002'],
  ['dotted hex', '0x7f.0x0.0x0.0x2'],
  ['dotted octal', '0177.0.0.02'],
  ['mixed', '0x7f.0.0.02'],
  ['two parts', '127.2'],
  ['three parts', '127.0.2'],
  ['a trailing dot', '127.0.0.2.'],
  ['padded octal', '00000177.0.0.0002'],
  ['percent-encoded', '%31%32%37.0.0.2'],
  ['percent-encoded dots', '127%2E0%2e0%2E2'],
  ['full-width digits', '１２７.０.０.２'],
  ['circled digits', '①②⑦.⓪.⓪.②'],
  ['ideographic full stops', '127。0。0。2'],
  ['half-width full stops', '127｡0｡0｡2'],
  ['full-width full stops', '127．0．0．2'],
  ['a soft hyphen', '127.0.0.\u00ad2'],
  ['a zero-width space in percent', '127.0.0.%E2%80%8B2'],
  ['unspecified', '0.0.0.0'],
  ['zero', '0'],
  ['the empty octets of zero', '0x0.0x0'],
  ['private 10', '10.0.0.1'],
  ['private 10 in decimal', '167772161'],
  ['private 10 in hex', '0xa000001'],
  ['private 172.16', '172.16.0.1'],
  ['private 172.16 in decimal', '2886729729'],
  ['private 192.168', '192.168.0.1'],
  ['private 192.168 in octal', '0300.0250.0.1'],
  ['private 192.168 short', '192.168.1'],
  ['CGNAT', '100.64.0.1'],
  ['link-local', '169.254.1.1'],
  ['metadata', '169.254.169.254'],
  ['metadata in decimal', '2852039166'],
  ['metadata in hex', '0xA9FEA9FE'],
  ['metadata in octal', '0251.0376.0251.0376'],
  ['Azure', '168.63.129.16'],
  ['Alibaba', '100.100.100.200'],
  ['multicast', '224.0.0.251'],
  ['broadcast', '255.255.255.255'],
  ['IPv6 loopback', '[::1]'],
  ['IPv6 loopback in full', '[0000:0000:0000:0000:0000:0000:0000:0001]'],
  ['IPv6 unspecified', '[::]'],
  ['mapped', '[::ffff:127.0.0.2]'],
  ['mapped in hex', '[::ffff:7f00:2]'],
  ['mapped metadata', '[::ffff:169.254.169.254]'],
  ['compatible', '[::127.0.0.1]'],
  ['NAT64', '[64:ff9b::127.0.0.2]'],
  ['NAT64 metadata', '[64:ff9b::a9fe:a9fe]'],
  ['local NAT64', '[64:ff9b:1::7f00:2]'],
  ['6to4', '[2002:7f00:2::]'],
  ['Teredo', '[2001:0:7f00:2::]'],
  ['ULA', '[fd00::1]'],
  ['AWS over IPv6', '[fd00:ec2::254]'],
  ['IPv6 link-local', '[fe80::1]'],
  ['site-local', '[fec0::1]'],
  ['IPv6 multicast', '[ff02::1]'],
]

test.each(spellings)('error: rejects %s (%s) without opening a connection', async (_, host) => {
  // A mistake in the table must not cause a request to a public address. For example, 0127 means 87.
  expect(new URL(`http://${host}/`).hostname).toMatch(
    /^(\[|0\.|10\.|100\.(64|100)\.|127\.|168\.63\.129\.16|169\.254\.|172\.16\.|192\.168\.|2(24|55)\.)/,
  )
  await using client = guardedClient({}, () => Promise.reject(new Error('an address was looked up')))
  for (const scheme of ['http', 'https']) {
    const error = await rejection(client.get(`${scheme}://${host}:8080/x`))
    expect(error).toMatchObject({ code: 'ADDRESS_BLOCKED', retryable: false })
    const posted = await rejection(client.post(`${scheme}://${host}:8080/x`, '{}', {}))
    expect(posted).toMatchObject({ code: 'ADDRESS_BLOCKED' })
  }
})

test('default: reaches an allowed address', async () => {
  await using server = await hello()
  await using client = guardedClient()
  const answer = await client.get(`${server.url}/x`)
  expect(answer).toMatchObject({ status: 200, url: `${server.url}/x`, body: Buffer.from('hello') })
  expect((await client.get(`http://0x7f000001:${server.port}/`)).url).toBe(`${server.url}/`)
  expect((await client.get(`http://[::ffff:127.0.0.1]:${server.port}/`)).status).toBe(200)
})

test('error: private addresses of a name are rejected, and its other addresses are used', async () => {
  await using server = await hello()
  await using other = await createRawServer((_, socket) => socket.write(httpAnswer(200, 'private')), {
    host: '127.0.0.2',
  })
  const zone = {
    'private.test': ['127.0.0.2'],
    'mixed.test': ['127.0.0.2', '10.0.0.1', '127.0.0.1'],
    'six.test': ['::1'],
  }
  await using client = guardedClient({}, names(zone))
  for (const name of ['private.test', 'six.test'])
    for (const port of [other.port, server.port])
      expect(await rejection(client.get(`http://${name}:${port}/`))).toMatchObject({ code: 'ADDRESS_BLOCKED' })
  expect((await client.get(`http://mixed.test:${server.port}/`)).body.toString()).toBe('hello')
  // At this port only the private address listens. The allowed address refuses the connection, and the private one gets none.
  expect(await rejection(client.get(`http://mixed.test:${other.port}/`))).toMatchObject({ code: 'HOST_UNAVAILABLE' })
  expect(other.opened()).toBe(0)
})

test('error: rejects a name that changes to a private address at the next connection (DNS rebinding)', async () => {
  await using server = await createRawServer((_, socket) =>
    socket.end(httpAnswer(200, 'hello', { connection: 'close' })),
  )
  await using other = await createRawServer((_, socket) => socket.write(httpAnswer(200, 'private')), {
    host: '127.0.0.2',
  })
  let requested = 0
  await using client = guardedClient({}, async () => [
    { address: requested++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 },
  ])
  const first = await client.get(`http://turn.test:${server.port}/`)
  expect(first.body.toString()).toBe('hello')
  expect(await rejection(client.get(`http://turn.test:${server.port}/`))).toMatchObject({
    code: 'ADDRESS_BLOCKED',
    address: '127.0.0.2',
    reason: 'loopback',
  })
  expect(requested).toBe(2)
  expect(await rejection(client.get(`http://turn.test:${other.port}/`))).toMatchObject({ code: 'ADDRESS_BLOCKED' })
  expect(other.opened()).toBe(0)
})

test('error: each connection resolves its name once, so that it uses the checked address', async () => {
  await using server = await hello()
  let requested = 0
  await using client = guardedClient({}, async () => [
    { address: requested++ % 2 === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 },
  ])
  expect((await client.get(`http://turn.test:${server.port}/`)).status).toBe(200)
  expect(requested).toBe(1)
})

test('error: blocks DNS rebinding through a real name server with a TTL of zero', async () => {
  await using server = await createRawServer((_, socket) =>
    socket.end(httpAnswer(200, 'hello', { connection: 'close' })),
  )
  let moved = false
  await using dns = await createNameServer({ 'turn.test': () => (moved ? ['127.0.0.2', '::1'] : ['127.0.0.1']) })
  await using client = guardedClient({}, createResolver({ servers: [dns.address], hostsPath: '/nowhere' }))
  expect((await client.get(`http://turn.test:${server.port}/`)).status).toBe(200)
  moved = true
  // A lookup is cached for a second; until then the name still has the checked address.
  await expect
    .poll(() => rejection(client.get(`http://turn.test:${server.port}/`)).catch(() => undefined))
    .toMatchObject({ code: 'ADDRESS_BLOCKED', reason: 'loopback' })
  expect(dns.questions).toContain('turn.test A')
  expect(dns.questions).toContain('turn.test AAAA')
})

test.each([301, 302, 303, 307, 308])('error: rejects a %s redirect to a private address', async (status) => {
  await using inner = await createRawServer((_, socket) => socket.write(httpAnswer(200, 'private')), {
    host: '127.0.0.2',
  })
  const targets = [inner.url, `http://2130706434:${inner.port}/`, `//127.0.0.2:${inner.port}/`, 'http://inner.test/']
  await using server = await createRawServer((_, socket, path) =>
    socket.write(httpAnswer(status, '', { location: targets[Number(path.slice(1))]! })),
  )
  await using client = guardedClient({}, names({ 'inner.test': ['10.0.0.1'] }))
  for (const index of targets.keys())
    expect(await rejection(client.get(`${server.url}/${index}`))).toMatchObject({
      ...{ code: 'REDIRECT_REFUSED', cause: { code: 'ADDRESS_BLOCKED' } },
    })
  expect(inner.opened()).toBe(0)
  const { values } = await client.metrics.outboundRequests.get()
  expect(values).toMatchObject([{ labels: { outcome: 'blocked' }, value: targets.length }])
})

test('error: cloud metadata services stay blocked when all networks are allowed', async () => {
  const zone = { 'plain.test': ['169.254.169.254'], 'metadata.google.internal': ['127.0.0.1'] }
  await using client = guardedClient({ allow: ['0.0.0.0/0', '::/0', '169.254.169.254'] }, names(zone))
  for (const host of ['169.254.169.254', '[fd00:ec2::254]', '168.63.129.16', '[::ffff:a9fe:a9fe]', 'plain.test'])
    expect(await rejection(client.get(`http://${host}/latest/meta-data/`))).toMatchObject({ code: 'ADDRESS_BLOCKED' })
  for (const host of ['metadata.google.internal', 'METADATA.google.internal.', 'metadata'])
    expect(await rejection(client.get(`http://${host}/`))).toMatchObject({ code: 'BAD_URL', fault: 'host' })
})

test('behavior: blocked requests are counted', async () => {
  await using client = guardedClient()
  await rejection(client.get('http://10.0.0.1/'))
  await rejection(client.get('ftp://example.com/'))
  const { values } = await client.metrics.outboundRequests.get()
  expect(values.map(({ labels, value }) => [labels.method, labels.outcome, value])).toEqual([
    ['get', 'blocked', 1],
    ['get', 'bad_url', 1],
  ])
  expect((await client.metrics.outboundInFlight.get()).values).toMatchObject([{ value: 0 }])
})
