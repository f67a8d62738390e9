import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { adminKey, asOfQuery, createTestApi, type TestApi } from '../../../test/api.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import { createMetadataDemand } from '../../nft/metadata/store/createMetadataDemand.ts'
import { createNftQuery } from '../../nft/pages/createNftQuery.ts'
import { createHolderQuery } from '../../nft/pages/holders/createHolderQuery.ts'
import { createTransferQuery } from '../../nft/pages/transfers/createTransferQuery.ts'
import { createWalletQuery } from '../../nft/pages/wallets/createWalletQuery.ts'
import type { NftQuery } from '../../nft/query.ts'
import { raiseVersions } from '../../nft/store/collectionStore.ts'
import { createDemand } from '../../nft/store/createDemand.ts'
import { storeTransfers } from '../../nft/store/storeTransfers.ts'
import { positionOf } from '../../nft/transfers/position.ts'
import { zeroAddress } from '../../nft/transfers/transfer.ts'
import { type CollectionKey, transferGroup } from '../../nft/transfers/transferGroup.ts'

const address = `0x${'5b'.repeat(20)}` as const

let database: TestDatabase
let api: TestApi
let collection: CollectionKey
let block = 1_000
/** Runs before each page is read. */
let beforePage: () => Promise<void>
const calls = { state: 0, page: 0 }

beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  const query = createNftQuery({ db })
  const watched: NftQuery = {
    ...query,
    state: (...given) => {
      calls.state++
      return query.state(...given)
    },
    page: async (given) => {
      calls.page++
      await beforePage()
      return query.page(given)
    },
  }
  api = await createTestApi({
    db,
    nft: {
      query: watched,
      asOf: asOfQuery(db),
      wallets: createWalletQuery({ db }),
      transfers: createTransferQuery({ db, openChains: {} as never }),
      holders: createHolderQuery({ db }),
      demand: createDemand({ db, chainIds: [], maxQueued: 10, maxQueuedPerKey: 10 }),
      metadata: createMetadataDemand({ db }),
    },
    // The server may use cached data of a collection for the longest allowed time.
    config: { pageCache: { freshMs: 60_000 } },
  })
  const key = await seedCollection(db, { address })
  collection = { ...key, chainId: 1n, address, standard: 'ERC721', idInData: false }
  await mintNext()
})
afterAll(async () => {
  await api.drop()
  await database.drop()
})
beforeEach(() => {
  beforePage = async () => undefined
})

/** Adds a block that mints the token with its number. */
async function mintNext(): Promise<number> {
  block++
  const hash = block.toString(16).padStart(64, '0')
  const transfer = {
    ...{ position: positionOf(block, 0), item: 0, tokenId: String(block), from: zeroAddress, to: '11'.repeat(20) },
    ...{ amount: '1', operator: null, transactionHash: 'ab'.repeat(32), transactionIndex: 0 },
    ...{ blockHash: hash, blockTime: 1_700_000_000 },
  }
  await database.db.transaction(async (tx) => {
    await raiseVersions(tx, await storeTransfers(tx, [transferGroup(collection, [transfer])]))
    await tx.run(`UPDATE chain SET block_number = $1, head_number = $1, block_hash = decode($2, 'hex')`, [block, hash])
  })
  return block
}

async function get(path: string): Promise<{ to: number; latest: number; body: { result: { token_id: string }[] } }> {
  const response = await api.get(`/api/v2/nft/${address}${path}`)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  const body = JSON.parse(text)
  const ids = (body.result ?? [body]).map(({ token_id }: { token_id: string }) => Number(token_id))
  return { to: Number(response.headers.get('x-index-to-block')), latest: Math.max(...ids), body }
}

