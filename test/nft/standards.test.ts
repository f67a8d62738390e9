import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Address, type Hex, zeroAddress } from '../../src/util/hex.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { bytes32Name721 } from '../contracts/artifacts/bytes32Name721.ts'
import { consecutive721 } from '../contracts/artifacts/consecutive721.ts'
import { dataId721 } from '../contracts/artifacts/dataId721.ts'
import { decimalless20 } from '../contracts/artifacts/decimalless20.ts'
import { destructible721 } from '../contracts/artifacts/destructible721.ts'
import { emitter } from '../contracts/artifacts/emitter.ts'
import { endlessName721 } from '../contracts/artifacts/endlessName721.ts'
import { enumerable721 } from '../contracts/artifacts/enumerable721.ts'
import { hostile721 } from '../contracts/artifacts/hostile721.ts'
import { hybrid721 } from '../contracts/artifacts/hybrid721.ts'
import { initializable20 } from '../contracts/artifacts/initializable20.ts'
import { initializable721 } from '../contracts/artifacts/initializable721.ts'
import { kitties } from '../contracts/artifacts/kitties.ts'
import { nameless721 } from '../contracts/artifacts/nameless721.ts'
import { plain20 } from '../contracts/artifacts/plain20.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { revertingName721 } from '../contracts/artifacts/revertingName721.ts'
import { silentDataId721 } from '../contracts/artifacts/silentDataId721.ts'
import { unindexed20 } from '../contracts/artifacts/unindexed20.ts'
import { volume721 } from '../contracts/artifacts/volume721.ts'
import { deployCloned721, deployProxied20, deployProxied721 } from '../contracts/deployBehind.ts'
import { hostileTexts } from '../contracts/hostileTexts.ts'
import { installMulticall } from '../contracts/installMulticall.ts'
import { transferLogs } from '../contracts/transferLogs.ts'
import { startTestServer, type TestServer } from '../mintmark.ts'
import { system } from '../system.ts'
import type { TruthOptions } from '../truth.ts'
import { expectTruth as expectChainTruth } from './ownership.ts'

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

const expectTruth = (address: Address, options?: TruthOptions) =>
  expectChainTruth({ anvil, client: server, ...options }, address)

test('default: indexes a plain ERC-721 before and after transfers', async () => {
  const to = await anvil.deploy(plain721, ['Plain', 'PLN', ''])
  await anvil.send({ to, abi: plain721.abi, functionName: 'mintBatch', args: [alice, 0n, 30n] })
  await anvil.send({ to, abi: plain721.abi, functionName: 'mint', args: [bob, 2n ** 256n - 1n] })
  const [record] = await expectTruth(to)
  expect(record).toMatchObject({ name: 'Plain', symbol: 'PLN', contract_type: 'ERC721' })
  await anvil.send({ to, abi: plain721.abi, functionName: 'move', args: [bob, [1n, 2n, 3n]] })
  await anvil.send({ to, abi: plain721.abi, functionName: 'burn', args: [4n] })
  const records = await expectTruth(to)
  expect(records.some((r) => r.token_id === '4')).toBe(false)
})

