import { expect, test } from 'vitest'
import { address, lying, mint, nft, openSource, other, topics } from '../../../../test/evmSource.ts'
import { createRpcServer, type RpcServer } from '../../../../test/rpcServer.ts'
import { createScriptedNode } from '../../../../test/scriptedNode.ts'
import type { Address } from '../../../util/hex.ts'

test('default: reads identity, head, headers and logs', async () => {
  const chain = createScriptedNode({ blocks: 10 })
  chain.add([mint(), mint(other)])
  chain.add([mint(nft, 2)])
  chain.finalized = 11
  await using server = await createRpcServer(chain.handler())
  await using over = openSource([server])
  expect(await over.source.identity()).toEqual({ chainId: 31337n, genesisHash: chain.blocks[0]!.hash })
  expect(await over.source.head()).toMatchObject({
    head: { number: 11n, hash: chain.blocks[11]!.hash },
    finalized: 11n,
  })
  const headers = await over.source.headers(0n, 11n)
  expect(headers.map((header) => header.hash)).toEqual(chain.blocks.map((block) => block.hash))
  const { logs, to, toHash } = await over.source.logs({ address: nft, topics, from: 0n, to: 11n })
  expect(logs).toEqual([chain.blocks[10]!.logs[0], chain.blocks[11]!.logs[0]])
  expect([to, toHash]).toEqual([11n, chain.blocks[11]!.hash])
  expect(await over.omissions()).toEqual({})
})

test('behavior: without a finalized tag, the finalized block follows from finalityDepth', async () => {
  const chain = createScriptedNode({ blocks: 100 })
  await using server = await createRpcServer(chain.handler())
  await using over = openSource([server], { finalityDepth: 20 })
  expect((await over.source.head()).finalized).toBe(79n)
  await over.source.head()
  expect(server.calls().filter((call) => call.params[0] === 'finalized')).toHaveLength(1)
  await using shallow = openSource([server], { finalityDepth: 500 })
  expect((await shallow.source.head()).finalized).toBe(0n)
})

test('behavior: the finalized block never decreases, even when the tag disappears', async () => {
  const chain = createScriptedNode({ blocks: 100 })
  chain.finalized = 50
  await using server = await createRpcServer(chain.handler())
  await using over = openSource([server], { finalityDepth: 1 })
  expect((await over.source.head()).finalized).toBe(50n)
  chain.finalized = 40
  expect((await over.source.head()).finalized).toBe(50n)
  chain.finalized = undefined
  expect((await over.source.head()).finalized).toBe(50n)
})

test('behavior: a head below the finalized block is requested from another node', async () => {
  const chain = createScriptedNode({ blocks: 100 })
  chain.finalized = 90
  let head = 99
  await using lagging = await createRpcServer(chain.handler({ head: () => head }))
  await using good = await createRpcServer(chain.handler())
  await using over = openSource([lagging, good])
  await over.source.head()
  head = 80
  expect((await over.source.head()).head.number).toBe(99n)
  expect(await over.omissions()).toEqual({ head: 1 })
  await using alone = openSource([good])
  await alone.source.head()
  chain.drop(20)
  chain.finalized = 79
  await expect(alone.source.head()).rejects.toMatchObject({ code: 'INCONSISTENT_RESPONSE', retryable: true })
})

test('behavior: headerUnder reads a block from a node with that head, or the next lower block that it has', async () => {
  const chain = createScriptedNode({ blocks: 20 })
  const fork = createScriptedNode({ blocks: 20 })
  for (let i = 0; i < 10; i++) chain.add()
  for (let i = 0; i < 12; i++) fork.add([], `fork ${i}`)
  const missing = lying(chain, ({ params }) => (['0x18', '0x17'].includes(String(params[0])) ? null : undefined))
  await using one = await createRpcServer(fork.handler())
  await using other = await createRpcServer(missing)
  await using over = openSource([one, other])
  await using alone = openSource([other])
  const { head } = await alone.source.head()
  const under = async (number: bigint) => (await over.source.headerUnder(head, number))?.hash
  for (let i = 0; i < 4; i++) {
    expect(await under(25n)).toBe(chain.blocks[25]!.hash)
    expect(await under(24n)).toBe(chain.blocks[22]!.hash)
  }
  chain.drop(1)
  expect(await under(25n)).toBeUndefined()
})

