import { encodeAbiParameters, hexToString, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import type { Address, Hex } from '../../src/util/hex.ts'
import { zeroAddress } from '../../src/util/hex.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { both } from './artifacts/both.ts'
import { bytes32Name721 } from './artifacts/bytes32Name721.ts'
import { consecutive721 } from './artifacts/consecutive721.ts'
import { destructible721 } from './artifacts/destructible721.ts'
import { emitter } from './artifacts/emitter.ts'
import { endlessName721 } from './artifacts/endlessName721.ts'
import { enumerable721 } from './artifacts/enumerable721.ts'
import { ephemeralFactory } from './artifacts/ephemeralFactory.ts'
import { hostile721 } from './artifacts/hostile721.ts'
import { hostileUri721 } from './artifacts/hostileUri721.ts'
import { initializable20 } from './artifacts/initializable20.ts'
import { initializable721 } from './artifacts/initializable721.ts'
import { kitties } from './artifacts/kitties.ts'
import { multicall } from './artifacts/multicall.ts'
import { nameless721 } from './artifacts/nameless721.ts'
import { plain20 } from './artifacts/plain20.ts'
import { revertingName721 } from './artifacts/revertingName721.ts'
import { unindexed20 } from './artifacts/unindexed20.ts'
import { volume721 } from './artifacts/volume721.ts'
import { deployCloned721, deployProxied20, deployProxied721 } from './deployBehind.ts'
import { hostileTexts } from './hostileTexts.ts'
import { installMulticall } from './installMulticall.ts'
import { transferLogs } from './transferLogs.ts'

type RawLog = { address: Address; topics: Hex[]; data: Hex }
const logsOf = (anvil: Anvil, address: Address) =>
  anvil.rpc<RawLog[]>('eth_getLogs', [{ address, fromBlock: '0x0', toBlock: 'latest' }])
const call = (anvil: Anvil, to: Address, signature: string, args: Hex = '0x') =>
  anvil.rpc<Hex>('eth_call', [{ to, data: toFunctionSelector(signature) + args.slice(2), gas: '0x2dc6c0' }, 'latest'])
const word = (value: bigint): Hex => encodeAbiParameters([{ type: 'uint256' }], [value])

test('default: every test collection has the logs and functions that its name says', async () => {
  await using anvil = await startAnvil()
  const [alice, bob] = anvil.accounts as [Address, Address]

  const consecutive = await anvil.deploy(consecutive721, [
    [alice, bob],
    [4_000n, 10n],
  ])
  expect((await logsOf(anvil, consecutive)).map((log) => log.topics.length)).toEqual([4, 4])

  const old = await anvil.deploy(kitties, [])
  await anvil.send({ to: old, abi: kitties.abi, functionName: 'mintBatch', args: [alice, 1n, 3n] })
  expect((await logsOf(anvil, old)).map((log) => [log.topics.length, log.data.length])).toEqual(Array(3).fill([1, 194]))
  await expect(call(anvil, old, 'decimals()')).rejects.toThrow()
  await expect(call(anvil, old, 'supportsInterface(bytes4)', word(0n))).rejects.toThrow()

  const nameless = await anvil.deploy(nameless721, [])
  await expect(call(anvil, nameless, 'name()')).rejects.toThrow()
  const bytes32 = await anvil.deploy(bytes32Name721, [])
  expect(hexToString(await call(anvil, bytes32, 'name()'), { size: 32 })).toBe('Thirty-two bytes')
  await expect(call(anvil, await anvil.deploy(revertingName721, []), 'name()')).rejects.toThrow('no name')
  await expect(call(anvil, await anvil.deploy(endlessName721, []), 'name()')).rejects.toThrow(/gas/i)

  const coin = await anvil.deploy(unindexed20, [])
  await anvil.send({ to: coin, abi: unindexed20.abi, functionName: 'mint', args: [alice, 5n] })
  expect((await logsOf(anvil, coin)).map((log) => [log.topics.length, log.data.length])).toEqual([[1, 194]])
  const plain = await anvil.deploy(plain20, [])
  await anvil.send({ to: plain, abi: plain20.abi, functionName: 'mint', args: [alice, 5n] })
  expect((await logsOf(anvil, plain)).map((log) => log.topics.length)).toEqual([3])

  const twofold = await anvil.deploy(both, [])
  await anvil.send({ to: twofold, abi: both.abi, functionName: 'mint721', args: [alice, 1n] })
  await anvil.send({ to: twofold, abi: both.abi, functionName: 'mint1155', args: [alice, 1n, 9n] })
  expect(await logsOf(anvil, twofold)).toHaveLength(2)

  const enumerable = await anvil.deploy(enumerable721, ['Enumerable', 'ENU'])
  await anvil.send({ to: enumerable, abi: enumerable721.abi, functionName: 'mintBatch', args: [bob, 0n, 100n] })
  expect(await anvil.read({ to: enumerable, abi: enumerable721.abi, functionName: 'totalSupply' })).toBe(100n)
})

test('behavior: proxies and clones answer as their implementation contract', async () => {
  await using anvil = await startAnvil()
  const alice = anvil.accounts[0]!
  for (const deploy of [deployProxied721, deployCloned721]) {
    const to = await deploy(anvil, 'Behind', 'BHD')
    await anvil.send({ to, abi: initializable721.abi, functionName: 'mint', args: [alice, 7n] })
    expect(await anvil.read({ to, abi: initializable721.abi, functionName: 'name' })).toBe('Behind')
    expect((await logsOf(anvil, to)).some((log) => log.topics.length === 4)).toBe(true)
  }
  const coin = await deployProxied20(anvil, 'Coin', 'CN')
  await anvil.send({ to: coin, abi: initializable20.abi, functionName: 'mint', args: [alice, 7n] })
  expect(await anvil.read({ to: coin, abi: initializable20.abi, functionName: 'balanceOf', args: [alice] })).toBe(7n)
})

test('behavior: hostile names and URIs are returned byte for byte', async () => {
  await using anvil = await startAnvil()
  for (const bytes of Object.values(hostileTexts)) {
    const to = await anvil.deploy(hostile721, [bytes, bytes, bytes])
    expect(await anvil.read({ to, abi: hostile721.abi, functionName: 'name' })).toBe(bytes)
  }
  const to = await anvil.deploy(hostile721, [`0x${'41'.repeat(100)}`, '0x42', '0x43'])
  await anvil.send({ to, abi: hostile721.abi, functionName: 'repeatName', args: [1_000n] })
  const gas = 100_000_000n
  expect(await anvil.read({ to, abi: hostile721.abi, functionName: 'name', gas })).toBe(`0x${'41'.repeat(100_000)}`)

  const uris = await anvil.deploy(hostileUri721, [])
  for (const kind of [1n, 2n, 3n]) await expect(call(anvil, uris, 'tokenURI(uint256)', word(kind))).rejects.toThrow()
  expect(await call(anvil, uris, 'tokenURI(uint256)', word(6n))).toBe(`0x${'ff'.repeat(64)}`)
  expect(await call(anvil, uris, 'tokenURI(uint256)', word(7n))).toBe('0x')
})

test('behavior: the emitter contract emits any log and answers any call', async () => {
  await using anvil = await startAnvil()
  const [alice, bob] = anvil.accounts as [Address, Address]
  const to = await anvil.deploy(emitter, [])
  const logs = [
    transferLogs.erc721(zeroAddress, alice, 2n ** 256n - 1n, '0xdeadbeef'),
    transferLogs.erc20(alice, bob, 5n),
    transferLogs.unindexed(alice, bob, 5n),
    transferLogs.consecutive(1n, 10n, zeroAddress, bob),
    transferLogs.single(alice, zeroAddress, bob, 1n, 0n),
    transferLogs.batch(alice, zeroAddress, bob, [1n, 2n], [3n, 4n]),
    { topics: [], data: '0x01' } as const,
  ]
  await anvil.send({ to, abi: emitter.abi, functionName: 'emitLogs', args: [logs] })
  expect((await logsOf(anvil, to)).map(({ topics, data }) => ({ topics, data }))).toEqual(logs)

  const selector = toFunctionSelector('decimals()')
  await anvil.send({ to, abi: emitter.abi, functionName: 'answer', args: [selector, false, word(18n)] })
  expect(await call(anvil, to, 'decimals()')).toBe(word(18n))
  await expect(call(anvil, to, 'name()')).rejects.toThrow()
})

test('behavior: a self-destructed collection keeps its logs and loses its code', async () => {
  await using anvil = await startAnvil({ hardfork: 'shanghai' })
  const alice = anvil.accounts[0]!
  const to = await anvil.deploy(destructible721, [])
  await anvil.send({ to, abi: destructible721.abi, functionName: 'mintBatch', args: [alice, 1n, 5n] })
  await anvil.send({ to, abi: destructible721.abi, functionName: 'destroy' })
  expect(await anvil.rpc('eth_getCode', [to, 'latest'])).toBe('0x')
  expect(await logsOf(anvil, to)).toHaveLength(5)
})

test('behavior: a collection can exist for a single transaction', async () => {
  await using anvil = await startAnvil()
  const factory = await anvil.deploy(ephemeralFactory, [])
  await anvil.send({
    to: factory,
    abi: ephemeralFactory.abi,
    functionName: 'run',
    args: [anvil.accounts[0]!, 1n, 5n],
  })
  const [created] = await logsOf(anvil, factory)
  const collection: Address = `0x${created!.data.slice(-40)}`
  expect(await anvil.rpc('eth_getCode', [collection, 'latest'])).toBe('0x')
  expect(await logsOf(anvil, collection)).toHaveLength(5)
})

test('behavior: one call emits 20,000 logs', async () => {
  await using anvil = await startAnvil()
  const to = await anvil.deploy(volume721, [])
  const gas = 100_000_000n
  await anvil.send({ to, abi: volume721.abi, functionName: 'mint', args: [anvil.accounts[0]!, 0n, 20_000n], gas })
  expect(await logsOf(anvil, to)).toHaveLength(20_000)
})

test('behavior: multicall reports the failure of each call separately', async () => {
  await using anvil = await startAnvil()
  await installMulticall(anvil)
  const coin = await anvil.deploy(unindexed20, [])
  const result = await anvil.read({
    to: '0xca11bde05977b3631167028862be2a173976ca11',
    abi: multicall.abi.map((item) => (item.type === 'function' ? { ...item, stateMutability: 'view' as const } : item)),
    functionName: 'aggregate3',
    args: [
      [
        { target: coin, allowFailure: true, callData: toFunctionSelector('decimals()') },
        { target: coin, allowFailure: true, callData: toFunctionSelector('ownerOf(uint256)') },
      ],
    ],
  } as never)
  expect(result).toMatchObject([{ success: true, returnData: word(18n) }, { success: false }])
})
