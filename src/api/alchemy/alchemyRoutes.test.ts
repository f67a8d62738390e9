import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../test/api.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import type { Address } from '../../util/hex.ts'
import { createAlchemyRoutes } from './createAlchemyRoutes.ts'

const address: Address = `0x${'5a'.repeat(20)}`
const key = encodeURIComponent(adminKey)
const ids = [1n, 2n, 10n, 300n, 2n ** 256n - 1n]

let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
  await seedCollection(api.db, { address, tokens: ids, columns: { checked_at: new Date(0) } })
  // Stores the mint of each token, as in its history.
  await api.db.run(
    `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, block_hash, block_time)
     SELECT partition, collection_id, first_position, row_number() OVER (ORDER BY token_id), token_id, '\\x${'00'.repeat(20)}', minter, 1,
       '\\x${'cd'.repeat(32)}', '\\x${'ef'.repeat(32)}', 1700000000 FROM token`,
  )
})
afterAll(() => api.drop())

// biome-ignore lint/suspicious/noExplicitAny: answers of thirty shapes, each compared whole.
type Body = any

const base = '/alchemy/eth-mainnet/nft/v3'

async function read(target: string, at = `${base}/${key}`) {
  const response = await api.api.request(new Request(`http://localhost${at}/${target}`))
  return { status: response.status, body: (await response.json()) as Body, headers: response.headers }
}

async function send(name: string, body: unknown, at = `${base}/${key}`) {
  const request = new Request(`http://localhost${at}/${name}`, { method: 'POST', body: JSON.stringify(body) })
  const response = await api.api.request(request)
  return { status: response.status, body: (await response.json()) as Body }
}

