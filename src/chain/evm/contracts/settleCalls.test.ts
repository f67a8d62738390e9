import { expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../../../../test/anvil.ts'
import { inFrontOf, readerOver } from '../../../../test/contractReader.ts'
import { drawn721 } from '../../../../test/contracts/artifacts/drawn721.ts'
import { hostileUri721 } from '../../../../test/contracts/artifacts/hostileUri721.ts'
import { plain721 } from '../../../../test/contracts/artifacts/plain721.ts'
import { installMulticall } from '../../../../test/contracts/installMulticall.ts'
import { uriCode } from '../../../../test/contracts/uriCode.ts'
import { RpcFailure } from '../../../../test/rpcServer.ts'
import { type Address, quantity } from '../../../util/hex.ts'
import { maxUriLength } from '../../../util/metadataBounds.ts'
import { multicall3 } from './multicall.ts'

/** A chain with or without Multicall3. */
async function startChain(hasMulticall: boolean): Promise<Anvil> {
  const anvil = await startAnvil()
  if (hasMulticall) await installMulticall(anvil)
  return anvil
}

/** The token ids 0 to `count` - 1. */
const idsBelow = (count: number) => Array.from({ length: count }, (_, i) => BigInt(i))

/** Deploys a contract with the tokens 0 to `count` - 1, whose URIs are ipfs://base/<id>. */
async function deployPlain(anvil: Anvil, count: bigint): Promise<Address> {
  const { abi } = plain721
  const to = await anvil.deploy(plain721, ['Plain', 'PLN', 'ipfs://base/'])
  await anvil.send({ to, abi, functionName: 'mintBatch', args: [anvil.accounts[1]!, 0n, count] })
  return to
}

/** Deploys a contract with the tokens 0 to `count` - 1, each of whose URIs uses `cost` gas. */
async function deployDrawn(anvil: Anvil, cost: bigint, count: bigint): Promise<Address> {
  const to = await anvil.deploy(drawn721, [cost])
  await anvil.send({ to, abi: drawn721.abi, functionName: 'mintBatch', args: [anvil.accounts[1]!, 0n, count] })
  return to
}

test.each([
  ['with Multicall3', true],
  ['without Multicall3', false],
])('behavior: reads hostile token URIs of every kind %s', async (_, deployed) => {
  await using anvil = await startChain(deployed)
  const collection = await anvil.deploy(hostileUri721, [])
  await using server = await inFrontOf(anvil, () => undefined)
  await using reader = readerOver(server.url)
  const ids = idsBelow(40)
  const kinds = [
    'https://example.org/0',
    { lasting: true, reason: 'reverts' },
    { lasting: true, reason: 'reverts' },
    { lasting: false, reason: expect.stringMatching(/^does not end within 50000000 gas/) },
    '\ufffd\ufffd\ufffd\ufffd',
    '',
    { lasting: true, reason: 'returns no text' },
    { lasting: true, reason: 'returns nothing' },
  ]
  expect(await reader.tokenUris(collection, 'ERC721', ids)).toEqual(ids.map((id) => kinds[Number(id) % 8]))
  const uses = server.calls('eth_call').filter(({ params }) => (params[0] as { to: string }).to === multicall3)
  expect(uses.length > 0).toBe(deployed)
})

test('behavior: Multicall3 reads many token URIs in few requests', async () => {
  await using anvil = await startChain(true)
  const collection = await deployPlain(anvil, 200n)
  await using server = await inFrontOf(anvil, () => undefined)
  await using reader = readerOver(server.url)
  const ids = idsBelow(210)
  const expected = ids.map((id) => (id < 200n ? `ipfs://base/${id}` : { lasting: true, reason: 'reverts' }))
  expect(await reader.tokenUris(collection, 'ERC721', ids)).toEqual(expected)
  const requested = server.calls('eth_call').map(({ params }) => (params[0] as { to: string }).to)
  expect(requested.filter((to) => to === multicall3)).toHaveLength(5)
  // Each of the ten reverting calls is repeated alone, until two answers agree.
  expect(requested.filter((to) => to === collection)).toHaveLength(20)
})

test('behavior: a multicall that the node rejects is split in halves', async () => {
  await using anvil = await startChain(true)
  const collection = await deployPlain(anvil, 50n)
  await using server = await inFrontOf(anvil, ({ params }) =>
    JSON.stringify(params).length > 6_000 ? new RpcFailure(-32000, 'out of gas') : undefined,
  )
  await using reader = readerOver(server.url)
  const ids = idsBelow(50)
  expect(await reader.tokenUris(collection, 'ERC721', ids)).toEqual(ids.map((id) => `ipfs://base/${id}`))
})

test.each([
  ['8 million gas with Multicall3', 8_000_000n, true],
  ['15 million gas with Multicall3', 15_000_000n, true],
  ['30 million gas with Multicall3', 30_000_000n, true],
  ['8 million gas without Multicall3', 8_000_000n, false],
])('behavior: reads token URIs generated on chain for %s, at every position of a batch', async (_, cost, deployed) => {
  await using anvil = await startChain(deployed)
  const collection = await deployDrawn(anvil, cost, 8n)
  await using server = await inFrontOf(anvil, () => undefined)
  await using reader = readerOver(server.url)
  const ids = idsBelow(8)
  const expected = ids.map((id) => `ipfs://drawn/${String.fromCharCode(65 + Number(id))}`)
  expect(await reader.tokenUris(collection, 'ERC721', ids)).toEqual(expected)
  expect(await reader.tokenUris(collection, 'ERC721', ids.toReversed())).toEqual(expected.toReversed())
  expect(await reader.tokenUris(collection, 'ERC721', [7n])).toEqual([expected[7]])
})

test('behavior: the gas that the token URIs of a contract need is remembered', async () => {
  await using anvil = await startChain(true)
  const collection = await deployDrawn(anvil, 8_000_000n, 12n)
  await using server = await inFrontOf(anvil, () => undefined)
  await using reader = readerOver(server.url)
  const ids = idsBelow(12)
  await reader.tokenUris(collection, 'ERC721', ids)
  const requested = server.calls('eth_call').length
  await reader.tokenUris(collection, 'ERC721', ids)
  expect(server.calls('eth_call').slice(requested)).toHaveLength(3)
})

test('behavior: a single revert of a lagging node is not taken as the result', async () => {
  await using anvil = await startAnvil()
  const collection = await anvil.deploy(plain721, ['Plain', 'PLN', 'ipfs://base/'])
  const { abi } = plain721
  const to = anvil.accounts[1]!
  const { blockNumber } = await anvil.send({ to: collection, abi, functionName: 'mint', args: [to, 1n] })
  let remaining = 1
  await using server = await inFrontOf(anvil, ({ method }) =>
    method === 'eth_call' && remaining-- > 0
      ? new RpcFailure(3, 'execution reverted: no token', '0x7e273289')
      : undefined,
  )
  await using reader = readerOver(server.url)
  expect(await reader.tokenUris(collection, 'ERC721', [1n], { since: blockNumber })).toEqual(['ipfs://base/1'])
})

test('behavior: a node that does not have the mint block yet is queried again', async () => {
  await using anvil = await startAnvil()
  const collection = await anvil.deploy(plain721, ['Plain', 'PLN', 'ipfs://base/'])
  const before = await anvil.blockNumber()
  const { abi } = plain721
  const to = anvil.accounts[1]!
  const { blockNumber } = await anvil.send({ to: collection, abi, functionName: 'mint', args: [to, 1n] })
  // The load balancer has a lagging node. Its head is the previous block, and it does not know later ones.
  let lagging = 4
  await using server = await inFrontOf(anvil, ({ method, params }) => {
    if (method === 'eth_blockNumber') return `0x${before.toString(16)}`
    if (method !== 'eth_call' || lagging-- <= 0) return undefined
    const requested = params[1]
    if (requested === 'latest' || BigInt(requested as string) <= before)
      return new RpcFailure(3, 'execution reverted', '0x')
    return new RpcFailure(-32000, 'header not found')
  })
  await using reader = readerOver(server.url)
  expect(await reader.tokenUris(collection, 'ERC721', [1n, 2n], { since: blockNumber })).toEqual([
    'ipfs://base/1',
    { lasting: true, reason: 'reverts' },
  ])
})

test('behavior: a block that no node has leaves the token URI undecided', async () => {
  await using anvil = await startAnvil()
  const collection = await anvil.deploy(plain721, ['Plain', 'PLN', 'ipfs://base/'])
  await using reader = readerOver(anvil.url)
  const since = (await anvil.blockNumber()) + 5n
  const [outcome] = await reader.tokenUris(collection, 'ERC721', [1n], { since })
  expect(outcome).toMatchObject({ lasting: false })
})

test.each([
  ['with Multicall3', true],
  ['without Multicall3', false],
])('behavior: a URI from before an update is not accepted from a lagging node, %s', async (_, deployed) => {
  const collection: Address = '0x00000000000000000000000000000000000c0de5'
  const ids = [1, 2, 3]
  const nodeWithError = async (text: string) => {
    const anvil = await startChain(deployed)
    const uris = new Map(ids.map((id) => [id, `ipfs://${text}/${id}`]))
    await anvil.rpc('anvil_setCode', [collection, uriCode(uris)])
    await anvil.mine()
    return anvil
  }
  await using behind = await nodeWithError('hidden')
  await using anvil = await nodeWithError('revealed')
  await anvil.mine()
  // The load balancer has a lagging node. Its head is the block before the update, and it does not know later ones.
  const before = await behind.blockNumber()
  let lagging = 2
  await using server = await inFrontOf(anvil, ({ method, params }) => {
    if (method === 'eth_blockNumber') return quantity(before)
    if (method !== 'eth_call' || lagging === 0) return undefined
    lagging--
    const [call, tag] = params as [object, string]
    if (tag !== 'latest' && BigInt(tag) > before) return new RpcFailure(-32000, 'header not found')
    return behind.rpc('eth_call', [call, 'latest'])
  })
  await using reader = readerOver(server.url)
  const since = before + 1n
  const revealed = ids.map((id) => `ipfs://revealed/${id}`)
  expect(await reader.tokenUris(collection, 'ERC721', ids.map(BigInt), { since })).toEqual(revealed)
})

test('behavior: a percent-encoded token URI of the maximum length is read, and a longer one is rejected', async () => {
  await using anvil = await startChain(true)
  const collection: Address = '0x00000000000000000000000000000000000c0de5'
  const start = 'data:application/json,'
  const longest = start + '%7B'.repeat(maxUriLength / 3).slice(0, maxUriLength - start.length)
  const uris = new Map([
    [1, 'ipfs://short/1'],
    [2, longest],
    [3, `${longest}0`],
  ])
  await anvil.rpc('anvil_setCode', [collection, uriCode(uris)])
  await using reader = readerOver(anvil.url)
  const [short, long, longer] = await reader.tokenUris(collection, 'ERC721', [1n, 2n, 3n])
  expect(short).toBe('ipfs://short/1')
  expect(long === longest).toBe(true)
  expect(longer).toEqual({ lasting: true, reason: expect.stringMatching(/^returns more than/) })
})

test.each([
  ['with Multicall3', true],
  ['without Multicall3', false],
])('behavior: limits the long URIs of one read %s to its answer budget', async (_, deployed) => {
  await using anvil = await startChain(deployed)
  const collection: Address = `0x${'c0'.repeat(20)}`
  // The contract returns an ABI string of 100,000 NULs for every call.
  const long = '60205f52620186a0602052620186e05ff3'
  await anvil.rpc('anvil_setCode', [collection, `0x${long}`])
  await using reader = readerOver(anvil.url)
  const ids = idsBelow(300)
  const uris = await reader.tokenUris(collection, 'ERC721', ids, { answerBudget: 200_000 })
  expect(uris.length).toBeGreaterThan(0)
  expect(uris.length).toBeLessThan(deployed ? 250 : 150)
  expect(new Set(uris)).toEqual(new Set(['']))
})
