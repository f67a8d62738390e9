import createClient, { type Client } from 'openapi-fetch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { paths } from '../../web/api/openapi.artifact.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { startTestServer, type TestServer, testApiKey } from '../mintmark.ts'
import { startReceiver } from '../receiver.ts'
import { seedCoins, seededCoin } from '../seedCoins.ts'
import { type Collections, collect, deployCollections, untilDocumented } from './collections.ts'
import { walkWithTypes } from './examples/walkWithTypes.ts'

let anvil: Anvil
let server: TestServer
let collections: Collections
let mintmark: Client<paths>

beforeAll(async () => {
  anvil = await startAnvil()
  collections = await deployCollections(anvil)
  server = await startTestServer({
    rpc: [anvil.url],
    config: { outbound: { allow: ['127.0.0.1'] }, aptos: { mainnet: { rest: 'http://127.0.0.1:1' } } },
  })
  await untilDocumented(server, collections.tiles)
  mintmark = createClient<paths>({ baseUrl: server.url, headers: { 'X-API-Key': testApiKey } })
})
afterAll(async () => {
  await server?.close()
  await anvil?.stop()
})

test('default: pages through a collection with typed calls', async () => {
  const tokens = await collect(walkWithTypes(mintmark, collections.tiles, 'local'))
  expect(tokens).toHaveLength(236)
  expect(new Set(tokens.map((token) => token.token_id)).size).toBe(236)
})

test('default: a page includes its total, its progress and normalized metadata', async () => {
  const { data, response } = await mintmark.GET('/api/v2/nft/{address}', {
    params: {
      path: { address: collections.tiles },
      query: { chain: 'local', limit: 1, disable_total: false, normalizeMetadata: true },
    },
  })
  expect(data).toMatchObject({ total: 236, page: 0, page_size: 1, status: 'SYNCED' })
  const [token] = data!.result
  expect(token!.normalized_metadata?.name).toBe(`Tile #${token!.token_id}`)
  expect(response.headers.get('x-index-metadata-progress')).toBe('1')
})

test('default: returns the latest coins, and coins by hash', async () => {
  const coins = [1, 2, 3].map((n) => seededCoin(n))
  await seedCoins(server.database.db, { coins, from: 0n, to: 10n })
  const latest = await mintmark.GET('/coins/latest', { params: { query: { limit: 2 } } })
  expect(latest.data!.result.map((coin) => coin.name)).toEqual(['Coin 3', 'Coin 2'])
  expect(latest.data!.hasNextPage).toBe(true)
  const requested = [coins[0]!.hash, coins[2]!.hash]
  const byHash = await mintmark.GET('/coins', { params: { query: { coin_type_hashes: requested } } })
  expect(byHash.data!.map((coin) => coin.coin_type_hash)).toEqual(requested)
})

test('default: a stream is created, read, listed, counted and deleted', async () => {
  await using receiver = await startReceiver()
  const made = await mintmark.PUT('/streams/evm', {
    body: {
      ...{ webhookUrl: receiver.url, description: 'typed', tag: 'typed', chainIds: ['0x7a69'] },
      ...{ topic0: ['Transfer(address,address,uint256)'], includeContractLogs: true },
    },
  })
  const { id, status, effectiveBlocks } = made.data!
  expect([status, Object.keys(effectiveBlocks)]).toEqual(['active', ['0x7a69']])
  const added = await mintmark.POST('/streams/evm/{id}/address', {
    params: { path: { id } },
    body: { address: collections.tiles },
  })
  expect(added.response.status).toBe(200)
  expect((await mintmark.GET('/streams/evm/{id}', { params: { path: { id } } })).data!.tag).toBe('typed')
  const list = await mintmark.GET('/streams/evm', { params: { query: { limit: 10 } } })
  expect(list.data!.result.map((stream) => stream.id)).toEqual([id])
  const stats = await mintmark.GET('/stats/{streamId}', { params: { path: { streamId: id } } })
  expect(stats.data).toMatchObject({ totalWebhooksDelivered: 0, streams: [{ streamId: id }] })
  expect((await mintmark.DELETE('/streams/evm/{id}', { params: { path: { id } } })).data!.id).toBe(id)
  const removed = await mintmark.GET('/streams/evm/{id}', { params: { path: { id } } })
  expect(removed.error).toMatchObject({ statusCode: 404 })
})

test('error: error responses are typed too', async () => {
  const { data, error, response } = await mintmark.GET('/api/v2/nft/{address}', {
    params: { path: { address: 'nonsense' } },
  })
  expect(data).toBeUndefined()
  expect(response.status).toBe(400)
  expect(error!.message).toMatch(/^address /)
})
