import Moralis from 'moralis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { startTestServer, type TestServer } from '../mintmark.ts'
import { patienceMs } from '../patience.ts'
import { type Collections, collect, deployCollections, untilDocumented } from './collections.ts'
import { walkWithMoralis } from './examples/walkWithMoralis.ts'
import { type StartedMoralis, startMoralis } from './startMoralis.ts'

let anvil: Anvil
let server: TestServer
let moralis: StartedMoralis
let collections: Collections
const chain = '0x7a69'

beforeAll(async () => {
  anvil = await startAnvil()
  collections = await deployCollections(anvil)
  server = await startTestServer({ rpc: [anvil.url] })
  for (const address of Object.values(collections)) await untilDocumented(server, address)
  moralis = await startMoralis(server)
})
afterAll(async () => {
  await server?.close()
  await anvil?.stop()
})

type Query = Omit<Parameters<typeof Moralis.EvmApi.nft.getContractNFTs>[0], 'chain'>

const get = (query: Query) => Moralis.EvmApi.nft.getContractNFTs({ chain, ...query })

/** Follows the pager to the last page, as the package's documentation shows. */
async function walk(query: Query) {
  const pages = [await get(query)]
  for (let page = pages[0]!; page.hasNext(); pages.push(page)) page = await page.next()
  return { pages, records: pages.flatMap((page) => page.result) }
}

const ids = (records: readonly { tokenId: number | string }[]) => records.map((record) => Number(record.tokenId))
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)
const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)

test('default: the pager reads a collection to its last page', async () => {
  const { pages, records } = await walk({ address: collections.tiles })
  expect(sorted(ids(records))).toEqual(upTo(236))
  expect(pages.map((page) => page.result.length)).toEqual([100, 100, 36])
  expect(pages.map((page) => page.pagination.page)).toEqual([0, 1, 2])
  expect(() => pages.at(-1)!.next()).toThrow('Page limit exceeded')
  expect(ids(await collect(walkWithMoralis(collections.tiles, chain)))).toEqual(ids(records))
})

test('behavior: the pager reads a trait-filtered list to its last page, and tokens are ranked once requested', async () => {
  const { result } = (await (await server.get(`/api/v2/nft/${collections.tiles}/traits?chain=${chain}`)).json()) as {
    result: { trait_type: string; value: string; count: number }[]
  }
  const lines = result.filter(({ trait_type }) => trait_type === 'Line')
  expect(lines.reduce((sum, { count }) => sum + count, 0)).toBe(236)
  for (const { value, count } of lines) {
    using _ = moralis.addParams({ traits: `Line:${value}`, include: 'rarity', disable_total: false })
    const { pages, records } = await walk({ address: collections.tiles, limit: 20, normalizeMetadata: true })
    expect(pages[0]!.pagination.total).toBe(count)
    expect(new Set(ids(records)).size).toBe(count)
    for (const { metadata } of records) expect(metadata).toMatchObject({ attributes: [{}, {}, { value }, {}, {}] })
  }
  const ranked = () => server.page(collections.tiles, { include: 'rarity' })
  await expect.poll(async () => (await ranked()).headers.get('x-rarity-documents'), { timeout: patienceMs }).toBe('236')
  const ranks = (await ranked()).body.result.map((record) => (record as { rarity_rank?: number }).rarity_rank)
  for (const rank of ranks) expect(rank).toBeGreaterThan(0)
})

test('behavior: the pager also ends at the last page with totals, for any page size', async () => {
  using _ = moralis.addParams({ disable_total: false })
  for (const limit of [1, 59, 100]) {
    const address = limit === 1 ? collections.items : collections.tiles
    const { pages, records } = await walk({ address, limit })
    const count = limit === 1 ? 10 : 236
    expect(sorted(ids(records))).toEqual(upTo(count))
    expect(pages[0]!.pagination.total).toBe(count)
  }
})

