import { encodeFunctionData, pad, parseAbi, toFunctionSelector, toHex } from 'viem'
import { expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../../../../test/anvil.ts'
import { inFrontOf, readerOver } from '../../../../test/contractReader.ts'
import { both } from '../../../../test/contracts/artifacts/both.ts'
import { bytes32Name721 } from '../../../../test/contracts/artifacts/bytes32Name721.ts'
import { destructible721 } from '../../../../test/contracts/artifacts/destructible721.ts'
import { emitter } from '../../../../test/contracts/artifacts/emitter.ts'
import { endlessName721 } from '../../../../test/contracts/artifacts/endlessName721.ts'
import { ephemeralFactory } from '../../../../test/contracts/artifacts/ephemeralFactory.ts'
import { hostile721 } from '../../../../test/contracts/artifacts/hostile721.ts'
import { kitties } from '../../../../test/contracts/artifacts/kitties.ts'
import { nameless721 } from '../../../../test/contracts/artifacts/nameless721.ts'
import { plain20 } from '../../../../test/contracts/artifacts/plain20.ts'
import { plain721 } from '../../../../test/contracts/artifacts/plain721.ts'
import { plain1155 } from '../../../../test/contracts/artifacts/plain1155.ts'
import { revertingName721 } from '../../../../test/contracts/artifacts/revertingName721.ts'
import { address } from '../../../../test/evmSource.ts'
import { createRpcServer, RpcFailure, type RpcHandler } from '../../../../test/rpcServer.ts'
import type { Hex } from '../../../util/hex.ts'
import { maxUriLength } from '../../../util/metadataBounds.ts'
import { createRangeCaps } from '../source/logWidth.ts'
import { decodeTokenUri } from './createContractReader.ts'

test('behavior: a URI of the maximum metadata length is read whole, and a longer one is rejected', () => {
  const word = (value: number) => value.toString(16).padStart(64, '0')
  const answer = (length: number) => `0x${word(32)}${word(length)}${'78'.repeat(length)}` as const
  expect(decodeTokenUri(answer(maxUriLength))).toHaveLength(maxUriLength)
  const longer = { lasting: true, reason: `returns more than ${maxUriLength} characters` }
  expect(decodeTokenUri(answer(maxUriLength + 1))).toEqual(longer)
})

test('default: identify returns the standard, name, symbol and decimals of each kind of contract', async () => {
  await using anvil = await startAnvil()
  await using reader = readerOver(anvil.url)
  const none = { hasCode: true, standard: undefined, name: null, symbol: null }
  const deploy = (artifact: Parameters<Anvil['deploy']>[0], ...args: unknown[]) => anvil.deploy(artifact, args as never)
  expect(await reader.identify(await deploy(plain721, 'Plain', 'PLN', ''))).toEqual({
    ...none,
    standard: 'ERC721',
    name: 'Plain',
    symbol: 'PLN',
  })
  expect(await reader.identify(await deploy(plain1155, '', 'é'))).toEqual({
    ...none,
    standard: 'ERC1155',
    name: '',
    symbol: 'é',
  })
  expect(await reader.identify(await deploy(both))).toMatchObject({ standard: 'ERC1155' })
  expect(await reader.identify(await deploy(nameless721))).toEqual(none)
  expect(await reader.identify(await deploy(revertingName721))).toEqual(none)
  expect(await reader.identify(await deploy(endlessName721))).toEqual(none)
  expect(await reader.identify(await deploy(bytes32Name721))).toEqual({
    ...none,
    name: 'Thirty-two bytes',
    symbol: 'B32',
  })
  const ofKitties = await reader.identify(await deploy(kitties))
  expect(ofKitties.standard).toBeUndefined()
  expect(ofKitties).not.toHaveProperty('decimals')
  expect(await reader.identify(await deploy(plain20))).toMatchObject({ decimals: 18, name: 'Plain coin' })
  const hostile = await deploy(hostile721, '0x3c00fe', '0xeda080', '0x')
  await anvil.send({ to: hostile, abi: hostile721.abi, functionName: 'repeatName', args: [1_500n] })
  const { name, symbol } = await reader.identify(hostile)
  expect([name, symbol]).toEqual(['<\ufffd'.repeat(512), '\ufffd\ufffd\ufffd'])
  expect(await reader.identify(address(0xdead))).toEqual({ ...none, hasCode: false })
})

test('behavior: a contract has a token if one of the ids has an owner', async () => {
  await using anvil = await startAnvil()
  await using reader = readerOver(anvil.url)
  const collection = await anvil.deploy(plain721, ['Plain', 'PLN', ''])
  const most = 2n ** 256n - 1n
  await anvil.send({ to: collection, abi: plain721.abi, functionName: 'mint', args: [anvil.accounts[1]!, most] })
  expect(await reader.hasToken(collection, [1n, 2n, most])).toBe(true)
  expect(await reader.hasToken(collection, [1n, 2n])).toBe(false)
  expect(await reader.hasToken(collection, [])).toBe(false)
  const minted = await anvil.blockNumber()
  expect(await reader.hasToken(collection, [most], { block: minted })).toBe(true)
  expect(await reader.hasToken(collection, [most], { block: minted - 1n })).toBe(false)
  expect(await reader.hasToken(await anvil.deploy(plain20, []), [1n])).toBe(false)
  expect(await reader.hasToken(address(0xdead), [1n])).toBe(false)
})

test('behavior: the owner is the first word of the ownerOf result, whatever data follows', async () => {
  await using anvil = await startAnvil()
  const collection = await anvil.deploy(plain721, ['Plain', 'PLN', ''])
  const data = encodeFunctionData({ abi: plain721.abi, functionName: 'ownerOf', args: [1n] })
  const owner = `${pad(anvil.accounts[1]!)}${'00'.repeat(32)}`
  await using server = await inFrontOf(anvil, ({ method, params }) =>
    method === 'eth_call' && (params[0] as { data?: string }).data === data ? owner : undefined,
  )
  await using reader = readerOver(server.url)
  expect(await reader.hasToken(collection, [1n])).toBe(true)
})

test('behavior: a contract that answers every call counts as having no token', async () => {
  await using anvil = await startAnvil()
  await using reader = readerOver(anvil.url)
  for (const word of [toHex(1n, { size: 32 }), toHex(0n, { size: 32 }), toHex(2n ** 256n - 1n)] as const) {
    const contract = await anvil.deploy(emitter, [])
    const selector = toFunctionSelector('ownerOf(uint256)')
    await anvil.send({ to: contract, abi: emitter.abi, functionName: 'answer', args: [selector, false, word] })
    expect(await reader.hasToken(contract, [1n, 2n]), word).toBe(false)
  }
})

test('behavior: finds the deployment block, including block 1 and the head', async () => {
  await using anvil = await startAnvil()
  await using server = await inFrontOf(anvil, () => undefined)
  await using reader = readerOver(server.url)
  const first = await anvil.deploy(nameless721, [])
  await anvil.mine(400)
  const second = await anvil.deploy(nameless721, [])
  const at = await anvil.blockNumber()
  await anvil.mine(321)
  const last = await anvil.deploy(nameless721, [])
  const head = await anvil.blockNumber()
  expect(await reader.deploymentBlock(first, head)).toBe(1n)
  expect(await reader.deploymentBlock(second, head)).toBe(at)
  expect(await reader.deploymentBlock(last, head)).toBe(head)
  expect(server.exchanges.filter((exchange) => exchange.calls[0]!.method === 'eth_getCode').length).toBeLessThan(12)
  expect(await reader.deploymentBlock(address(0xdead), head)).toBeUndefined()
  for (const contract of [second, last]) {
    const exact = (await reader.deploymentBlock(contract, head))!
    for (const within of [2n, 20n, 300n]) {
      const near = (await reader.deploymentBlock(contract, head, { within: () => within }))!
      expect(near).toBeLessThanOrEqual(exact)
      expect(near + within).toBeGreaterThan(exact)
    }
  }
})

test.each(['0x0', '', null])(
  'behavior: %j instead of code counts as no code, and null for an old block as unknown',
  async (none) => {
    await using anvil = await startAnvil()
    await anvil.mine(30)
    const collection = await anvil.deploy(nameless721, [])
    await anvil.mine(30)
    await using server = await inFrontOf(anvil, async ({ method, params }) => {
      if (method !== 'eth_getCode') return undefined
      const code = await anvil.rpc<string>(method, params)
      return code === '0x' ? none : code
    })
    await using reader = readerOver(server.url)
    expect(await reader.identify(address(0xdead))).toMatchObject({ hasCode: false })
    expect(await reader.identify(collection)).toMatchObject({ hasCode: true })
    expect(await reader.deploymentBlock(collection, 61n)).toBe(none === null ? undefined : 31n)
  },
)

test('behavior: a node without old state gives no deployment block', async () => {
  await using anvil = await startAnvil()
  const collection = await anvil.deploy(nameless721, [])
  await anvil.mine(50)
  await using server = await inFrontOf(anvil, ({ method, params }) =>
    method === 'eth_getCode' && Number(params[1]) < 40 ? new RpcFailure(-32000, 'missing trie node 1f') : undefined,
  )
  await using reader = readerOver(server.url)
  expect(await reader.deploymentBlock(collection, 51n)).toBeUndefined()
})

test('behavior: code that was redeployed at an address with older logs has no deployment block', async () => {
  await using anvil = await startAnvil({ hardfork: 'shanghai' })
  await using reader = readerOver(anvil.url)
  const collection = await anvil.deploy(destructible721, [])
  const { abi } = destructible721
  await anvil.send({ to: collection, abi, functionName: 'mint', args: [anvil.accounts[1]!, 1n] })
  const code = await anvil.rpc('eth_getCode', [collection, 'latest'])
  await anvil.send({ to: collection, abi, functionName: 'destroy' })
  await anvil.mine(100)
  await anvil.rpc('anvil_setCode', [collection, code])
  await anvil.mine(1)
  expect(await reader.deploymentBlock(collection, await anvil.blockNumber())).toBeUndefined()
})

test('behavior: a destroyed contract is recognized by its logs', async () => {
  await using anvil = await startAnvil()
  await using reader = readerOver(anvil.url)
  const factory = await anvil.deploy(ephemeralFactory, [])
  const { blockNumber } = await anvil.send({
    to: factory,
    abi: ephemeralFactory.abi,
    functionName: 'run',
    args: [anvil.accounts[1]!, 0n, 3n],
  })
  const [log] = await anvil.rpc<{ data: string }[]>('eth_getLogs', [
    { address: factory, fromBlock: `0x${blockNumber.toString(16)}`, toBlock: 'latest' },
  ])
  const destroyed = `0x${log!.data.slice(-40)}` as const
  expect(await reader.identify(destroyed)).toMatchObject({ hasCode: false })
  expect(await reader.wasContract(destroyed, await anvil.blockNumber())).toBe(true)
  expect(await reader.wasContract(anvil.accounts[3]!, await anvil.blockNumber())).toBe(false)
})

test.each<[string, RpcHandler, boolean]>([
  ['too many logs', () => new RpcFailure(-32005, 'query returned more than 10000 results'), true],
  ['too wide a range and no code anywhere', () => new RpcFailure(-32602, 'range 99 exceeds limit of 10'), false],
])('behavior: decides whether an address was a contract when the node answers %s', async (_, rejection, expected) => {
  await using server = await createRpcServer((call, exchange) => {
    if (call.method === 'eth_chainId') return '0x7a69'
    return call.method === 'eth_getLogs' ? rejection(call, exchange) : '0x'
  })
  await using reader = readerOver(server.url)
  expect(await reader.wasContract(address(0xdead), 10_000n)).toBe(expected)
  expect(server.calls().length).toBeLessThan(40)
})

test('behavior: a contract that existed temporarily is found by its code at some height', async () => {
  await using server = await createRpcServer(({ method, params }) => {
    if (method === 'eth_chainId') return '0x7a69'
    if (method === 'eth_getLogs') return new RpcFailure(-32602, 'range 99 exceeds limit of 10')
    return Number(params[1]) > 5_000 && Number(params[1]) < 6_000 ? '0x60' : '0x'
  })
  await using reader = readerOver(server.url)
  expect(await reader.wasContract(address(0xdead), 10_000n)).toBe(true)
})

test('error: an unreachable node causes an error, not a verdict about the contract', async () => {
  const server = await createRpcServer(() => '0x')
  await server.close()
  await using reader = readerOver(server.url, 300)
  const stop = AbortSignal.timeout(1_500)
  await expect(reader.identify(address(1), { signal: stop })).rejects.toThrow()
  await expect(reader.hasToken(address(1), [1n], { signal: stop })).rejects.toThrow()
})

test('default: calls use the standard selectors of name, symbol and decimals', () => {
  const abi = parseAbi(['function name()', 'function symbol()', 'function decimals()'])
  const selectors = (['name', 'symbol', 'decimals'] as const).map((functionName) =>
    encodeFunctionData({ abi, functionName }),
  )
  expect(selectors).toEqual(['0x06fdde03', '0x95d89b41', '0x313ce567'])
})

test('behavior: logs below the deployment are searched beside its heights, and show how wide ranges the node answers', async () => {
  const [deployed, head] = [1_000_000, 20_000_000]
  await using server = await createRpcServer(({ method, params }) => {
    if (method === 'eth_chainId') return '0x7a69'
    return method === 'eth_getLogs' ? [] : Number(params[1]) >= deployed ? '0x60' : '0x'
  })
  const caps = createRangeCaps({ max: Number.MAX_SAFE_INTEGER, endpoints: 1 })
  await using reader = readerOver(server.url, undefined, caps)
  const reported: bigint[] = []
  const within = (above: bigint) => above / 64n
  const onFound = (block: bigint) => void reported.push(block)
  const block = (await reader.deploymentBlock(address(1), BigInt(head), { within, onFound }))!
  expect(reported).toEqual([block])
  expect(block).toBeLessThanOrEqual(BigInt(deployed))
  expect(deployed - Number(block)).toBeLessThan((head - deployed) / 64)
  const searched = server.calls('eth_getLogs').map(({ params }) => params[0] as { fromBlock: Hex; toBlock: Hex })
  expect(searched.map(({ fromBlock }) => Number(fromBlock))).toEqual([0, Number(searched[0]!.toBlock) + 1])
  expect(BigInt(searched[1]!.toBlock)).toBe(block - 1n)
  expect(server.calls('eth_getCode')).toHaveLength(66)
  expect(caps.first()).toBe(20_000)
})

test('behavior: a node that limits ranges gets one search for logs, whose rejection shows the limit', async () => {
  await using server = await createRpcServer(({ method, params }) => {
    if (method === 'eth_chainId') return '0x7a69'
    if (method === 'eth_getLogs') return new RpcFailure(-32602, 'block range is too large, the limit is 800')
    return Number(params[1]) >= 1_000_000 ? '0x60' : '0x'
  })
  const caps = createRangeCaps({ max: Number.MAX_SAFE_INTEGER, endpoints: 1 })
  await using reader = readerOver(server.url, undefined, caps)
  expect(await reader.deploymentBlock(address(1), 20_000_000n)).toBe(1_000_000n)
  expect(server.calls('eth_getLogs')).toHaveLength(1)
  expect(caps.widest()).toBe(800)
})

test('behavior: a contract without code at the given block is searched up to a newer head', async () => {
  await using server = await createRpcServer(({ method, params }) => {
    if (method === 'eth_chainId') return '0x7a69'
    return method === 'eth_getLogs' ? [] : Number(params[1]) >= 1_000_100 ? '0x60' : '0x'
  })
  await using reader = readerOver(server.url)
  const newer = (head: bigint) => reader.deploymentBlock(address(1), 1_000_000n, { newer: Promise.resolve(head) })
  expect(await newer(1_000_200n)).toBe(1_000_100n)
  expect(server.calls('eth_getCode').length).toBeLessThan(140)
  expect(await newer(1_000_000n)).toBeUndefined()
  expect(await newer(1_000_099n)).toBeUndefined()
  expect(await newer(1_000_100n)).toBe(1_000_100n)
})
