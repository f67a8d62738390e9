// @module-tag system

import { encodeAbiParameters, toFunctionSelector, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Address, Hex } from '../../src/util/hex.ts'
import { zeroAddress } from '../../src/util/hex.ts'
import { type Anvil, startAnvil, toTransaction } from '../anvil.ts'
import { both } from '../contracts/artifacts/both.ts'
import { emitter } from '../contracts/artifacts/emitter.ts'
import { initializable721 } from '../contracts/artifacts/initializable721.ts'
import { nameless721 } from '../contracts/artifacts/nameless721.ts'
import { plain20 } from '../contracts/artifacts/plain20.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { silentDataId721 } from '../contracts/artifacts/silentDataId721.ts'
import { deployProxied721, upgradeProxy } from '../contracts/deployBehind.ts'
import { type LogToEmit, transferLogs } from '../contracts/transferLogs.ts'
import { startTestServer, type TestServer } from '../mintmark.ts'
import { expectTruth } from './ownership.ts'

// Contracts whose first tokens come late, have another standard, or belong to another contract at the same address.

let anvil: Anvil
let server: TestServer
let alice: Address
let bob: Address

beforeAll(async () => {
  anvil = await startAnvil({ slotsInAnEpoch: 4 })
  ;[alice, bob] = anvil.accounts as [Address, Address]
  await anvil.mine(20)
  server = await startTestServer({ rpc: [anvil.url] })
})
afterAll(async () => {
  await server?.close()
  await anvil?.stop()
})

const emission = (to: Address, logs: readonly LogToEmit[]) =>
  ({ to, abi: emitter.abi, functionName: 'emitLogs', args: [logs as { topics: Hex[]; data: Hex }[]] }) as const
const emit = (to: Address, ...logs: LogToEmit[]) => anvil.send(emission(to, logs))

/** A contract with decimals() 18 and no standard. Its Transfer logs with three topics move coins. */
async function deployCoins(): Promise<Address> {
  const to = await anvil.deploy(emitter, [])
  const selector = toFunctionSelector('decimals()')
  await anvil.send({ to, abi: emitter.abi, functionName: 'answer', args: [selector, false, toHex(18n, { size: 32 })] })
  return to
}

/** The listed tokens once the list covers the head. */
async function listed(address: Address): Promise<unknown[]> {
  await server.untilSynced(address, await anvil.blockNumber())
  return (await server.walk(address)).map((r) => [r.token_id, r.owner_of, r.contract_type]).sort()
}

const status = async (address: Address) => (await server.page(address)).headers.get('x-index-status')

test('default: a contract without tokens is SYNCED and empty, and its tokens are listed once they are minted', async () => {
  const to = await anvil.deploy(nameless721, [])
  await anvil.mine(10)
  expect(await listed(to)).toEqual([])
  expect((await server.page(to)).body).toMatchObject({ result: [], status: 'SYNCED' })
  await anvil.mine(3)
  expect(await listed(to)).toEqual([])
  await anvil.send({ to, abi: nameless721.abi, functionName: 'mint', args: [alice, 1n] })
  expect(await expectTruth({ anvil, client: server }, to)).toHaveLength(1)

  // The block of the first token is undone: the list is empty, and the next token is found as well.
  await anvil.reorg(1)
  await expect.poll(() => listed(to)).toEqual([])
  await anvil.send({ to, abi: nameless721.abi, functionName: 'mint', args: [bob, 2n] })
  expect(await listed(to)).toEqual([['2', bob, 'ERC721']])
  // A different first token replaces it.
  await anvil.reorg(1, [[toTransaction({ to, abi: nameless721.abi, functionName: 'mint', args: [alice, 3n] }), 0]])
  await expect.poll(() => listed(to)).toEqual([['3', alice, 'ERC721']])
})

