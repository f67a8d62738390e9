import { UnixFS } from 'ipfs-unixfs'
import { expect, test } from 'vitest'
import { rejection } from '../../../test/guardedClient.ts'
import {
  type Block,
  carOf,
  directoryBlock,
  fileBlock,
  nodeBlock,
  oddFile,
  rawBlock,
  shardBlock,
} from '../../../test/ipfsBlocks.ts'
import { gatewaysOver, type Holdings, serveIpfs } from '../../../test/ipfsGateway.ts'
import { createRawServer, httpAnswer, type RawHandler, type RawServer } from '../../../test/rawServer.ts'
import type { GatewayContent } from './gateways.ts'

const ipfs = (block: Block, path = ''): GatewayContent => ({
  network: 'ipfs',
  id: block.cid.toString(),
  path,
  original: null,
})
const requested = (server: RawServer) => server.requests.map((request) => request.split(' ')[1])

const raw = rawBlock(Buffer.from('{"name":"raw"}'))
const file = fileBlock('{"name":"file"}')
const directory = directoryBlock({ '1': file.cid, '2.json': raw.cid, 'a b': raw.cid })
const held: Holdings = {
  [`/ipfs/${raw.cid}`]: '{"name":"raw"}',
  [`/ipfs/${file.cid}`]: '{"name":"file"}',
  [`/ipfs/${directory.cid}/1`]: '{"name":"file"}',
  [`/ipfs/${directory.cid}/2.json`]: '{"name":"raw"}',
  [`/ipfs/${directory.cid}/a%20b`]: '{"name":"raw"}',
}
const blocks: Holdings = { [`car:${directory.cid}`]: carOf([directory]) }

test('default: returns content from the first gateway, verified against its CID', async () => {
  await using first = await createRawServer(serveIpfs(held))
  await using second = await createRawServer(serveIpfs(held))
  await using gateways = gatewaysOver([first, second])
  expect(await gateways.get(ipfs(raw), { accept: 'application/json' })).toMatchObject({
    status: 200,
    verified: true,
    gateway: `127.0.0.1:${first.port}`,
    contentType: 'application/json',
    body: Buffer.from('{"name":"raw"}'),
  })
  expect(second.requests).toHaveLength(0)
  expect(first.requests[0]).toMatch(/\r\naccept: application\/json\r\n/)
  expect(await gateways.get(ipfs(file))).toMatchObject({ verified: true, body: Buffer.from('{"name":"file"}') })
})

test('behavior: a path is resolved through its directory, which is requested once', async () => {
  await using server = await createRawServer(serveIpfs({ ...held, ...blocks }))
  await using gateways = gatewaysOver([server])
  const paths = ['/1', '/2.json', '/a%20b']
  const answers = await Promise.all([...paths, ...paths].map((path) => gateways.get(ipfs(directory, path))))
  expect(answers.map(({ verified }) => verified)).toEqual(Array(6).fill(true))
  expect((await gateways.get(ipfs(directory, '/1'))).verified).toBe(true)
  expect(requested(server).filter((path) => path?.includes('format=car'))).toHaveLength(1)
})

test('behavior: resolves nested and sharded directories', async () => {
  const shard = shardBlock({ '0Bdeep': raw.cid })
  const sharded = shardBlock({ '1Atop': file.cid, '2C': shard.cid })
  const outer = directoryBlock({ inner: sharded.cid })
  await using server = await createRawServer(
    serveIpfs({
      [`/ipfs/${outer.cid}/inner/top`]: '{"name":"file"}',
      [`/ipfs/${outer.cid}/inner/deep`]: '{"name":"raw"}',
      [`car:${outer.cid}`]: carOf([outer]),
      [`car:${sharded.cid}`]: carOf([sharded, shard]),
    }),
  )
  await using gateways = gatewaysOver([server])
  expect((await gateways.get(ipfs(outer, '/inner/top'))).verified).toBe(true)
  expect((await gateways.get(ipfs(outer, '/inner/deep'))).verified).toBe(true)
})