test.each([true, false])(
  'behavior: sub-ranges are paged to their ends and together cover the collection (disable_total %s)',
  async (off) => {
    using _ = moralis.addParams({ disable_total: off })
    const parts: number[][] = []
    for (const range of [0, 1, 2]) {
      const { pages, records } = await walk({ address: collections.tiles, totalRanges: 3, range, limit: 25 })
      if (!off) expect(pages[0]!.pagination.total).toBe(records.length)
      expect(records.length).toBeGreaterThan(40)
      parts.push(ids(records))
    }
    expect(sorted(parts.flat())).toEqual(upTo(236))
  },
)

test('behavior: every query parameter reaches the server', async () => {
  const query = {
    address: collections.tiles,
    format: 'hex',
    limit: 2,
    totalRanges: 2,
    range: 1,
    normalizeMetadata: true,
    mediaItems: true,
  } as const
  const { cursor } = (await get(query)).pagination
  const page = await get({ ...query, cursor: cursor! })
  expect(moralis.requests.at(-1)!.params).toEqual({
    ...{ chain, format: 'hex', limit: '2', totalRanges: '2', range: '1', cursor },
    ...{ normalizeMetadata: true, media_items: true },
  })
  expect(page.pagination).toMatchObject({ page: 1, pageSize: 2 })
  expect(page.raw.result).toMatchObject(Array(2).fill({ token_id: expect.stringMatching(/^0x/), media: {} }))
  const { records: half } = await walk({ address: collections.tiles, totalRanges: 2, range: 1 })
  expect(ids(page.result)).toEqual(ids(half.slice(2, 4)))
})

/** Fields that the package reads but does not declare. */
type Unnamed = { minterAddress?: string; verifiedCollection?: boolean; normalizedMetadata?: unknown }

test('default: all fields of a token with one owner are read', async () => {
  const first = async () => {
    const query = { address: collections.tiles, format: 'hex', limit: 1 } as const
    return (await get({ ...query, normalizeMetadata: true, mediaItems: true })).result[0]!.result
  }
  const token = await first()
  const id = Number(token.tokenId)
  expect(token.tokenId).toBe(`0x${id.toString(16)}`)
  const owner = anvil.accounts[id % 3]
  expect(token).toMatchObject({ amount: 1, contractType: 'ERC721', name: 'Sample Tiles', symbol: 'TILE' })
  expect(token).toMatchObject({ possibleSpam: false, tokenHash: expect.stringMatching(/^[0-9a-f]{32}$/) })
  expect(token.chain.hex).toBe(chain)
  expect(token.tokenAddress.lowercase).toBe(collections.tiles)
  expect(token.ownerOf?.lowercase).toBe(owner)
  expect(token.blockNumber?.toString()).toBe('2')
  expect(token.blockNumberMinted?.toString()).toBe('2')
  expect(token.lastTokenUriSync?.getTime()).toBeGreaterThan(Date.now() - 600_000)
  expect(token.lastMetadataSync?.getTime()).toBeGreaterThan(Date.now() - 600_000)
  const document = JSON.parse(Buffer.from(token.tokenUri!.split(',')[1]!, 'base64').toString())
  expect(token.metadata).toEqual(document)
  const { minterAddress, verifiedCollection, normalizedMetadata } = token as Unnamed
  expect({ minterAddress, verifiedCollection }).toEqual({ minterAddress: owner, verifiedCollection: false })
  expect(normalizedMetadata).toMatchObject({ name: `Tile #${id}`, image: document.image, animationUrl: null })
  expect(normalizedMetadata).toMatchObject({
    attributes: expect.arrayContaining([expect.objectContaining({ traitType: 'Turns', maxValue: 16 })]),
  })
  expect(token.media?.originalMediaUrl).toBe(document.image)
  await expect.poll(async () => (await first()).media?.status).toBe('success')
  const { mediaCollection, mimetype } = (await first()).media!
  expect(mimetype).toBe('image/svg+xml')
  expect(mediaCollection?.high).toMatchObject({ width: 500, height: 500 })
  expect((await fetch(mediaCollection!.low.url)).headers.get('content-type')).toBe('image/webp')
})

