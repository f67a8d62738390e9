import Moralis from 'moralis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Coin } from '../../src/coin/decode/coin.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { startTestServer, type TestServer } from '../mintmark.ts'
import { seedCoins, seededCoin } from '../seedCoins.ts'
import { type StartedMoralis, startMoralis } from './startMoralis.ts'

let anvil: Anvil
let server: TestServer
let moralis: StartedMoralis
const supply = { handle: `0x${'1b'.repeat(32)}`, key: `0x${'61'.repeat(32)}` }
const mainnet: Coin[] = Array.from({ length: 57 }, (_, n) => seededCoin(n, n % 2 ? { supply } : {}))
const testnet: Coin[] = [seededCoin(1_000)]

beforeAll(async () => {
  anvil = await startAnvil()
  // Nothing listens on port 1, so the list shows only coins read before.
  const unreachable = { rest: 'http://127.0.0.1:1' }
  server = await startTestServer({
    rpc: [anvil.url],
    config: { aptos: { mainnet: unreachable, testnet: unreachable } },
  })
  const { db } = server.database
  await seedCoins(db, { coins: mainnet, from: 0n, to: 1_000n })
  await seedCoins(db, { network: 'testnet', coins: testnet, from: 0n, to: 2_000n })
  moralis = await startMoralis(server)
})
afterAll(async () => {
  await server?.close()
  await anvil?.stop()
})

const { coins } = Moralis.AptosApi
const hashes = (records: readonly { coinTypeHash: string }[]) => records.map((record) => record.coinTypeHash)
const newestFirst = mainnet.map((coin) => coin.hash).reverse()

test('default: pages through the latest coins to the last page', async () => {
  const found: string[] = []
  let page = await coins.getLatestCoins({ limit: 25 })
  for (;;) {
    found.push(...hashes(page.result))
    expect(page.hasNextPage).toBe(page.cursor !== null)
    if (!page.hasNextPage) break
    page = await coins.getLatestCoins({ limit: 25, cursor: page.cursor! })
  }
  expect(found).toEqual(newestFirst)
  expect(hashes((await coins.getLatestCoins({ limit: 3, offset: 50 })).result)).toEqual(newestFirst.slice(50, 53))
})

test('default: all fields of a coin are read', async () => {
  const { result } = await coins.getLatestCoins({ limit: 2 })
  expect(result.map((coin) => coin.toJSON())).toEqual(
    [mainnet[56]!, mainnet[55]!].map((coin) => ({
      coin_type: coin.type,
      coin_type_hash: coin.hash,
      creator_address: `0x${coin.creator}`,
      decimals: 8,
      name: coin.name,
      supply_aggregator_table_handle: coin.supply?.handle ?? null,
      supply_aggregator_table_key: coin.supply?.key ?? null,
      symbol: coin.symbol,
      transaction_created_timestamp: `2022-10-19T02:43:38.0000${coin.version}Z`,
      transaction_version_created: String(coin.version),
    })),
  )
})

test.each([1, 25])('default: %i coins are returned by hash, in the requested order', async (count) => {
  const requested = newestFirst.slice(7, 7 + count).reverse()
  expect(hashes(await coins.getCoinInfoByCoinTypeHashes({ coinTypeHashes: requested }))).toEqual(requested)
  expect(moralis.requests.at(-1)!.params.coin_type_hashes).toEqual(requested)
})

test('behavior: an unknown hash is skipped', async () => {
  const [known] = newestFirst as [string]
  const found = await coins.getCoinInfoByCoinTypeHashes({ coinTypeHashes: ['0'.repeat(64), known] })
  expect(hashes(found)).toEqual([known])
})

test('behavior: the path of a request specifies its network', async () => {
  for (const [network, expected] of [
    ['mainnet', mainnet.at(-1)],
    ['testnet', testnet[0]],
  ] as const) {
    const { result } = await coins.getLatestCoins({ limit: 1, network })
    expect(hashes(result)).toEqual([expected!.hash])
    expect(moralis.requests.at(-1)!.address.pathname).toBe(`/aptos/${network}/coins/latest`)
  }
})

test('error: an invalid request is rejected with the reason', async () => {
  await expect(coins.getLatestCoins({ limit: 101 })).rejects.toThrow(/Bad Request\(400\): .*limit/)
  await expect(coins.getCoinInfoByCoinTypeHashes({ coinTypeHashes: ['ab'] })).rejects.toThrow(
    /Bad Request\(400\): .*coin_type_hashes/,
  )
  const tooMany = newestFirst.slice(0, 26)
  await expect(coins.getCoinInfoByCoinTypeHashes({ coinTypeHashes: tooMany })).rejects.toThrow(/25/)
})