test('behavior: the header list ends where the node has no later ones', async () => {
  const chain = createScriptedNode({ blocks: 250 })
  await using server = await createRpcServer(chain.handler())
  await using over = openSource([server])
  expect((await over.source.headers(100n, 300n)).map((header) => Number(header.number))).toEqual(
    Array.from({ length: 150 }, (_, i) => 100 + i),
  )
})

test('behavior: the header list ends where a header does not match its parent', async () => {
  const chain = createScriptedNode({ blocks: 10 })
  const fork = createScriptedNode({ blocks: 5 })
  fork.add([], 'fork')
  const forked = fork.handler()
  await using server = await createRpcServer(
    lying(chain, (call, exchange) => (call.params[0] === '0x5' ? forked(call, exchange) : undefined)),
  )
  await using over = openSource([server])
  expect((await over.source.headers(2n, 9n)).map((header) => header.number)).toEqual([2n, 3n, 4n, 5n])
})

/** Returns the number of blocks that were requested by number. */
const headersRequested = (server: RpcServer) =>
  server.calls('eth_getBlockByNumber').filter(({ params }) => params[0] !== 'latest' && params[0] !== 'finalized')
    .length

test('behavior: concurrent catch-ups share one read of the headers between finalized and head, however many', async () => {
  const blocks = 3_500
  const chain = createScriptedNode({ blocks })
  chain.finalized = 200
  await using server = await createRpcServer(chain.handler())
  await using over = openSource([server], {}, blocks)
  await over.source.head()
  const to = BigInt(blocks - 1)
  const join = (of: Address, from: bigint) => over.source.logs({ address: of, topics, from, to })
  await Promise.all([join(nft, 190n), join(other, 201n), join(address(0xcc), 155n)])
  const first = headersRequested(server)
  // On a slow machine a request may come too late, and is repeated.
  expect(first).toBeLessThan(1.5 * blocks)
  await join(address(0xdd), 201n)
  expect(headersRequested(server) - first).toBeLessThan(0.5 * blocks)
})

test('behavior: a reorganisation at the head rereads only the headers around it', async () => {
  const chain = createScriptedNode({ blocks: 1_000 })
  chain.finalized = 100
  await using server = await createRpcServer(chain.handler())
  await using over = openSource([server])
  await over.source.head()
  await over.source.logs({ address: nft, topics, from: 0n, to: 999n })
  const first = headersRequested(server)
  chain.drop(5)
  for (let i = 0; i < 5; i++) chain.add([mint(nft, i)], 'fork')
  const { logs, toHash } = await over.source.logs({ address: nft, topics, from: 0n, to: 999n })
  expect(logs).toHaveLength(5)
  expect(toHash).toBe(chain.blocks[999]!.hash)
  expect(headersRequested(server) - first).toBeLessThan(500)
})

test('error: rejects a balance that is not a hex number', async () => {
  const chain = createScriptedNode({ blocks: 2 })
  let answer: unknown
  await using server = await createRpcServer(
    lying(chain, ({ method }) => (method === 'eth_getBalance' ? answer : undefined)),
  )
  await using over = openSource([server])
  const [, header] = await over.source.headers(0n, 1n)
  const balance = async (given: unknown) => {
    answer = given
    return over.source.balances(header!, [nft])
  }
  expect([await balance('0x10'), await balance('0x0'), await balance('0x00Ff')]).toEqual([[16n], [0n], [255n]])
  for (const none of ['', '0x', null, [], true, 7, '12', '0xzz', {}])
    await expect(balance(none)).rejects.toThrow('no number')
})

test('error: a block whose transactions no node returns is unsettled, and the error counts them', async () => {
  const chain = createScriptedNode({ blocks: 1 })
  chain.add([mint()])
  await using server = await createRpcServer(
    lying(chain, ({ params }) => (params[1] === true ? { hash: chain.blocks[1]!.hash, transactions: [] } : undefined)),
  )
  await using over = openSource([server])
  const [, header] = await over.source.headers(0n, 1n)
  await expect(over.source.transactions(header!)).rejects.toThrow(
    /^block 1 \(0x[0-9a-f]{64}\) of \S+ cannot be settled: .*0 transactions of 1/,
  )
})