const owner = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`

test('default: getNFTsForContract pages through a contract by token id until pageKey is null', async () => {
  const found: string[] = []
  let pageKey: string | null = null
  do {
    const next: string = pageKey === null ? '' : `&pageKey=${pageKey}`
    const { status, body } = await read(
      `getNFTsForContract?contractAddress=${address}&limit=2&withMetadata=false${next}`,
    )
    expect(status).toBe(200)
    for (const { tokenId } of body.nfts) found.push(tokenId)
    pageKey = body.pageKey
  } while (pageKey !== null)
  expect(found).toEqual(ids.map(String))
  const { body } = await read(`getNFTsForContract?contractAddress=${address}&startToken=0xa&withMetadata=false`)
  expect(body).toEqual({
    nfts: ids.slice(2).map((id) => ({ contractAddress: address, tokenId: String(id) })),
    pageKey: null,
  })
})

test('behavior: getNFTsForContract skips burned tokens', async () => {
  await api.db.run('UPDATE token SET amount = 0 WHERE token_id = 2')
  const { body } = await read(`getNFTsForContract?contractAddress=${address}&limit=2&withMetadata=false`)
  await api.db.run('UPDATE token SET amount = 1 WHERE token_id = 2')
  expect(body.nfts.map(({ tokenId }: { tokenId: string }) => tokenId)).toEqual(['1', '10'])
})

test('default: getNFTMetadata returns every field, with null for unknown values', async () => {
  const { status, body, headers } = await read(`getNFTMetadata?contractAddress=${address}&tokenId=0x1`)
  expect(status).toBe(200)
  expect(headers.get('x-index-status')).toBe('synced')
  const none = { cachedUrl: null, thumbnailUrl: null, pngUrl: null, contentType: null, size: null, originalUrl: null }
  expect(body).toMatchObject({
    contract: { address, name: 'Seeds', symbol: 'SEED', totalSupply: '5', tokenType: 'ERC721', isSpam: false },
    ...{
      tokenId: '1',
      tokenType: 'ERC721',
      name: null,
      description: null,
      tokenUri: null,
      image: none,
      animation: none,
    },
    raw: { tokenUri: null, metadata: {}, error: 'metadata not fetched yet' },
    mint: {
      mintAddress: `0x${'ab'.repeat(20)}`,
      blockNumber: 100,
      timestamp: '2023-11-14T22:13:20.000Z',
      transactionHash: `0x${'cd'.repeat(32)}`,
    },
    ...{ owners: null, timeLastUpdated: null },
  })
  expect(body.contract.openSeaMetadata.lastIngestedAt).toBe('1970-01-01T00:00:00.000Z')
})

test('default: getNFTMetadataBatch keeps the requested order and reports nonexistent tokens', async () => {
  const tokens = [
    { contractAddress: address, tokenId: '0xa' },
    { contractAddress: address, tokenId: '7' },
    { contractAddress: address.toUpperCase().replace('0X', '0x'), tokenId: 1 },
    { contractAddress: address, tokenId: '10' },
  ]
  const { status, body } = await send('getNFTMetadataBatch', { tokens })
  expect(status).toBe(200)
  expect(body.nfts.map(({ tokenId }: { tokenId: string }) => tokenId)).toEqual(['10', '7', '1', '10'])
  expect(
    body.nfts.map(({ raw }: { raw: { error: string | null } }) => raw.error !== null && /exist/.test(raw.error)),
  ).toEqual([...[false, true, false, false]])
})

test('default: returns the owners of a contract and of a token', async () => {
  const all = await read(`getOwnersForContract?contractAddress=${address}`)
  expect(all.body).toEqual({ owners: [1, 2, 3, 4, 5].map(owner), totalCount: 5, pageKey: null })
  const first = await read(`getOwnersForContract?contractAddress=${address}&pageSize=3&withTokenBalances=true`)
  expect(first.body.owners[2]).toEqual({ ownerAddress: owner(3), tokenBalances: [{ tokenId: '10', balance: '1' }] })
  const { body } = await read(
    `getOwnersForContract?contractAddress=${address}&withTokenBalances=true&pageSize=3&pageKey=${first.body.pageKey}`,
  )
  expect(body.owners.map(({ ownerAddress }: { ownerAddress: string }) => ownerAddress)).toEqual([4, 5].map(owner))
  expect(body.pageKey).toBeNull()
  expect((await read(`getOwnersForNFT?contractAddress=${address}&tokenId=300`)).body).toEqual({
    owners: [owner(4)],
    pageKey: null,
  })
})

test('error: a wrong key gets 401 in the Alchemy error format, and no 401 response contains a key', async () => {
  for (const at of [`${base}/wrong`, `${base}/-`, '/alchemy/eth-mainnet/nft/v3/mmk_0000']) {
    const { status, body } = await read(`getContractMetadata?contractAddress=${address}`, at)
    expect(status).toBe(401)
    expect(Object.keys(body)).toEqual(['error'])
    expect(JSON.stringify(body)).not.toContain(at.split('/').at(-1)! === '-' ? adminKey : at.split('/').at(-1)!)
  }
  const inHeader = new Request(`http://localhost${base}/-/getContractMetadata?contractAddress=${address}`, {
    headers: { 'x-api-key': adminKey },
  })
  expect((await api.api.request(inHeader)).status).toBe(200)
})

test.each([
  ['getNFTMetadata?contractAddress=0x1&tokenId=1', 400, /contractAddress is "0x1"/],
  [`getNFTMetadata?contractAddress=${address}&tokenId=${2n ** 256n}`, 400, /tokenId/],
  [`getNFTMetadata?contractAddress=${address}`, 400, /tokenId is missing/],
  ['getNFTsForOwner?owner=vitalik.eth', 400, /does not resolve ENS names/],
  [`getNFTsForOwner?owner=${address}&${Array(46).fill(`contractAddresses[]=${address}`).join('&')}`, 400, /at most 45/],
  [`getNFTsForOwner?owner=${address}&orderBy=transferTime`, 400, /orderBy is transferTime; allowed: only where/],
  [`getContractsForOwner?owner=${address}&orderBy=transferTime`, 400, /orderBy is transferTime; allowed: only where/],
  [
    `getContractsForOwner?owner=${address}&orderBy=transferTime&excludeFilters[]=AIRDROPS`,
    400,
    /orderBy is transferTime, together with AIRDROPS; allowed: one of the two/,
  ],
  [`getNFTsForOwner?owner=${address}&orderBy=price`, 400, /orderBy is "price"; allowed: transferTime/],
  [`getNFTsForOwner?owner=${address}&excludeFilters[]=SPAM&includeFilters[]=SPAM`, 400, /includeFilters is SPAM/],
  [`getContractsForOwner?owner=${address}&excludeFilters[]=FREE`, 400, /excludeFilters.*allowed: SPAM or AIRDROPS/],
  [`getNFTsForOwner?owner=${address}&pageKey=x`, 400, /pageKey/],
  [`getNFTsForOwner?owner=${address}&pageSize=101`, 400, /pageSize/],
  [`getOwnersForContract?contractAddress=${address}&block=9999999`, 400, /^block is 9999999, a block whose/],
  ['getNothing', 404, /getNothing is not an operation with GET; allowed: getNFTMetadata/],
])('error: %s', async (target, status, message) => {
  const answer = await read(target)
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: { error: { message: expect.stringMatching(message) } },
  })
})