test('behavior: a token with several holders has no owner, and its amount is the total', async () => {
  const { records } = await walk({ address: collections.items })
  for (const { tokenId, result } of records) {
    expect(result).toMatchObject({ amount: 7, contractType: 'ERC1155', metadata: { name: `Moon ${tokenId}` } })
    expect(result.ownerOf?.lowercase).toBe(Number(tokenId) < 5 ? undefined : anvil.accounts[0])
  }
})

test('behavior: invalid metadata leaves the page readable', async () => {
  const { result } = await get({ address: collections.broken, normalizeMetadata: true })
  expect(result.map(({ metadata, tokenUri }) => [metadata, tokenUri?.slice(0, 27)])).toEqual(
    Array(2).fill([undefined, 'data:text/plain,no document']),
  )
})

test('default: owners of contracts and tokens are returned, one record per token and holder', async () => {
  const owners = async (page: Awaited<ReturnType<typeof Moralis.EvmApi.nft.getNFTOwners>>) => {
    const pages = [page]
    for (let next = page; next.hasNext(); pages.push(next)) next = await next.next()
    return pages
      .flatMap(({ result }) => result)
      .map(({ result: { tokenId, ownerOf, amount } }) => ({
        ...{ id: Number(tokenId), owner: ownerOf?.lowercase, amount },
      }))
  }
  const { nft } = Moralis.EvmApi
  const tiles = await owners(await nft.getNFTOwners({ address: collections.tiles, chain, limit: 59 }))
  expect(sorted(tiles.map(({ id }) => id))).toEqual(upTo(236))
  expect(tiles.every(({ id, owner, amount }) => owner === anvil.accounts[id % 3] && amount === 1)).toBe(true)
  const items = await owners(await nft.getNFTOwners({ address: collections.items, chain, limit: 2 }))
  for (const id of upTo(10)) {
    const own = items.filter((item) => item.id === id)
    expect(own.reduce((sum, { amount }) => sum + (amount ?? 0), 0)).toBe(7)
    expect(own.length > 1).toBe(id < 5)
    const requested = { address: collections.items, tokenId: String(id), chain, limit: 1 }
    expect(await owners(await nft.getNFTTokenIdOwners(requested))).toEqual(own)
  }
})

test('default: all statistics of contracts and tokens are read', async () => {
  const { nft } = Moralis.EvmApi
  // The owner count of a contract lags a moment behind.
  await expect
    .poll(async () => (await nft.getNFTCollectionStats({ address: collections.tiles, chain })).result)
    .toMatchObject({ totalTokens: '236', owners: { current: '3' }, transfers: { total: '236' } })
  const one = await nft.getNFTTokenStats({ address: collections.items, tokenId: '3', chain })
  expect(one.result).toMatchObject({ owners: { current: expect.stringMatching(/^[2-9]$/) }, transfers: { total: '2' } })
})

test('default: all contract metadata of both standards is read, and null is returned without a contract', async () => {
  const get = async (address: string) =>
    (await Moralis.EvmApi.nft.getNFTContractMetadata({ address, chain }))?.result.result ?? null
  for (const [address, name, symbol, contractType] of [
    [collections.tiles, 'Sample Tiles', 'TILE', 'ERC721'],
    [collections.items, 'Sample Moons', 'MOON', 'ERC1155'],
  ] as const) {
    const read = await get(address)
    expect(read).toMatchObject({ name, symbol, contractType, possibleSpam: false, verifiedCollection: false })
    expect([read?.tokenAddress.lowercase, read?.chain.hex]).toEqual([address, chain])
    expect(read?.syncedAt?.getTime()).toBeGreaterThan(Date.now() - 600_000)
  }
  await expect.poll(() => get(`0x${'12'.repeat(20)}`)).toBeNull()
})

