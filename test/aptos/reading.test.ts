import { expect, test } from 'vitest'
import { createRandom, freshSeed } from '../random.ts'
import { system } from '../system.ts'
import { type AptosChain, createAptosChain } from './aptosChain.ts'
import { type CoinTruth, makeCoins } from './coinActivity.ts'
import { type CoinClient, expectCoins, startCoinServer } from './coinServer.ts'
import { startFakeFullnode } from './fakeFullnode.ts'
import { startFakeStream } from './fakeStream.ts'
import { inventTransaction } from './inventedTransaction.ts'
import type { NodeFault, NodeFaults } from './nodeFaults.ts'

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

function faults(shares: NodeFaults['shares']): NodeFaults {
  return { shares, random, counts: new Map<NodeFault, number>() }
}

/** The kinds of errors that have not struck yet. */
function missing({ counts }: NodeFaults, kinds: readonly NodeFault[]): NodeFault[] {
  return kinds.filter((kind) => !counts.get(kind))
}

/** Grows the chain while the server reads it: five times, and then until every error has struck. Otherwise the test would prove nothing. */
async function grow(
  server: CoinClient,
  chain: AptosChain,
  truth: CoinTruth,
  lacking: () => NodeFault[],
): Promise<void> {
  await server.untilCovered(chain.head())
  for (let round = 0; round < 5 || (lacking().length > 0 && round < 50); round++) {
    makeCoins(chain, truth, random, 60)
    await server.untilCovered(chain.head())
  }
  expect(lacking()).toEqual([])
}

test('default: a stream is read from genesis, then followed', async () => {
  const { chain, truth } = madeChain(800)
  const stream = await startFakeStream({ chain, token: 'secret' })
  await using server = await startCoinServer({ mainnet: { grpc: stream.address, token: 'secret', silenceMs: 400 } })
  await server.untilCovered(chain.head())
  await expectCoins(server, truth)
  const version = chain.add(inventTransaction({ coins: [{ type: '0xfeed::new::Coin', name: 'New', symbol: 'NEW' }] }))
  await expect
    .poll(async () => (await server.page('limit=1')).result[0]?.transaction_version_created, { interval: 10 })
    .toBe(String(version))
  expect(await server.headers()).toMatchObject({ 'x-index-status': 'synced', 'x-index-progress': '1' })
})

test('default: a fullnode is read over REST from genesis, then followed', async () => {
  const { chain, truth } = madeChain(1_200)
  const node = await startFakeFullnode({ chain })
  await using server = await startCoinServer({ mainnet: { rest: node.url, pollIntervalMs: 200 } })
  await server.untilCovered(chain.head())
  await expectCoins(server, truth)
  // The server reads pages of 100, and reads none of them again.
  expect(node.pages()).toBeLessThan(27)
  const version = chain.add(inventTransaction({ coins: [{ type: '0xfeed::new::Coin', name: 'New', symbol: 'NEW' }] }))
  await expect
    .poll(async () => (await server.page('limit=1')).result[0]?.transaction_version_created, { interval: 10 })
    .toBe(String(version))
})

test('behavior: reads a fullnode under a path that requires a key in the query of every request', async () => {
  const { chain, truth } = madeChain(250)
  const node = await startFakeFullnode({ chain, demands: { query: 'key=a%2Fb' }, root: '/keys/v1' })
  await using server = await startCoinServer({ mainnet: { rest: `${node.url}/?key=a%2Fb`, pollIntervalMs: 20 } })
  await server.untilCovered(chain.head())
  await expectCoins(server, truth)
})

test('behavior: a stream with every kind of fault gives the same coins', system, async () => {
  const { chain, truth } = madeChain(2_000)
  const broken = faults({
    ...{ cut: 0.04, half: 0.04, silence: 0.004, duplicate: 0.05, gap: 0.04, rateLimit: 0.01, unavailable: 0.04 },
    ...{ early: 0.04, nonsense: 0.01 },
  })
  const stream = await startFakeStream({ chain, faults: broken, withoutVersion: 'refuse' })
  await using server = await startCoinServer({ mainnet: { grpc: stream.address, silenceMs: 300, rangeWidth: 100 } })
  await grow(server, chain, truth, () => missing(broken, ['cut', 'half', 'duplicate', 'gap', 'unavailable', 'early']))
  await expectCoins(server, truth)
})

test('behavior: a fullnode with every kind of fault gives the same coins', system, async () => {
  const { chain, truth } = madeChain(3_000)
  const broken = faults({
    ...{
      cut: 0.05,
      half: 0.05,
      duplicate: 0.05,
      gap: 0.05,
      rateLimit: 0.05,
      unavailable: 0.05,
      lag: 0.1,
      nonsense: 0.05,
    },
  })
  const node = await startFakeFullnode({ chain, faults: broken, maxPage: 10 })
  await using server = await startCoinServer({ mainnet: { rest: node.url, pollIntervalMs: 20 } })
  await grow(server, chain, truth, () =>
    missing(broken, ['cut', 'half', 'duplicate', 'gap', 'rateLimit', 'unavailable', 'nonsense']),
  )
  await expectCoins(server, truth)
})