test('error: an unknown network, wrong method, oversized body or invalid JSON is rejected in the Alchemy error format', async () => {
  const requested = `getContractMetadata?contractAddress=${address}`
  const unknown = await read(requested, `/alchemy/moon/nft/v3/${key}`)
  expect(unknown.status).toBe(400)
  expect(unknown.body.error.message).toMatch(/network is "moon"; allowed: eth-mainnet/)
  expect((await read(requested, `/alchemy/0x1/nft/v3/${key}`)).status).toBe(200)
  const wrongMethod = await send('getContractMetadata', {})
  expect(wrongMethod).toMatchObject({ status: 405, body: { error: { message: expect.stringContaining('POST') } } })
  const long = await send('getNFTMetadataBatch', { tokens: ['x'.repeat(2_000_000)] })
  expect(long).toMatchObject({ status: 413, body: { error: { message: expect.stringContaining('bytes') } } })
  const noId = await send('getNFTMetadataBatch', { tokens: [{ contractAddress: address, tokenId: 1.5 }] })
  expect(noId.body.error.message).toMatch(/^tokens\[0\]\.tokenId is 1\.5; allowed: a token id as text/)
  const many = { tokens: Array(101).fill({ contractAddress: address, tokenId: '1' }) }
  expect(await send('getNFTMetadataBatch', many)).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('at most 100') } },
  })
  const noJson = new Request(`http://localhost${base}/${key}/getNFTMetadataBatch`, { method: 'POST', body: '{' })
  expect((await api.api.request(noJson)).status).toBe(400)
})

test('error: rejects a pageKey of another route or of other parameters, or an altered one', async () => {
  const { body } = await read(`getNFTsForContract?contractAddress=${address}&limit=2`)
  const other: Address = `0x${'5b'.repeat(20)}`
  for (const target of [
    `getNFTsForContract?contractAddress=${other}&pageKey=${body.pageKey}`,
    `getNFTsForContract?contractAddress=${address}&startToken=2&pageKey=${body.pageKey}`,
    `getOwnersForContract?contractAddress=${address}&pageKey=${body.pageKey}`,
    `getNFTsForContract?contractAddress=${address}&pageKey=${body.pageKey}A`,
  ])
    expect(await read(target), target).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/^pageKey (is invalid|belongs)/) } },
    })
})

test('default: spam, trait, refresh and price routes answer in the Alchemy format', async () => {
  expect((await read(`isSpamContract?contractAddress=${address}`)).body).toEqual({ isSpamContract: false })
  await api.db.run('UPDATE collection SET spam_override = true')
  expect((await read('getSpamContracts')).body).toEqual({ contractAddresses: [address] })
  await api.db.run('UPDATE collection SET spam_override = NULL')
  expect((await read('searchContractMetadata?query=seed')).body.contracts[0]).toMatchObject({ address, name: 'Seeds' })
  expect((await read(`computeRarity?contractAddress=${address}&tokenId=1`)).body).toEqual({ rarities: [] })
  expect((await read(`summarizeNFTAttributes?contractAddress=${address}`)).body).toEqual({
    summary: {},
    totalSupply: '5',
    contractAddress: address,
  })
  expect((await read('getFloorPrice')).body.openSea).toMatchObject({ floorPrice: null, error: expect.any(String) })
  expect((await read('getNFTSales')).body).toMatchObject({ nftSales: [], pageKey: null, error: expect.any(String) })
  expect((await read(`invalidateContract?contractAddress=${address}`)).body).toEqual({
    success: true,
    numTokensInvalidated: 5,
  })
  const batch = await send('getContractMetadataBatch', { contractAddresses: [address, address] })
  expect(batch.body.contracts.map(({ address }: { address: string }) => address)).toEqual([address, address])
})