test.each([
  ['tokens', () => ''],
  ['tokens with normalised documents', () => '?normalizeMetadata=true'],
  ['tokens of a part', () => '?totalRanges=1&range=0'],
  ['one token', (id: number) => `/${id}`],
  ['owners', () => '/owners'],
  ['owners of one token', (id: number) => `/${id}/owners`],
  ['transfers', () => '/transfers'],
  ['transfers of one token', (id: number) => `/${id}/transfers`],
])('behavior: a page of %s matches the block in its header, although the cached state is older', async (_, path) => {
  await get('?limit=1')
  const id = await mintNext()
  const page = await get(path(id))
  expect(page).toMatchObject({ to: id, latest: id })
})

test.each([
  'getNFTsForContract?withMetadata=false',
  'getNFTMetadata?',
  'getOwnersForContract?',
  'getOwnersForContract?withTokenBalances=true',
  'getOwnersForNFT?',
])('behavior: %s matches the block in its header, although the cached state is older', async (route) => {
  await get('?limit=1')
  const id = await mintNext()
  const target = `/alchemy/eth-mainnet/nft/v3/-/${route}&contractAddress=${address}&tokenId=${id}`
  const response = await api.get(target)
  expect([response.status, response.headers.get('x-index-to-block')]).toEqual([200, String(id)])
})

test.each([
  ['a collection', () => ''],
  ['a token', (id: number) => `/${id}`],
])('behavior: counters of %s match the block in their header, although the cached state is older', async (_, path) => {
  await get('?limit=1')
  const id = await mintNext()
  const response = await api.get(`/api/v2/nft/${address}${path(id)}/stats`)
  const { total_tokens, transfers } = (await response.json()) as {
    total_tokens: string
    transfers: { total: string }
  }
  const all = String(block - 1_000)
  expect([response.headers.get('x-index-to-block'), total_tokens, transfers.total]).toEqual(
    path(id) === '' ? [String(id), all, all] : [String(id), '1', '1'],
  )
})

test('behavior: a page matches its header after a reorganisation replaces the head block between state and page', async () => {
  const id = await mintNext()
  await get('?limit=2')
  await database.db.run(`UPDATE chain SET block_hash = '\\x77'`)
  await database.db.run('UPDATE collection SET version = version + 1, tokens = tokens + 7')
  const { body, to } = await get('?limit=3&disable_total=false')
  expect(body).toMatchObject({ total: block - 1_000 + 7 })
  expect(to).toBe(id)
  await database.db.run('UPDATE collection SET version = version + 1, tokens = tokens - 7')
})

test('behavior: a block without transfers of the collection causes no second read', async () => {
  await mintNext()
  await get('?limit=4')
  const before = { ...calls }
  await database.db.run(
    `UPDATE chain SET block_number = block_number + 1, head_number = head_number + 1, block_hash = '\\x78'`,
  )
  await get('?limit=5')
  await database.db.run(`UPDATE chain SET block_number = block_number - 1, head_number = head_number - 1`)
  expect(calls).toEqual({ state: before.state, page: before.page + 1 })
})

test('behavior: metadata that changed after the state was read causes no second read', async () => {
  await mintNext()
  await get('?limit=6')
  const before = { ...calls }
  await database.db.run('UPDATE collection SET version = version + 1')
  await get('?limit=7')
  expect(calls).toEqual({ state: before.state, page: before.page + 1 })
})

test('behavior: a collection that changes before every read of a page still gets an answer', async () => {
  beforePage = async () => void (await mintNext())
  const before = calls.page
  const { body } = await get('?limit=100')
  expect(body.result).toHaveLength(block - 1_000)
  expect(calls.page).toBe(before + 4)
})

test('behavior: tokens of several contracts match the block in the header, although the cached states are older', async () => {
  await get('?limit=1')
  const id = await mintNext()
  const response = await api.api.request(
    new Request('http://localhost/api/v2/nft/getMultipleNFTs', {
      method: 'POST',
      headers: { 'x-api-key': adminKey },
      body: JSON.stringify({ tokens: [{ token_address: address, token_id: String(id) }] }),
    }),
  )
  expect(await response.json()).toMatchObject([{ token_id: String(id) }])
  expect(response.headers.get('x-index-to-block')).toBe(String(id))
})