test('behavior: indexes ERC-1155 single, batch, burn, zero amount and self transfers', async () => {
  const to = await anvil.deploy(plain1155, ['Plain', 'PLN'])
  const abi = plain1155.abi
  const ids = [1n, 2n, 2n ** 256n - 1n]
  await anvil.send({ to, abi, functionName: 'mintBatch', args: [alice, ids, [5n, 6n, 2n ** 256n - 1n]] })
  await anvil.send({ to, abi, functionName: 'mint', args: [bob, 9n, 0n] })
  await anvil.send({ to, abi, functionName: 'mint', args: [bob, 10n, 4n] })
  // Anyone can transfer zero units of an id, even before its first mint.
  await anvil.send({ to, abi, functionName: 'move', args: [bob, bob, 11n, 0n] })
  await anvil.send({ to, abi, functionName: 'mint', args: [bob, 12n, 0n] })
  await anvil.send({ to, abi, functionName: 'mintBatch', args: [alice, [11n, 12n], [3n, 3n]] })
  await anvil.mine(10)
  await expectTruth(to)
  await anvil.send({ to, abi, functionName: 'mint', args: [bob, 13n, 0n] })
  await anvil.send({ to, abi, functionName: 'mintBatch', args: [alice, [13n, 13n], [0n, 3n]] })
  await anvil.send({ to, abi, functionName: 'move', args: [bob, bob, 12n, 0n] })
  await expectTruth(to)
  await anvil.send({ to, abi, functionName: 'moveBatch', args: [alice, bob, [1n, 2n], [5n, 1n]] })
  await anvil.send({ to, abi, functionName: 'move', args: [bob, bob, 1n, 5n] })
  await anvil.send({ to, abi, functionName: 'move', args: [bob, alice, 1n, 0n] })
  await anvil.send({ to, abi, functionName: 'burn', args: [bob, 10n, 4n] })
  const records = await expectTruth(to)
  const byId = new Map(records.map((r) => [r.token_id, r]))
  expect(byId.get('1')?.owner_of).toBe(bob)
  expect(byId.get('2')?.owner_of).toBe(null)
  expect(byId.has('9')).toBe(false)
  expect(byId.has('10')).toBe(false)
})

test('behavior: indexes ERC-2309 mints of thousands of tokens in one log', system, async () => {
  const to = await anvil.deploy(consecutive721, [
    [alice, bob],
    [4_000n, 10n],
  ])
  expect(await expectTruth(to)).toHaveLength(4_010)
})

test('behavior: indexes Transfer logs without indexed arguments and without ERC-165, as CryptoKitties emits them', async () => {
  const to = await anvil.deploy(kitties, [])
  await anvil.send({ to, abi: kitties.abi, functionName: 'mintBatch', args: [alice, 1n, 5n] })
  await anvil.send({ to, abi: kitties.abi, functionName: 'move', args: [bob, [2n]] })
  expect(await expectTruth(to)).toHaveLength(5)
})

test('behavior: indexes Transfer logs with token ids in the data, with and without ERC-165', async () => {
  for (const artifact of [dataId721, silentDataId721]) {
    const { abi } = artifact
    const to = await anvil.deploy(artifact, [])
    await anvil.send({ to, abi, functionName: 'mintBatch', args: [alice, 1n, 5n] })
    await anvil.send({ to, abi, functionName: 'burn', args: [1n] })
    await anvil.mine(10)
    expect(await expectTruth(to, { idInData: true })).toHaveLength(4)
    await anvil.send({ to, abi, functionName: 'move', args: [bob, [2n]] })
    await anvil.send({ to, abi, functionName: 'mintBatch', args: [bob, 100n, 2n] })
    const records = await expectTruth(to, { idInData: true })
    expect(records.find((r) => r.token_id === '2')?.owner_of).toBe(bob)
    expect(records).toHaveLength(6)
  }
})

test('behavior: detects the standard of a contract without ERC-165 from later tokens if the first were all burned', async () => {
  const { abi } = silentDataId721
  const to = await anvil.deploy(silentDataId721, [])
  await anvil.send({ to, abi, functionName: 'mintBatch', args: [alice, 1n, 2n] })
  await anvil.send({ to, abi, functionName: 'burn', args: [1n] })
  await anvil.send({ to, abi, functionName: 'burn', args: [2n] })
  await anvil.mine(10)
  const { db } = server.database
  const where = [Buffer.from(to.slice(2), 'hex')]
  const status = async () => (await db.rows('SELECT status FROM collection WHERE address = $1', where))[0]?.[0]
  await server.page(to)
  await expect.poll(status).toBe('none')
  expect((await server.page(to)).body).toMatchObject({ result: [], status: 'SYNCING' })

  await anvil.send({ to, abi, functionName: 'mintBatch', args: [bob, 3n, 2n] })
  await db.run(`UPDATE collection SET checked_at = now() - interval '2 minutes' WHERE address = $1`, where)
  expect(await expectTruth(to, { idInData: true })).toHaveLength(2)
  const [moved] = await db.rows(
    'SELECT count(*)::int FROM transfer t JOIN collection c ON c.partition = t.partition AND c.id = t.collection_id WHERE address = $1',
    where,
  )
  expect(moved).toEqual([6])
})