test('behavior: contract search returns the stored deployer and deployment block', async () => {
  const deployed: Address = `0x${'5c'.repeat(20)}`
  const columns = { name: 'Found', checked_at: new Date(0) }
  const { partition, id } = await seedCollection(api.db, { address: deployed, tokens: [1n], columns })
  await api.db.run(
    'INSERT INTO contract_deployment (partition, collection_id, deployer, block_number) VALUES ($1, $2, $3, 7)',
    [partition, id, Buffer.alloc(20, 0xdd)],
  )
  expect((await read('searchContractMetadata?query=found')).body.contracts).toMatchObject([
    { address: deployed, contractDeployer: `0x${'dd'.repeat(20)}`, deployedBlockNumber: 7 },
  ])
})

const unused = undefined as never
const { routes } = createAlchemyRoutes({
  ...{
    chains: [],
    nft: unused,
    wallets: unused,
    whole: unused,
    walletDemand: unused,
    transfers: unused,
    holders: unused,
    origins: unused,
    metadata: unused,
  },
  ...{ collections: unused, reports: unused, asOf: unused, cursors: unused },
  ...{ answers: unused, cache: unused, salt: unused },
})

test.each([
  { name: 'U+0000', encoded: 'a%00b' },
  { name: 'half of a surrogate pair', encoded: 'a%ED%A0%80b' },
  { name: 'a long text', encoded: 'a'.repeat(10_000) },
  { name: 'an empty text', encoded: '' },
])('error: $name as any parameter of any route gets 200, or 400 in the Alchemy error format', async ({ encoded }) => {
  let rejected = 0
  for (const { method, summary, query } of routes) {
    if (method !== 'GET') continue
    for (const parameter of Object.keys(query.shape)) {
      const { status, body } = await read(`${summary}?${parameter}=${encoded}`)
      expect([200, 400], `${summary} ${parameter} ${JSON.stringify(body)}`).toContain(status)
      if (status !== 400) continue
      rejected++
      expect(Object.keys(body)).toEqual(['error'])
      expect(body.error.message.length).toBeLessThan(1_000)
    }
  }
  expect(rejected).toBeGreaterThan(40)
})

test('error: a request body of the wrong shape is rejected in the Alchemy error format', async () => {
  const { check, asyncProperty, anything, constantFrom, record, array, string } = fc
  const named = constantFrom('getNFTMetadataBatch', 'getContractMetadataBatch', 'refreshNftMetadata')
  const near = record({ tokens: array(record({ contractAddress: string(), tokenId: string() })) })
  const property = asyncProperty(named, fc.oneof(anything(), near), async (name, value) => {
    const { status, body } = await send(name, value ?? null)
    expect([200, 400]).toContain(status)
    if (status === 400) expect(Object.keys(body)).toEqual(['error'])
  })
  expect(await check(property, { numRuns: 200 })).toMatchObject({ failed: false })
})

test('behavior: requesting an unknown contract queues its indexing, and its tokens report that', async () => {
  const unknown: Address = `0x${'77'.repeat(20)}`
  const { body } = await read(`getNFTMetadata?contractAddress=${unknown}&tokenId=1`)
  expect(body).toMatchObject({
    contract: { address: unknown, name: null },
    raw: { error: expect.stringContaining('indexed') },
  })
  expect(await api.db.rows(`SELECT 1 FROM collection WHERE address = '\\x${'77'.repeat(20)}'`)).toHaveLength(1)
})
