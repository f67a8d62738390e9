// @module-tag system

import { encodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { startAnvil } from '../anvil.ts'
import { emitter } from '../contracts/artifacts/emitter.ts'
import { initializable721 } from '../contracts/artifacts/initializable721.ts'
import { proxy } from '../contracts/artifacts/proxy.ts'
import { cloneOf, upgradeProxy } from '../contracts/deployBehind.ts'
import { startTestServer } from '../mintmark.ts'

const own = (to: Address) => ({ to, abi: initializable721.abi }) as const

test('behavior: a clone that was requested before it was initialised has its name once it has tokens', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  await anvil.mine(20)
  await using server = await startTestServer({ rpc: [anvil.url] })
  const [alice] = anvil.accounts as [Address]
  const to = await cloneOf(anvil, await anvil.deploy(initializable721, []))
  await anvil.mine(10)
  await server.untilSynced(to, await anvil.blockNumber())
  const contract = async () => await (await server.get(`/api/v2/nft/${to}/metadata?chain=local`)).json()
  expect(await contract()).toMatchObject({ name: '', contract_type: 'ERC721' })
  await anvil.send({ ...own(to), functionName: 'initialize', args: ['Initialised', 'INI'] })
  await anvil.send({ ...own(to), functionName: 'mint', args: [alice, 1n] })
  await expect.poll(contract).toMatchObject({ name: 'Initialised', symbol: 'INI', contract_type: 'ERC721' })
  expect((await server.walk(to)).map((record) => record.name)).toEqual(['Initialised'])
})

test('behavior: a proxy that was requested before it had its implementation has its name and standard once it has tokens', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  await anvil.mine(20)
  await using server = await startTestServer({ rpc: [anvil.url] })
  const [alice] = anvil.accounts as [Address]
  const nothing = encodeFunctionData({ abi: emitter.abi, functionName: 'emitLogs', args: [[]] })
  const to = await anvil.deploy(proxy, [await anvil.deploy(emitter, []), nothing])
  const contract = async () => await (await server.get(`/api/v2/nft/${to}/metadata?chain=local`)).json()
  async function listed(): Promise<unknown[]> {
    await server.untilSynced(to, await anvil.blockNumber())
    return (await server.walk(to)).map((r) => [r.token_id, r.owner_of, r.name]).sort()
  }
  await anvil.mine(10)
  expect(await listed()).toEqual([])
  expect(await contract()).toMatchObject({ name: null, symbol: null, contract_type: null })

  await upgradeProxy(anvil, to, await anvil.deploy(initializable721, []))
  await anvil.send({ ...own(to), functionName: 'initialize', args: ['Initialised', 'INI'] })
  await anvil.send({ ...own(to), functionName: 'mint', args: [alice, 1n] })
  expect(await listed()).toEqual([['1', alice, 'Initialised']])
  expect(await contract()).toMatchObject({ name: 'Initialised', symbol: 'INI', contract_type: 'ERC721' })
})