test('behavior: history ranges are read concurrently, even above version 2^32', system, async () => {
  const chain = createAptosChain({ chainId: 1, first: 6_643_353_000n })
  const truth: CoinTruth = new Map()
  makeCoins(chain, truth, random, 9_000)
  const node = await startFakeFullnode({ chain, oldest: () => 6_643_353_000n })
  await using server = await startCoinServer({
    mainnet: { rest: node.url, startVersion: '6643353000', pollIntervalMs: 50, rangesInFlight: 4 },
  })
  await server.untilCovered(chain.head())
  await expectCoins(server, truth)
})

test('behavior: reads a stream with processed ranges while REST reports the head', system, async () => {
  const { chain, truth } = madeChain(500)
  const stream = await startFakeStream({ chain, processedRange: true })
  const node = await startFakeFullnode({ chain, bare: true })
  await using server = await startCoinServer({ mainnet: { grpc: stream.address, rest: node.url } })
  await server.untilCovered(chain.head())
  await expectCoins(server, truth)
  expect(node.pages()).toBe(0)
})

test.each(['1000000000000000', '99999999999999999999'])(
  'behavior: recovers from a node that first reports its head as %s',
  async (lie) => {
    const { chain, truth } = madeChain(600)
    let lies = 4
    const node = await startFakeFullnode({ chain, reportedHead: () => (lies-- > 0 ? lie : undefined) })
    await using server = await startCoinServer({ mainnet: { rest: node.url, pollIntervalMs: 20 } })
    await server.untilCovered(chain.head())
    await expect.poll(async () => (await server.headers())['x-index-progress']).toBe('1')
    expect(await server.headers()).toMatchObject({
      'x-index-status': 'synced',
      'x-index-head-version': String(chain.head()),
    })
    expect(await server.headers()).not.toHaveProperty('x-index-failure')
    await expectCoins(server, truth)
  },
)

test('behavior: two networks read concurrently stay separate', system, async () => {
  const [one, two] = [madeChain(300, 1), madeChain(200, 2)]
  const stream = await startFakeStream({ chain: one.chain })
  const node = await startFakeFullnode({ chain: two.chain, bare: true })
  await using server = await startCoinServer({
    mainnet: { grpc: stream.address, silenceMs: 300 },
    testnet: { rest: node.url, pollIntervalMs: 50 },
  })
  await server.untilCovered(one.chain.head())
  await server.untilCovered(two.chain.head(), '/aptos/testnet')
  await expectCoins(server, one.truth)
  await expectCoins(server, two.truth, '/aptos/testnet')
})

test.each([410, 500] as const)('error: versions that the node pruned are reported (%i)', async (prunedStatus) => {
  const { chain } = madeChain(300)
  const node = await startFakeFullnode({ chain, oldest: () => 100n, prunedStatus })
  await using server = await startCoinServer({ mainnet: { rest: node.url, pollIntervalMs: 20 } })
  await expect
    .poll(async () => (await server.headers())['x-index-failure'])
    .toContain('keeps versions from 100 on only')
  expect((await server.headers())['x-index-status']).toBe('failed')
})

test('error: another chain under the same name is not read, and the stored data stays', async () => {
  const { chain, truth } = madeChain(200)
  let chainId = 1
  const node = await startFakeFullnode({ chain, chainId: () => chainId })
  await using server = await startCoinServer({ mainnet: { rest: node.url, pollIntervalMs: 20 } })
  await server.untilCovered(chain.head())
  chainId = 2
  chain.add(inventTransaction({ coins: [{ type: '0xbad::other::Chain', name: 'Bad', symbol: 'BAD' }] }))
  await expect
    .poll(async () => (await server.headers())['x-index-failure'])
    .toContain('serves chain 2, but mainnet is chain 1')
  await expectCoins(server, truth)
})

test('error: a stream that switches to another chain is reported and no longer read', async () => {
  const { chain, truth } = madeChain(200)
  let chainId = 1
  const stream = await startFakeStream({ chain, chainId: () => chainId })
  await using server = await startCoinServer({ mainnet: { grpc: stream.address, silenceMs: 300 } })
  await server.untilCovered(chain.head())
  chainId = 7
  chain.add(inventTransaction({ coins: [{ type: '0xbad::other::Chain', name: 'Bad', symbol: 'BAD' }] }))
  await expect.poll(async () => (await server.headers())['x-index-failure']).toContain('serves chain 7')
  await expectCoins(server, truth)
})

test('error: a wrong token is reported, and the server is not ready', async () => {
  const { chain } = madeChain(20)
  const stream = await startFakeStream({ chain, token: 'right' })
  await using server = await startCoinServer({ mainnet: { grpc: stream.address, token: 'wrong', silenceMs: 300 } })
  await expect.poll(async () => (await server.headers())['x-index-failure']).toContain('no such key')
  const ready = await server.get('/ready')
  expect(ready.status).toBe(503)
  expect(await ready.text()).toContain('aptos mainnet')
})