test(
  'behavior: detects the standard of a contract without ERC-165 if its first tokens were burned much later',
  system,
  async () => {
    const { abi } = silentDataId721
    // The burns are not final yet, or above the first blocks that one read covers.
    for (const [apart, after] of [
      [10, 0],
      [1_100, 10],
    ] as const) {
      const to = await anvil.deploy(silentDataId721, [])
      await anvil.send({ to, abi, functionName: 'mintBatch', args: [alice, 1n, 2n] })
      await anvil.mine(apart)
      await anvil.send({ to, abi, functionName: 'burn', args: [1n] })
      await anvil.send({ to, abi, functionName: 'burn', args: [2n] })
      await anvil.send({ to, abi, functionName: 'mintBatch', args: [bob, 3n, 2n] })
      await anvil.mine(after)
      expect(await expectTruth(to, { idInData: true })).toHaveLength(2)
    }
  },
)

test('behavior: does not list coins of a contract that also has tokens', async () => {
  const to = await anvil.deploy(hybrid721, [])
  await anvil.send({ to, abi: hybrid721.abi, functionName: 'mint', args: [alice, 7n] })
  const [record, ...others] = await expectTruth(to)
  expect(record?.token_id).toBe('7')
  expect(others).toEqual([])
})

test('behavior: indexes collections without ERC-165, without a name, or with a name that reverts, loops or is bytes32', async () => {
  for (const artifact of [nameless721, revertingName721, endlessName721, bytes32Name721]) {
    const to = await anvil.deploy(artifact, [])
    await anvil.send({ to, abi: artifact.abi, functionName: 'mint', args: [alice, 1n] } as never)
    const [record] = await expectTruth(to)
    expect(record?.name).toBe(artifact === bytes32Name721 ? 'Thirty-two bytes' : null)
  }
})

test('behavior: indexes enumerable, proxied and cloned contracts', async () => {
  const enumerable = await anvil.deploy(enumerable721, ['Enumerable', 'ENU'])
  await anvil.send({ to: enumerable, abi: enumerable721.abi, functionName: 'mintBatch', args: [bob, 0n, 20n] })
  await expectTruth(enumerable)
  for (const deploy of [deployProxied721, deployCloned721]) {
    const to = await deploy(anvil, 'Behind', 'BHD')
    await anvil.send({ to, abi: initializable721.abi, functionName: 'mint', args: [alice, 7n] })
    const [record] = await expectTruth(to)
    expect(record?.name).toBe('Behind')
  }
})

test('behavior: hostile collection names stay plain text', system, async () => {
  for (const [kind, bytes] of Object.entries(hostileTexts)) {
    const to = await anvil.deploy(hostile721, [bytes, bytes, bytes])
    await anvil.send({ to, abi: hostile721.abi, functionName: 'mint', args: [alice, 1n] } as never)
    const [record] = await expectTruth(to)
    expect(typeof record?.name, kind).toBe('string')
    expect(record?.name, kind).not.toContain('\0')
    if (kind === 'markup' || kind === 'sql' || kind === 'unicode')
      expect(record?.name).toBe(Buffer.from(bytes.slice(2), 'hex').toString())
  }
})