test('default: one token is read with all fields, without owner if it has several, and null if it does not exist', async () => {
  const get = async (address: string, tokenId: string) =>
    (await Moralis.EvmApi.nft.getNFTMetadata({ address, tokenId, chain, normalizeMetadata: true }))?.result.result
  const tile = await get(collections.tiles, '7')
  expect(tile).toMatchObject({ tokenId: '7', amount: 1, contractType: 'ERC721', name: 'Sample Tiles', symbol: 'TILE' })
  expect(tile).toMatchObject({ metadata: { name: 'Tile #7' }, normalizedMetadata: { name: 'Tile #7' } })
  expect([tile?.tokenAddress.lowercase, tile?.ownerOf?.lowercase]).toEqual([collections.tiles, anvil.accounts[1]])
  const item = await get(collections.items, '0')
  expect([item?.amount, item?.ownerOf]).toEqual([7, undefined])
  expect(await get(collections.tiles, '9999')).toBeUndefined()
})

test('default: a token is refreshed on request', async () => {
  const requested = { address: collections.tiles, tokenId: '8', chain, flag: 'uri', mode: 'sync' } as const
  const { result } = await Moralis.EvmApi.nft.reSyncMetadata(requested)
  expect(result).toMatchObject({ status: expect.stringMatching(/^(due|ok)$/) })
})

test('default: tokens of several contracts and both standards return in the requested order, skipping unknown ones', async () => {
  const { tiles, items, broken } = collections
  const requested = [
    [items, '7'],
    [tiles, '200'],
    [tiles, '9999'],
    [broken, '1'],
    [`0x${'13'.repeat(20)}`, '1'],
    [tiles, '3'],
    [tiles, '200'],
  ] as const
  const tokens = requested.map(([tokenAddress, tokenId]) => ({ tokenAddress, tokenId }))
  const read = await Moralis.EvmApi.nft.getMultipleNFTs({ chain, tokens, normalizeMetadata: true, mediaItems: true })
  const found = read.result.map((token) => token!.result)
  expect(found.map((token) => [token.tokenAddress.lowercase, token.tokenId])).toEqual(
    [0, 1, 3, 5].map((i) => [...requested[i]!]),
  )
  expect(found.map(({ amount, contractType }) => [amount, contractType])).toEqual([
    [7, 'ERC1155'],
    ...Array(3).fill([1, 'ERC721']),
  ])
  expect(found.map(({ ownerOf }) => ownerOf?.lowercase)).toEqual([0, 2, 0, 0].map((i) => anvil.accounts[i]))
  expect(found[3]).toMatchObject({
    name: 'Sample Tiles',
    normalizedMetadata: { name: 'Tile #3' },
    chain: { hex: chain },
  })
  expect(found[3]?.media?.originalMediaUrl).toMatch(/^data:image/)
  const page = await server.page(tiles, { normalizeMetadata: true, media_items: true })
  const one = page.body.result[0]!
  const same = { tokenAddress: one.token_address, tokenId: one.token_id }
  const again = await Moralis.EvmApi.nft.getMultipleNFTs({ chain, tokens: [same], normalizeMetadata: true })
  expect(again.raw).toEqual([{ ...one, media: null }])
})

test('behavior: a token with several holders is in the response, which the package returns only as raw', async () => {
  const tokens = [{ tokenAddress: collections.items, tokenId: '0' }]
  const read = await Moralis.EvmApi.nft.getMultipleNFTs({ chain, tokens })
  expect(read.raw).toMatchObject([{ token_id: '0', owner_of: null, amount: '7', contract_type: 'ERC1155' }])
  expect(() => read.result).toThrow('Invalid address provided: null')
})

test('behavior: requesting a token of a contract that is not indexed yet starts its indexing', async () => {
  const tokenAddress = await anvil.deploy(plain721, ['Late', 'LATE', ''])
  await anvil.send({
    to: tokenAddress,
    abi: plain721.abi,
    functionName: 'mintBatch',
    args: [anvil.accounts[0]!, 0n, 2n],
  })
  const tokens = [collections.tiles, tokenAddress].map((address) => ({ tokenAddress: address, tokenId: '1' }))
  const request = async () => {
    const { result } = await Moralis.EvmApi.nft.getMultipleNFTs({ chain, tokens })
    return result.map((token) => token!.tokenAddress.lowercase)
  }
  expect(await request()).toEqual([collections.tiles])
  await expect.poll(request).toEqual([collections.tiles, tokenAddress])
})