test('behavior: a coin contract that mints tokens later lists them, requested before or after the first token', async () => {
  const [early, late] = [await deployCoins(), await deployCoins()]
  for (const to of [early, late]) await emit(to, transferLogs.erc20(zeroAddress, alice, 10n ** 18n))
  await anvil.mine(10)
  expect(await listed(early)).toEqual([])
  // More coin transfers change nothing.
  await emit(early, transferLogs.erc20(alice, bob, 5n))
  expect(await listed(early)).toEqual([])
  for (const to of [early, late])
    await emit(to, transferLogs.erc20(alice, bob, 10n ** 18n), transferLogs.erc721(zeroAddress, bob, 1n))
  expect(await listed(early)).toEqual([['1', bob, 'ERC721']])
  await anvil.mine(10)
  expect(await listed(late)).toEqual([['1', bob, 'ERC721']])
  for (const to of [early, late])
    await emit(to, transferLogs.erc20(bob, alice, 7n), transferLogs.erc721(zeroAddress, alice, 2n))
  for (const to of [early, late]) expect(await listed(to)).toHaveLength(2)
})

test('behavior: a reorganisation reverts the standard that its block revealed, although coins moved before', async () => {
  const to = await deployCoins()
  await emit(to, transferLogs.erc20(zeroAddress, alice, 9n))
  await emit(to, transferLogs.erc721(zeroAddress, bob, 1n))
  expect(await listed(to)).toEqual([['1', bob, 'ERC721']])
  await anvil.reorg(1)
  const contract = async () => (await server.get(`/api/v2/nft/${to}/metadata?chain=local`)).json()
  await expect.poll(contract).toMatchObject({ contract_type: null })
  await emit(to, transferLogs.single(alice, zeroAddress, alice, 2n, 3n))
  await expect.poll(() => listed(to)).toEqual([['2', alice, 'ERC1155']])
})

test('behavior: a plain coin contract stays SYNCED and empty while coins move', async () => {
  const to = await anvil.deploy(plain20, [])
  for (let round = 0; round < 3; round++) {
    await anvil.send({ to, abi: plain20.abi, functionName: 'mint', args: [alice, 5n] })
    await anvil.mine(6)
    expect(await listed(to)).toEqual([])
    await expect.poll(() => status(to)).toBe('synced')
  }
})

/** `x-index-incomplete` on every endpoint that shows the collection. */
async function incomplete(to: Address, token: bigint): Promise<(string | null)[]> {
  const block = String(await anvil.blockNumber())
  const paths = [
    ...[`nft/${to}`, `nft/${to}/${token}`, `nft/${to}/owners`, `nft/${to}/${token}/owners`],
    ...[`nft/${to}/transfers`, `nft/${to}/${token}/transfers`, `nft/${to}/stats`, `nft/${to}/${token}/stats`],
    ...[`nft/${to}`, `nft/${to}/${token}`, `nft/${to}/owners`].map((path) => `${path}?as_of_block=${block}`),
  ]
  const answers = paths.map(async (path) => {
    const answer = await server.get(`/api/v2/${path}${path.includes('?') ? '&' : '?'}chain=local`)
    expect(answer.status, path).toBe(200)
    return answer.headers.get('x-index-incomplete')
  })
  return [...new Set(await Promise.all(answers))]
}

/** Token id, type, owner and amount of each token on a page. */
const kept = async (to: Address, query: Record<string, string> = {}) => {
  const { result } = (await server.page(to, query)).body
  return result.map((r) => [r.token_id, r.contract_type, r.owner_of, r.amount]).sort()
}

const request = async <T>(path: string) =>
  (await (await server.get(`/api/v2/${path}${path.includes('?') ? '&' : '?'}chain=local`)).json()) as T

