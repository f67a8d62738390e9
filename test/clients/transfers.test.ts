import Moralis from 'moralis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { startTestServer, type TestServer } from '../mintmark.ts'
import { startMoralis } from './startMoralis.ts'

let anvil: Anvil
let server: TestServer
let tiles: Address
let items: Address
const chain = '0x7a69'

beforeAll(async () => {
  anvil = await startAnvil()
  const [alice, bob] = anvil.accounts as [Address, Address]
  tiles = await anvil.deploy(plain721, ['Tiles', 'TIL', ''])
  items = await anvil.deploy(plain1155, ['Items', 'ITM'])
  for (const id of [1n, 2n, 3n])
    await anvil.send({ to: tiles, abi: plain721.abi, functionName: 'mint', args: [alice, id] })
  await anvil.send({ to: tiles, abi: plain721.abi, functionName: 'transferFrom', args: [alice, bob, 2n] })
  await anvil.send({ to: items, abi: plain1155.abi, functionName: 'mint', args: [alice, 7n, 50n] })
  server = await startTestServer({ rpc: [anvil.url] })
  for (const address of [tiles, items]) await server.untilSynced(address, await anvil.blockNumber())
  await startMoralis(server)
})
afterAll(async () => {
  await server?.close()
  await anvil?.stop()
})

test('default: the pager reads getNFTContractTransfers, also by dates', async () => {
  const [alice, bob] = anvil.accounts as [Address, Address]
  let page = await Moralis.EvmApi.nft.getNFTContractTransfers({ chain, address: tiles, limit: 3 })
  const first = page.result[0]!.result
  expect(first).toMatchObject({ tokenId: '2', amount: 1, contractType: 'ERC721', logIndex: 0, transactionIndex: 0 })
  expect([first.fromAddress?.lowercase, first.toAddress.lowercase]).toEqual([alice, bob])
  expect(first.blockHash).toMatch(/^0x[0-9a-f]{64}$/)
  expect(first.blockTimestamp.getTime()).toBeGreaterThan(Date.parse('2024-01-01'))
  const found = [...page.result]
  while (page.hasNext()) {
    page = await page.next()
    found.push(...page.result)
  }
  expect(found.map(({ tokenId }) => tokenId)).toEqual(['2', '3', '2', '1'])
  const until = await Moralis.EvmApi.nft.getNFTContractTransfers({
    ...{ chain, address: tiles, order: 'ASC', toDate: first.blockTimestamp },
  })
  expect(until.result.length).toBe(4)
})

test('default: getNFTTransfers returns the transfers of a token, and amounts with their operator', async () => {
  const moved = await Moralis.EvmApi.nft.getNFTTransfers({ chain, address: tiles, tokenId: '2' })
  expect(moved.result.map(({ blockNumber }) => Number(blockNumber.toString()))).toEqual([6, 4])
  const amounts = await Moralis.EvmApi.nft.getNFTTransfers({ chain, address: items, tokenId: '7' })
  expect(amounts.result[0]!.result).toMatchObject({ amount: 50, contractType: 'ERC1155', possibleSpam: false })
  expect(amounts.result[0]!.operator?.lowercase).toBe(anvil.accounts[0])
})

test('default: getNFTTransfersByBlock accepts number and hash, and getNFTTransfersFromToBlock accepts a range', async () => {
  const block = await Moralis.EvmApi.nft.getNFTTransfersByBlock({ chain, blockNumberOrHash: '6' })
  expect(block.result.map(({ tokenId, tokenAddress }) => [tokenId, tokenAddress.lowercase])).toEqual([['2', tiles]])
  const { blockHash } = block.result[0]!
  const byHash = await Moralis.EvmApi.nft.getNFTTransfersByBlock({ chain, blockNumberOrHash: blockHash })
  expect(byHash.result.map(({ blockHash }) => blockHash)).toEqual([blockHash])
  const range = await Moralis.EvmApi.nft.getNFTTransfersFromToBlock({ chain, fromBlock: 4, toBlock: 7, order: 'ASC' })
  expect(range.result.map(({ tokenId }) => tokenId)).toEqual(['2', '3', '2', '7'])
})