test('behavior: a gateway may have a base path, a key in its query, and user and password', async () => {
  const key = (path: string) => path.includes('token=a%2Fb')
  const login = /\r\nauthorization: Basic dXNlcjpwQHNz\r\n/i
  const gateway = serveIpfs({ ...held, ...blocks })
  await using server = await createRawServer((request, socket, path) =>
    key(path) && login.test(request) && path.startsWith('/base/ipfs/')
      ? gateway(request, socket, path.replace('/base', ''))
      : socket.write(httpAnswer(401, 'no key')),
  )
  const address = server.url.replace('//', '//user:p%40ss@')
  for (const end of ['', '/', '/ipfs', '/ipfs/']) {
    await using gateways = gatewaysOver([{ url: `${address}/base${end}?token=a%2Fb` }])
    expect((await gateways.get(ipfs(raw))).verified).toBe(true)
    expect((await gateways.get(ipfs(directory, '/1'))).verified).toBe(true)
  }
})

test('error: a missing directory entry is a permanent error', async () => {
  await using server = await createRawServer(serveIpfs({ ...held, ...blocks, [`/ipfs/${directory.cid}/9`]: 'made up' }))
  await using gateways = gatewaysOver([server])
  expect(await rejection(gateways.get(ipfs(directory, '/9')))).toMatchObject({
    code: 'CONTENT_MISSING',
    retryable: false,
  })
})

test('behavior: a gateway that sends wrong bytes is skipped, and is tried later from then on', async () => {
  await using liar = await createRawServer(serveIpfs({ [`/ipfs/${raw.cid}`]: '{"name":"forged"}' }))
  await using server = await createRawServer(serveIpfs(held))
  await using gateways = gatewaysOver([liar, server])
  const answer = await gateways.get(ipfs(raw))
  expect(answer.body.toString()).toBe('{"name":"raw"}')
  expect(answer.gateway).toBe(`127.0.0.1:${server.port}`)
  expect(gateways.order('ipfs')[0]).toBe(`127.0.0.1:${server.port}`)
})

test('error: rejects wrong bytes behind a verified directory', async () => {
  await using liar = await createRawServer(
    serveIpfs({ ...blocks, [`/ipfs/${directory.cid}/2.json`]: '{"name":"forged"}' }),
  )
  await using gateways = gatewaysOver([liar])
  const error = await rejection(gateways.get(ipfs(directory, '/2.json')))
  expect(error).toMatchObject({ code: 'GATEWAYS_FAILED', retryable: true, cause: { code: 'CONTENT_MISMATCH' } })
})