test('behavior: a proxy upgraded from ERC-721 to ERC-1155 keeps its tokens and adds new ones on every route', async () => {
  const to = await deployProxied721(anvil, 'Turning', 'TRN')
  for (const id of [1n, 2n])
    await anvil.send({ to, abi: initializable721.abi, functionName: 'mint', args: [alice, id] })
  await anvil.mine(10)
  expect(await listed(to)).toHaveLength(2)
  const before = await anvil.blockNumber()
  const tokens = [
    ['1', 'ERC721', alice, '1'],
    ['2', 'ERC721', alice, '1'],
  ]

  await upgradeProxy(anvil, to, await anvil.deploy(both, []))
  const own = { to, abi: both.abi } as const
  await anvil.send({ ...own, functionName: 'mint1155', args: [alice, 3n, 5n] })
  await anvil.send({ ...own, functionName: 'mint1155', args: [bob, 3n, 2n] })
  // An id that was an ERC-721 token gets ERC-1155 units, so it is no ERC-721 token any longer.
  await anvil.send({ ...own, functionName: 'mint1155', args: [bob, 2n, 4n] })
  await listed(to)
  await expect
    .poll(() => kept(to))
    .toEqual([
      ['1', 'ERC721', alice, '1'],
      ['2', 'ERC1155', bob, '4'],
      ['3', 'ERC1155', null, '7'],
    ])
  expect(await kept(to, { as_of_block: String(before) })).toEqual(tokens)
  expect(await incomplete(to, 3n)).toEqual([null])
  expect(await request(`nft/${to}/metadata`)).toMatchObject({ contract_type: 'ERC721', name: 'Turning' })
  const { result: transfers } = await request<{ result: Record<string, string>[] }>(`nft/${to}/transfers?order=ASC`)
  expect(transfers.map((t) => [t.token_id, t.contract_type, t.amount])).toEqual([
    ...[1, 2].map((id) => [String(id), 'ERC721', '1']),
    ...[['3', 'ERC1155', '5'] as const, ['3', 'ERC1155', '2'] as const, ['2', 'ERC1155', '4'] as const],
  ])
  const { result: owners } = await request<{ result: Record<string, string>[] }>(`nft/${to}/owners`)
  expect(owners.map((r) => [r.token_id, r.contract_type, r.owner_of, r.amount]).sort()).toEqual([
    ['1', 'ERC721', alice, '1'],
    ['2', 'ERC1155', bob, '4'],
    ...[
      ['3', 'ERC1155', alice, '5'],
      ['3', 'ERC1155', bob, '2'],
    ].sort((a, b) => (a[2]! < b[2]! ? -1 : 1)),
  ])
  const held = async (wallet: Address) => {
    const { result } = await request<{ result: Record<string, string>[] }>(`${wallet}/nft?token_addresses[]=${to}`)
    return result.map((r) => [r.token_id, r.contract_type, r.owner_of, r.amount]).sort()
  }
  await expect
    .poll(() => held(alice))
    .toEqual([
      ['1', 'ERC721', alice, '1'],
      ['3', 'ERC1155', alice, '5'],
    ])
  await expect
    .poll(() => held(bob))
    .toEqual([
      ['2', 'ERC1155', bob, '4'],
      ['3', 'ERC1155', bob, '2'],
    ])

  // The upgrade is undone with all its effects.
  await anvil.reorg(Number((await anvil.blockNumber()) - before))
  await expect.poll(() => kept(to)).toEqual(tokens)
  await expect.poll(() => held(alice)).toEqual(tokens)
  await expect.poll(() => held(bob)).toEqual([])
})

type Documented = { token_id: string; metadata: string | null }
const nameOf = (r: Documented) => [r.token_id, r.metadata && JSON.parse(r.metadata).name]

test('behavior: a contract without ERC-165 that emits both standards lists tokens of both, each with its metadata', async () => {
  const to = await anvil.deploy(emitter, [])
  for (const [signature, name] of [
    ['tokenURI(uint256)', 'token'],
    ['uri(uint256)', 'pieces'],
  ] as const) {
    const data = encodeAbiParameters([{ type: 'string' }], [`data:application/json,{"name":"${name}"}`])
    const args = [toFunctionSelector(signature), false, data] as const
    await anvil.send({ to, abi: emitter.abi, functionName: 'answer', args })
  }
  const both = [transferLogs.single(alice, zeroAddress, alice, 1n, 5n), transferLogs.erc721(zeroAddress, bob, 2n)]
  await emit(to, ...both, transferLogs.consecutive(3n, 4n, zeroAddress, bob))
  // A contract may emit both events for one transfer.
  await emit(to, transferLogs.erc721(zeroAddress, bob, 5n), transferLogs.single(bob, zeroAddress, bob, 5n, 1n))
  await anvil.mine(10)
  expect(await listed(to)).toHaveLength(5)
  expect(await kept(to)).toEqual([
    ['1', 'ERC1155', alice, '5'],
    ...['2', '3', '4'].map((id) => [id, 'ERC721', bob, '1']),
    ['5', 'ERC1155', bob, '1'],
  ])
  // A transfer of zero units does not change a token's type.
  await emit(to, transferLogs.single(bob, bob, bob, 2n, 0n))
  await listed(to)
  expect((await kept(to)).map(([id, type]) => `${id} ${type}`)).toContain('2 ERC721')
  expect(await incomplete(to, 2n)).toEqual([null])
  await expect
    .poll(async () => (await request<{ result: Documented[] }>(`nft/${to}`)).result.map(nameOf).sort())
    .toEqual([['1', 'pieces'], ...['2', '3', '4'].map((id) => [id, 'token']), ['5', 'pieces']])
})

