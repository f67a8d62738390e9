import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { type ConfigInput, parseConfig } from '../../src/config/config.ts'
import { createService } from '../../src/service.ts'
import { noopLog } from '../../src/util/log.ts'
import { createTestDatabase } from '../database.ts'
import { testApiKey } from '../mintmark.ts'
import { sendGet } from '../sendGet.ts'
import type { CoinTruth } from './coinActivity.ts'

export type CoinRecord = {
  coin_type: string
  coin_type_hash: string
  decimals: number
  name: string
  transaction_version_created: string
  transaction_created_timestamp: string
  supply_aggregator_table_handle: string | null
}
export type CoinPage = { cursor: string | null; hasNextPage: boolean; result: CoinRecord[] }

/** A client of the coin endpoints. */
export type CoinClient = {
  get(path: string): Promise<Response>
  page(query: string, base?: string): Promise<CoinPage>
  /** All coins, read in pages of `limit`. */
  walk(limit: number, base?: string): Promise<CoinRecord[]>
  headers(base?: string): Promise<Record<string, string>>
  /** Polls until everything up to `version` is covered. */
  untilCovered(version: bigint, base?: string): Promise<void>
}

export function createCoinClient(url: string): CoinClient {
  const key = { 'x-api-key': testApiKey }
  const get = (path: string) => fetch(url + path, { headers: key })
  async function page(query: string, base = ''): Promise<CoinPage> {
    const { status, text } = await sendGet(`${url}${base}/coins/latest?${query}`, key)
    if (status !== 200) throw new Error(`${status}: ${text}`)
    return JSON.parse(text) as CoinPage
  }
  async function headers(base = ''): Promise<Record<string, string>> {
    return Object.fromEntries((await sendGet(`${url}${base}/coins/latest?limit=1`, key)).headers)
  }
  return {
    get,
    page,
    headers,
    async walk(limit, base = '') {
      const all: CoinRecord[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const body: CoinPage = await page(`limit=${limit}&cursor=${encodeURIComponent(cursor)}`, base)
        all.push(...body.result)
        cursor = body.cursor
      }
      return all
    },
    async untilCovered(version, base = '') {
      const covered = async () => {
        const given = await headers(base).catch(() => undefined)
        const to = given?.['x-index-to-version']
        return to !== undefined && BigInt(to) >= version ? 'covered' : JSON.stringify(given)
      }
      await expect.poll(covered, { interval: 20 }).toBe('covered')
    },
  }
}

/** Starts the service in this process, with these networks and no chains. */
export async function startCoinServer(aptos: NonNullable<ConfigInput['aptos']>, config: ConfigInput = {}) {
  const database = await createTestDatabase()
  const service = await createService({
    config: parseConfig({
      port: 0,
      apiKey: testApiKey,
      databaseUrl: database.url,
      databasePoolSize: 12,
      aptos,
      ...config,
    }),
    log: noopLog,
  })
  const close = async () => {
    await service.close()
    await database.drop()
  }
  return { ...createCoinClient(service.url), url: service.url, database, close, [Symbol.asyncDispose]: close }
}

/** Expects pages to return exactly the coins of the chain, newest first. */
export async function expectCoins(client: CoinClient, truth: CoinTruth, base = ''): Promise<void> {
  const expected = [...truth.values()]
    .map(({ coin, version }) => ({
      coin_type: coin.type,
      coin_type_hash: createHash('sha256').update(coin.type).digest('hex'),
      decimals: coin.decimals,
      name: coin.name,
      transaction_version_created: String(version),
      supply_aggregator_table_handle: coin.supply?.handle ?? null,
    }))
    .toSorted(
      (a, b) =>
        Number(b.transaction_version_created) - Number(a.transaction_version_created) ||
        (a.coin_type_hash < b.coin_type_hash ? -1 : 1),
    )
  const given = (await client.walk(17, base)).map((record) => ({
    coin_type: record.coin_type,
    coin_type_hash: record.coin_type_hash,
    decimals: record.decimals,
    name: record.name,
    transaction_version_created: record.transaction_version_created,
    supply_aggregator_table_handle: record.supply_aggregator_table_handle,
  }))
  expect(given).toEqual(expected)
}
