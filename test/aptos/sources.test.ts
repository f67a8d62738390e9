// @module-tag system

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { readNetworkOverview } from '../../src/cli/report/networkOverview.ts'
import { createRandom, freshSeed } from '../random.ts'
import { createAptosChain } from './aptosChain.ts'
import { type CoinTruth, makeCoins } from './coinActivity.ts'
import { expectCoins, startCoinServer } from './coinServer.ts'
import { startFakeFullnode } from './fakeFullnode.ts'
import { startFakeStream } from './fakeStream.ts'
import { inventTransaction } from './inventedTransaction.ts'

const seed = freshSeed()
const random = createRandom(seed)
process.stdout.write(`seed ${seed}\n`)

function madeChain(count: number, chainId = 1) {
  const chain = createAptosChain({ chainId })
  const truth: CoinTruth = new Map()
  chain.add(inventTransaction({ kind: 'genesis' }))
  makeCoins(chain, truth, random, count)
  return { chain, truth }
}

/** A proxy to a server that can freeze: connections stay open, but no data passes in either direction. */
async function startWay(address: string) {
  const [host, port] = address.split(':')
  const sockets = new Set<Socket>()
  let frozen = false
  const server = createServer((near) => {
    const far = connect(Number(port), host)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (data) => frozen || to.write(data))
      from.on('error', () => undefined)
      from.on('close', () => to.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    address: `127.0.0.1:${(server.address() as { port: number }).port}`,
    freeze() {
      frozen = true
    },
    /** Connections from the frozen time are unusable. */
    thaw() {
      frozen = false
      for (const socket of sockets) socket.destroy()
    },
  }
}

type Server = Awaited<ReturnType<typeof startCoinServer>>
const stateOf = async (server: Server) => (await server.headers())['x-index-status']

test.each(['says nothing', 'is a half-open connection'])(
  'behavior: synced is withdrawn while the only stream %s, and restored when it recovers',
  async (way) => {
    const { chain, truth } = madeChain(100)
    let isUnresponsive = false
    const stream = await startFakeStream({ chain, isUnresponsive: () => isUnresponsive })
    const between = await startWay(stream.address)
    await using server = await startCoinServer({
      mainnet: { grpc: between.address, silenceMs: 200, maxHeadAgeMs: 1_000 },
    })
    await server.untilCovered(chain.head())
    await expect.poll(() => stateOf(server)).toBe('synced')

    if (way === 'says nothing') isUnresponsive = true
    else between.freeze()
    await expect.poll(() => stateOf(server)).not.toBe('synced')
    await expect.poll(async () => Number((await server.headers())['x-index-head-age'])).toBeGreaterThanOrEqual(2)
    expect((await server.headers())['x-index-failure']).toMatch(/sent nothing for 200 ms|no transactions|confirmed/)
    const [network] = await readNetworkOverview(server.database.db)
    expect(network!.failure).not.toBeNull()
    expect(network!.headAgeSeconds).toBeGreaterThanOrEqual(2)

    isUnresponsive = false
    between.thaw()
    makeCoins(chain, truth, random, 20)
    await server.untilCovered(chain.head())
    await expect.poll(() => stateOf(server)).toBe('synced')
    await expectCoins(server, truth)
  },
)

test('behavior: an idle chain stays synced, however long nothing arrives', async () => {
  const { chain } = madeChain(100)
  const stream = await startFakeStream({ chain })
  const rejecting = await startFakeStream({ chain, withoutVersion: 'refuse' })
  const node = await startFakeFullnode({ chain })
  await using server = await startCoinServer({
    mainnet: { grpc: stream.address, silenceMs: 100, maxHeadAgeMs: 2_000 },
    older: { grpc: rejecting.address, silenceMs: 100, maxHeadAgeMs: 2_000 },
    rest: { rest: node.url, pollIntervalMs: 20, maxHeadAgeMs: 2_000 },
    both: { grpc: stream.address, rest: node.url, silenceMs: 100, maxHeadAgeMs: 2_000 },
  })
  const paths = ['', '/aptos/older', '/aptos/rest', '/aptos/both']
  for (const path of paths) await server.untilCovered(chain.head(), path)
  for (const path of paths) await expect.poll(async () => (await server.headers(path))['x-index-status']).toBe('synced')
  const before = rejecting.requests()
  const seen = new Set<string | undefined>()
  await expect
    .poll(
      async () => {
        for (const path of paths) seen.add((await server.headers(path))['x-index-status'])
        // Each idle period causes a request for the head and one for the next versions.
        return rejecting.requests() - before
      },
      { interval: 20 },
    )
    .toBeGreaterThan(50)
  expect([...seen]).toEqual(['synced'])
})

test('behavior: while a stream is stalled, the other source is read until the stream has caught up', async () => {
  const { chain, truth } = madeChain(100)
  let isUnresponsive = false
  const stream = await startFakeStream({ chain, isUnresponsive: () => isUnresponsive })
  const node = await startFakeFullnode({ chain })
  await using server = await startCoinServer({
    mainnet: { grpc: stream.address, rest: node.url, silenceMs: 100, pollIntervalMs: 20 },
  })
  await server.untilCovered(chain.head())
  expect(node.pages()).toBe(0)
  isUnresponsive = true
  makeCoins(chain, truth, random, 30)
  await server.untilCovered(chain.head())
  expect(node.pages()).toBeGreaterThan(0)
  makeCoins(chain, truth, random, 30)
  await server.untilCovered(chain.head())
  await expect.poll(() => stateOf(server)).toBe('synced')

  isUnresponsive = false
  // If the stream is read again, the node receives no requests.
  await expect
    .poll(
      async () => {
        const before = node.pages()
        makeCoins(chain, truth, random, 5)
        await server.untilCovered(chain.head())
        return node.pages() - before
      },
      { interval: 50 },
    )
    .toBe(0)
  await expectCoins(server, truth)
})

test('error: a stalled stream with an unreachable node is reported with both reasons', async () => {
  const { chain } = madeChain(50)
  let isUnresponsive = false
  const stream = await startFakeStream({ chain, isUnresponsive: () => isUnresponsive })
  const node = await startFakeFullnode({ chain })
  await using server = await startCoinServer({
    mainnet: { grpc: stream.address, rest: node.url, silenceMs: 100, pollIntervalMs: 20 },
  })
  await server.untilCovered(chain.head())
  isUnresponsive = true
  await node.close()
  await expect
    .poll(async () => (await server.headers())['x-index-failure'])
    .toMatch(/(grpc: .*; rest: |rest: .*; grpc: )/)
  expect(await stateOf(server)).toBe('failed')
})

test.each([
  ['grpc', 'rest'],
  ['rest', 'grpc'],
])('behavior: a %s source of another chain is ignored, and %s continues', async (wrong) => {
  const [right, other] = [madeChain(150, 1), madeChain(300, 2)]
  const of = (kind: string) => (kind === wrong ? other.chain : right.chain)
  const stream = await startFakeStream({ chain: of('grpc') })
  const node = await startFakeFullnode({ chain: of('rest') })
  const sources = { grpc: stream.address, rest: node.url, pollIntervalMs: 20 }
  await using server = await startCoinServer({ mainnet: { ...sources, chainId: 1 }, unsaid: sources })
  await server.untilCovered(right.chain.head())
  await expectCoins(server, right.truth)
  makeCoins(right.chain, right.truth, random, 10)
  makeCoins(other.chain, other.truth, random, 10)
  await server.untilCovered(right.chain.head())
  await expect.poll(() => stateOf(server)).toBe('synced')
  await expectCoins(server, right.truth)
  // The configuration does not say which of the two chains is right, so neither is read.
  await expect
    .poll(async () => (await server.headers('/aptos/unsaid'))['x-index-failure'])
    .toMatch(/(rest|grpc) serves chain \d and (rest|grpc) serves chain \d: correct the address of one, or set chainId/)
  expect(await server.walk(10, '/aptos/unsaid')).toEqual([])
})

test.each([5, 11, 0])(
  'behavior: versions that a stream pruned are read from the node (gRPC status %i)',
  async (prunedStatus) => {
    const { chain, truth } = madeChain(300)
    const stream = await startFakeStream({ chain, oldest: () => 200n, prunedStatus })
    const node = await startFakeFullnode({ chain })
    await using server = await startCoinServer({
      mainnet: { grpc: stream.address, rest: node.url, silenceMs: 300, rangeWidth: 100 },
      alone: { grpc: stream.address, silenceMs: 300 },
      later: { grpc: stream.address, silenceMs: 300, startVersion: '200' },
    })
    await server.untilCovered(chain.head())
    await expectCoins(server, truth)
    await server.untilCovered(chain.head(), '/aptos/later')
    await expect
      .poll(async () => (await server.headers('/aptos/alone'))['x-index-failure'])
      .toContain(prunedStatus === 0 ? 'version 200 came where 0 is the next' : 'does not keep version 0')
    expect((await server.headers('/aptos/alone'))['x-index-status']).toBe('failed')
  },
)

test('behavior: handles a chain with only its genesis, and one without a genesis yet', async () => {
  const chain = createAptosChain({ chainId: 4 })
  const stream = await startFakeStream({ chain })
  const node = await startFakeFullnode({ chain })
  await using server = await startCoinServer({
    mainnet: { grpc: stream.address, silenceMs: 200 },
    rest: { rest: node.url, pollIntervalMs: 20 },
  })
  const paths = ['', '/aptos/rest']
  for (const path of paths) {
    expect(await server.walk(10, path)).toEqual([])
    expect((await server.headers(path))['x-index-status']).not.toBe('synced')
  }
  chain.add(
    inventTransaction({ kind: 'genesis', coins: [{ type: '0x1::aptos_coin::AptosCoin', name: 'A', symbol: 'APT' }] }),
  )
  for (const path of paths) {
    await server.untilCovered(0n, path)
    await expect.poll(async () => (await server.headers(path))['x-index-status']).toBe('synced')
    expect(await server.walk(10, path)).toMatchObject([
      { transaction_version_created: '0', transaction_created_timestamp: '1970-01-01T00:00:00.000000Z' },
    ])
    expect(await server.headers(path)).toMatchObject({ 'x-index-progress': '1', 'x-index-head-version': '0' })
  }
})