/** A rollback removes a contract, and its deployer has the same nonce again. So another contract gets the same address. */
test('behavior: another contract at the address of a reverted one is detected again, and a removed one returns 404', async () => {
  await using own = await startAnvil({ slotsInAnEpoch: 16 })
  await own.mine(5)
  await using client = await startTestServer({ rpc: [own.url] })
  const [holder] = own.accounts as [Address]
  const records = async (address: Address) =>
    (await client.walk(address)).map((r) => [r.token_id, r.owner_of, r.contract_type, r.name, r.symbol]).sort()
  const first = await own.deploy(plain721, ['First', 'FST', ''])
  await own.send({ to: first, abi: plain721.abi, functionName: 'mint', args: [holder, 1n] })
  await client.untilSynced(first, await own.blockNumber())
  expect(await records(first)).toEqual([['1', holder, 'ERC721', 'First', 'FST']])

  await own.rollback(2)
  const second = await own.deploy(plain1155, ['Second', 'SND'])
  expect(second).toBe(first)
  await own.send({ to: second, abi: plain1155.abi, functionName: 'mint', args: [holder, 7n, 3n] })
  await own.mine(1)
  await expect.poll(() => records(first)).toEqual([['7', holder, 'ERC1155', 'Second', 'SND']])
  await client.untilSynced(first, await own.blockNumber())

  // The same standard under another name.
  await own.rollback(3)
  await own.deploy(plain1155, ['Third', 'TRD'])
  await own.send({ to: first, abi: plain1155.abi, functionName: 'mint', args: [holder, 8n, 1n] })
  await own.mine(2)
  await expect.poll(() => records(first)).toEqual([['8', holder, 'ERC1155', 'Third', 'TRD']])

  await own.rollback(4)
  await own.mine(5)
  await expect.poll(async () => (await client.get(`/api/v2/nft/${first}?chain=local`)).status).toBe(404)
})

test('behavior: a token contract that replaces a reverted coin contract of the same name lists its tokens', async () => {
  await using own = await startAnvil({ slotsInAnEpoch: 16 })
  await own.mine(5)
  await using client = await startTestServer({ rpc: [own.url] })
  const [holder] = own.accounts as [Address]
  const coins = await own.deploy(emitter, [])
  const text = (value: string) => encodeAbiParameters([{ type: 'string' }], [value])
  const returns = { decimals: toHex(18n, { size: 32 }), name: text('Ids in the data'), symbol: text('DATA') }
  for (const [name, data] of Object.entries(returns)) {
    const args = [toFunctionSelector(`${name}()`), false, data] as const
    await own.send({ to: coins, abi: emitter.abi, functionName: 'answer', args })
  }
  await own.send(emission(coins, [transferLogs.erc20(zeroAddress, holder, 10n ** 18n)]))
  await client.untilSynced(coins, await own.blockNumber())
  expect(await client.walk(coins)).toEqual([])

  await own.rollback(5)
  expect(await own.deploy(silentDataId721, [])).toBe(coins)
  await own.send({ to: coins, abi: silentDataId721.abi, functionName: 'mintBatch', args: [holder, 1n, 2n] })
  await own.mine(2)
  const records = async () => (await client.walk(coins)).map((r) => [r.token_id, r.owner_of, r.contract_type]).sort()
  await expect.poll(records).toEqual([1, 2].map((id) => [String(id), holder, 'ERC721']))
})
