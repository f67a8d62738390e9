import Moralis from 'moralis'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { startTestServer, type TestServer } from '../mintmark.ts'
import { patience } from '../patience.ts'
import { type Collections, deployCollections, untilDocumented } from './collections.ts'
import { type StartedMoralis, startMoralis } from './startMoralis.ts'

let anvil: Anvil
let server: TestServer
let moralis: StartedMoralis
let collections: Collections
let wallet: Address
const chain = '0x7a69'

beforeAll(async () => {
  anvil = await startAnvil()
  collections = await deployCollections(anvil)
  wallet = anvil.accounts[0]!
  server = await startTestServer({ rpc: [anvil.url] })
  for (const address of Object.values(collections)) await untilDocumented(server, address)
  moralis = await startMoralis(server)
  await vi.waitFor(async () => expect((await nfts({ limit: 1 })).raw).toMatchObject({ status: 'SYNCED' }), patience)
})
afterAll(async () => {
  await server?.close()
  await anvil?.stop()
})

type Query = Omit<Parameters<typeof Moralis.EvmApi.nft.getWalletNFTs>[0], 'chain' | 'address'>

const nfts = (query: Query = {}) => Moralis.EvmApi.nft.getWalletNFTs({ chain, address: wallet, ...query })

test('default: the pager reads the tokens of a wallet to its last page', async () => {
  const pages = [await nfts({ limit: 40 })]
  for (let page = pages[0]!; page.hasNext(); pages.push(page)) page = await page.next()
  const tokens = pages.flatMap(({ result }) => result.map(({ result: token }) => token))
  expect(pages.map(({ result }) => result.length)).toEqual([40, 40, 11])
  expect(tokens.every(({ ownerOf }) => ownerOf?.lowercase === wallet)).toBe(true)
  const of = (address: Address) => tokens.filter(({ tokenAddress }) => tokenAddress.lowercase === address)
  const ids = (address: Address) =>
    of(address)
      .map(({ tokenId }) => Number(tokenId))
      .toSorted((a, b) => a - b)
  expect(ids(collections.tiles)).toEqual(Array.from({ length: 79 }, (_, i) => 3 * i))
  expect(ids(collections.broken)).toEqual([0, 1])
  // Each of the first five ids has seven units; the wallet holds three of them.
  const amounts = of(collections.items).map(({ tokenId, amount }) => [Number(tokenId), amount])
  expect(new Map(amounts as [number, number][])).toEqual(
    new Map(Array.from({ length: 10 }, (_, id) => [id, id < 5 ? 3 : 7])),
  )
})

test('behavior: every query parameter reaches the server, and contracts that are not indexed yet are indexed', async () => {
  const late = await anvil.deploy(plain721, ['Late', 'LATE', ''])
  await anvil.send({ to: late, abi: plain721.abi, functionName: 'mintBatch', args: [wallet, 0n, 2n] })
  const query: Query = {
    ...{ tokenAddresses: [collections.items, late], excludeSpam: true, format: 'hex', limit: 3 },
    ...{ normalizeMetadata: true, mediaItems: true },
  }
  const { cursor } = (await nfts(query)).pagination
  const page = await nfts({ ...query, cursor: cursor! })
  expect(moralis.requests.at(-1)!.params).toEqual({
    ...{ chain, format: 'hex', limit: '3', cursor, exclude_spam: true, normalizeMetadata: true, media_items: true },
    token_addresses: [collections.items, late],
  })
  expect(page.pagination).toMatchObject({ page: 1, pageSize: 3 })
  expect(page.raw.result).toMatchObject(Array(3).fill({ token_id: expect.stringMatching(/^0x/), media: {} }))
  expect(page.result[0]!.result).toMatchObject({ contractType: 'ERC1155' })
  await expect.poll(async () => (await nfts({ tokenAddresses: [late] })).result.length).toBe(2)
})

test('default: the pager reads the collections of a wallet, also with counts', async () => {
  const request = (query: { limit?: number; tokenCounts?: boolean; excludeSpam?: boolean }) =>
    Moralis.EvmApi.nft.getWalletNFTCollections({ chain, address: wallet, ...query })
  const pages = [await request({ limit: 1, excludeSpam: true })]
  for (let page = pages[0]!; page.hasNext(); pages.push(page)) page = await page.next()
  const found = pages.flatMap(({ result }) => result)
  expect(found.map(({ tokenAddress }) => tokenAddress.lowercase)).toEqual(
    expect.arrayContaining([collections.broken, collections.items, collections.tiles]),
  )
  const tiles = found.find(({ tokenAddress }) => tokenAddress.lowercase === collections.tiles)!
  expect(tiles).toMatchObject({ name: 'Sample Tiles', symbol: 'TILE', contractType: 'ERC721' })
  const { raw } = await request({ tokenCounts: true })
  const counts = raw.result.map(({ token_address, count }) => [token_address, count])
  expect(counts).toEqual(
    expect.arrayContaining([
      [collections.tiles, 79],
      [collections.items, 10],
    ]),
  )
})

test('default: the pager reads the transfers of a wallet in both orders', async () => {
  type Requested = Omit<Parameters<typeof Moralis.EvmApi.nft.getWalletNFTTransfers>[0], 'chain' | 'address'>
  const request = (query: Requested) => Moralis.EvmApi.nft.getWalletNFTTransfers({ chain, address: wallet, ...query })
  const pages = [await request({ limit: 60, order: 'ASC', fromBlock: 0, toDate: '2100-01-01' })]
  for (let page = pages[0]!; page.hasNext(); pages.push(page)) page = await page.next()
  const moved = pages.flatMap(({ result }) => result.map(({ result: transfer }) => transfer))
  expect(moved.length).toBeGreaterThan(90)
  expect(
    moved.every(({ fromAddress, toAddress }) => [fromAddress?.lowercase, toAddress.lowercase].includes(wallet)),
  ).toBe(true)
  expect(moved[0]).toMatchObject({ amount: 1, contractType: 'ERC721', logIndex: 0, transactionIndex: 0 })
  expect(moved[0]!.tokenAddress.lowercase).toBe(collections.tiles)
  expect(moved[0]!.blockTimestamp.getTime()).toBeGreaterThan(Date.now() - 600_000)
  const last = (await request({ limit: 1 })).result[0]!
  expect(last.blockNumber.toString()).toBe(moved.at(-1)!.blockNumber.toString())
  const named = await request({ contractAddresses: [collections.items, collections.broken], order: 'asc' as 'ASC' })
  expect(moralis.requests.at(-1)!.params).toEqual({
    ...{ chain, order: 'asc', contract_addresses: [collections.items, collections.broken] },
  })
  const addresses = [collections.items, collections.broken] as string[]
  expect(named.raw.result).toEqual(
    pages.flatMap(({ raw }) => raw.result).filter(({ token_address }) => addresses.includes(token_address)),
  )
})

test('error: rejects the zero address with a reason', async () => {
  const requested = Moralis.EvmApi.nft.getWalletNFTs({ chain, address: `0x${'0'.repeat(40)}` })
  await expect(requested).rejects.toThrow('the zero address, which holds nothing')
})