test('behavior: content without blocks, or with forged ones, is returned as unverified', async () => {
  const forged = directoryBlock({ '2.json': file.cid })
  await using plain = await createRawServer(serveIpfs({ ...held, [`/ipfs/${directory.cid}`]: '<html>listing</html>' }))
  await using liar = await createRawServer(
    serveIpfs({ ...held, [`car:${directory.cid}`]: carOf([{ cid: directory.cid, bytes: forged.bytes }]) }),
  )
  for (const server of [plain, liar]) {
    await using gateways = gatewaysOver([server])
    for (const path of ['/1', '/2.json', '/1']) {
      const answer = await gateways.get(ipfs(directory, path))
      expect(answer.verified).toBe(false)
      expect(answer.body.toString()).toMatch(/^{"name"/)
    }
    expect(requested(server).filter((path) => path?.includes('format=car'))).toHaveLength(1)
  }
})

test('behavior: blocks may come from a different gateway than the content', async () => {
  await using plain = await createRawServer(serveIpfs(held))
  await using other = await createRawServer(serveIpfs(blocks))
  await using gateways = gatewaysOver([plain, other])
  expect(await gateways.get(ipfs(directory, '/1'))).toMatchObject({
    verified: true,
    gateway: `127.0.0.1:${plain.port}`,
  })
})

test('behavior: a file in an unusual layout is verified by its blocks', async () => {
  const body = Buffer.from(Array.from({ length: 5_500 }, (_, i) => i % 251))
  const tree = oddFile(body)
  const content = { [`/ipfs/${tree[0]!.cid}`]: body }
  await using plain = await createRawServer(serveIpfs(content))
  await using full = await createRawServer(serveIpfs({ ...content, [`car:${tree[0]!.cid}`]: carOf(tree) }))
  await using cut = await createRawServer(serveIpfs({ ...content, [`car:${tree[0]!.cid}`]: carOf(tree.slice(0, -1)) }))
  const verified: boolean[] = []
  for (const server of [plain, full, cut]) {
    await using gateways = gatewaysOver([server])
    const answer = await gateways.get(ipfs(tree[0]!))
    expect(answer.body.equals(body)).toBe(true)
    verified.push(answer.verified)
  }
  expect(verified).toEqual([false, true, false])
})

test('error: gives up on a few blocks that encode an endless tree', async () => {
  // Sixty levels, each linking the one below twice: 2^60 leaves, of nothing or of a byte.
  for (const leaf of [rawBlock(Buffer.alloc(0)), rawBlock(Buffer.from('x'))]) {
    const tree = [leaf]
    for (let level = 0; level < 60; level++) {
      const below = tree[0]!.cid
      tree.unshift(
        nodeBlock(
          new UnixFS({ type: 'file' }),
          [0, 1].map(() => ({ Name: '', Hash: below })),
        ),
      )
    }
    const root = tree[0]!.cid
    await using server = await createRawServer(serveIpfs({ [`/ipfs/${root}`]: 'x', [`car:${root}`]: carOf(tree) }))
    await using gateways = gatewaysOver([server])
    expect((await gateways.get(ipfs(tree[0]!))).verified).toBe(false)
  }
})

const failing: [string, RawHandler][] = [
  ['hangs', () => {}],
  ['answers 500', (_, socket) => socket.write(httpAnswer(500))],
  ['answers 404', (_, socket) => socket.write(httpAnswer(404))],
  ['answers 429', (_, socket) => socket.write(httpAnswer(429, '', { 'retry-after': '60' }))],
  ['cuts the connection', (_, socket) => socket.resetAndDestroy()],
  ['talks garbage', (_, socket) => socket.write('garbage\r\n\r\n')],
  ['redirects to a private address', (_, s) => s.write(httpAnswer(302, '', { location: 'http://10.0.0.1/' }))],
]

test.each(failing)('behavior: a gateway that %s is skipped', async (_, handler) => {
  await using bad = await createRawServer(handler)
  await using good = await createRawServer(serveIpfs(held))
  await using gateways = gatewaysOver([bad, good], {}, 200)
  expect((await gateways.get(ipfs(raw))).gateway).toBe(`127.0.0.1:${good.port}`)
})

test('behavior: the fastest gateway is tried first, and a hanging one last', async () => {
  await using hung = await createRawServer(() => {})
  await using slow = await createRawServer((request, socket, path) => {
    setTimeout(() => serveIpfs(held)(request, socket, path), 600)
  })
  await using fast = await createRawServer(serveIpfs(held))
  await using gateways = gatewaysOver([hung, slow, fast], {}, 300)
  for (let i = 0; i < 3; i++) await gateways.get(ipfs(raw))
  expect(gateways.order('ipfs')).toEqual([fast, slow, hung].map(({ port }) => `127.0.0.1:${port}`))
  const before = hung.requests.length
  for (let i = 0; i < 5; i++) await gateways.get(ipfs(raw))
  expect(hung.requests).toHaveLength(before)
})

test('error: if no gateway has the content, the error lists every reason', async () => {
  await using first = await createRawServer(serveIpfs({}))
  await using second = await createRawServer((_, socket) => socket.write(httpAnswer(500)))
  await using gateways = gatewaysOver([first, second])
  const error = await rejection(gateways.get(ipfs(raw)))
  expect(error).toMatchObject({ code: 'GATEWAYS_FAILED', retryable: true })
  expect((error.details as { reasons: string[] }).reasons).toEqual([
    `127.0.0.1:${first.port} answered 404`,
    `127.0.0.1:${second.port} answered 500`,
  ])
  await using none = gatewaysOver([])
  expect(await rejection(none.get(ipfs(raw)))).toMatchObject({ code: 'GATEWAYS_FAILED', retryable: false })
})

test('error: if every gateway sends Retry-After, the error contains the retry time', async () => {
  await using server = await createRawServer((_, s) => s.write(httpAnswer(429, '', { 'retry-after': '600' })))
  await using gateways = gatewaysOver([server])
  await rejection(gateways.get(ipfs(raw)))
  const error = await rejection(gateways.get(ipfs(raw)))
  expect(error).toMatchObject({ code: 'HOST_BUSY', retryable: true })
  expect(error.retryAfterMs).toBeGreaterThan(590_000)
  expect(server.requests).toHaveLength(1)
})

test('error: content over the size limit is not requested from another gateway', async () => {
  await using first = await createRawServer(serveIpfs(held))
  await using second = await createRawServer(serveIpfs(held))
  await using gateways = gatewaysOver([first, second])
  expect(await rejection(gateways.get(ipfs(raw), { maxBytes: 5 }))).toMatchObject({ code: 'TOO_LARGE' })
  expect(second.requests).toHaveLength(0)
})

test('error: an aborted request fails with the reason of its signal', async () => {
  await using server = await createRawServer(() => {})
  await using gateways = gatewaysOver([server])
  const stop = new AbortController()
  const reason = new Error('no longer needed')
  const failed = rejection(gateways.get(ipfs(raw), { signal: stop.signal }))
  await expect.poll(() => server.requests.length).toBe(1)
  stop.abort(reason)
  expect(await failed).toBe(reason)
  await expect.poll(() => server.requested()).toBe(0)
})

test('behavior: the original URL of the token is tried last', async () => {
  await using configured = await createRawServer(serveIpfs({}))
  await using original = await createRawServer(serveIpfs(held))
  await using gateways = gatewaysOver([configured])
  const content = { ...ipfs(raw), original: `${original.url}/ipfs/${raw.cid}` }
  expect(await gateways.get(content)).toMatchObject({ gateway: `127.0.0.1:${original.port}`, verified: true })
  expect(configured.requests).toHaveLength(1)
})

test('behavior: a CID that contains its content is decoded without a gateway', async () => {
  await using gateways = gatewaysOver([])
  const content: GatewayContent = { network: 'ipfs', id: 'bafkqabtimvwgy3yk', path: '', original: null }
  expect(await gateways.get(content)).toMatchObject({ body: Buffer.from('hello\n'), verified: true, gateway: 'none' })
})

test('default: reads Arweave content by its transaction', async () => {
  const id = 'x'.repeat(43)
  await using server = await createRawServer(serveIpfs({ [`/${id}`]: 'whole', [`/${id}/1.json`]: 'part' }))
  await using gateways = gatewaysOver([server])
  const content: GatewayContent = { network: 'arweave', id, path: '', original: null }
  expect(await gateways.get(content)).toMatchObject({ body: Buffer.from('whole'), verified: false })
  expect((await gateways.get({ ...content, path: '/1.json' })).body.toString()).toBe('part')
})

test('behavior: requests are counted by gateway and outcome', async () => {
  await using first = await createRawServer(serveIpfs({}))
  await using second = await createRawServer(serveIpfs(held))
  await using gateways = gatewaysOver([first, second])
  await gateways.get(ipfs(raw))
  const { values } = await gateways.metrics.gatewayRequests.get()
  expect(values.map(({ labels, value }) => [labels.gateway, labels.outcome, value])).toEqual([
    [`127.0.0.1:${first.port}`, 'http_status', 1],
    [`127.0.0.1:${second.port}`, 'verified', 1],
  ])
})