test('behavior: coin contracts return an empty page that is SYNCED', async () => {
  const coins = [
    [await anvil.deploy(plain20, []), plain20.abi],
    [await anvil.deploy(unindexed20, []), unindexed20.abi],
    [await anvil.deploy(decimalless20, []), decimalless20.abi],
    [await deployProxied20(anvil, 'Coin', 'CN'), initializable20.abi],
  ] as const
  for (const [to, abi] of coins) {
    await anvil.send({ to, abi, functionName: 'mint', args: [alice, 5n] } as never)
    // If only logs show the standard of a contract, they must be final.
    await anvil.mine(10)
    const body = await server.untilSynced(to)
    expect(body).toMatchObject({ result: [], cursor: null })
  }
})

test('behavior: a self-destructed collection is listed from its logs', async () => {
  await using old = await startAnvil({ hardfork: 'shanghai', slotsInAnEpoch: 4 })
  await using own = await startTestServer({ rpc: [old.url] })
  const [holder] = old.accounts as [Address]
  const to = await old.deploy(destructible721, [])
  await old.send({ to, abi: destructible721.abi, functionName: 'mintBatch', args: [holder, 1n, 5n] })
  await old.send({ to, abi: destructible721.abi, functionName: 'destroy' })
  const records = await expectChainTruth({ anvil: old, client: own, ownership: 'logs' }, to)
  expect(records).toHaveLength(5)
})

test('behavior: a contract that emits arbitrary logs lists only its valid tokens', async () => {
  const to = await anvil.deploy(emitter, [])
  const logs = [
    transferLogs.erc721(zeroAddress, alice, 5n, '0xdeadbeef'),
    transferLogs.erc20(alice, bob, 5n),
    transferLogs.erc721(bob, alice, 6n),
    transferLogs.consecutive(0n, 2n ** 256n - 1n, zeroAddress, bob),
    transferLogs.single(alice, zeroAddress, bob, 1n, 7n),
    { topics: [], data: '0x01' },
  ] as { topics: Hex[]; data: Hex }[]
  await anvil.send({ to, abi: emitter.abi, functionName: 'emitLogs', args: [logs] } as never)
  await server.untilSynced(to, await anvil.blockNumber())
  const records = await server.walk(to)
  expect(records.map((r) => [r.token_id, r.owner_of, r.minter_address, r.contract_type]).sort()).toEqual([
    ['1', bob, bob, 'ERC1155'],
    ['5', alice, alice, 'ERC721'],
    ['6', alice, null, 'ERC721'],
  ])
})

test('behavior: indexes twenty thousand mints in one call', system, async () => {
  const to = await anvil.deploy(volume721, [])
  const gas = 500_000_000n
  await anvil.send({ to, abi: volume721.abi, functionName: 'mint', args: [alice, 0n, 20_000n], gas })
  const { status } = await server.untilSynced(to, await anvil.blockNumber())
  expect(status).toBe('SYNCED')
  const { body } = await server.page(to, { disable_total: false, limit: 1 })
  expect(body.total).toBe(20_000)
})

test('error: an address without code returns 404 once that is known, and is not indexed', async () => {
  const nothing = '0x00000000000000000000000000000000deadbeef'
  const first = await server.page(nothing)
  expect(first.body).toMatchObject({ status: 'SYNCING', result: [] })
  await expect.poll(async () => (await server.get(`/api/v2/nft/${nothing}?chain=local`)).status).toBe(404)
  const rows = await server.database.db.rows('SELECT status FROM collection WHERE address = $1', [
    Buffer.from(nothing.slice(2), 'hex'),
  ])
  expect(rows).toEqual([['nocode']])
})

test('behavior: reads names through multicall if the chain has it', async () => {
  await installMulticall(anvil)
  await using fresh = await startTestServer({ rpc: [anvil.url] })
  const to = await anvil.deploy(plain721, ['By multicall', 'MUL', ''])
  await anvil.send({ to, abi: plain721.abi, functionName: 'mint', args: [alice, 1n] })
  await fresh.untilSynced(to, await anvil.blockNumber())
  const [record] = await fresh.walk(to)
  expect(record).toMatchObject({ name: 'By multicall', symbol: 'MUL' })
})
