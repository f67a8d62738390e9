// @module-tag system

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Coin } from '../../src/coin/decode/coin.ts'
import { createTestApi, type TestApi } from '../api.ts'
import { seedCoins, seededCoin } from '../seedCoins.ts'

const seed = Number.parseInt(process.hrtime.bigint().toString().slice(-9), 10)
let api: TestApi
let made = 0
let version = 0n
const coins: Coin[] = []

/** Adds coins of one or several transactions, as if they had just been deployed. */
async function deploy(counts: readonly number[]): Promise<void> {
  for (const count of counts) {
    version += 1n
    const fresh = Array.from({ length: count }, () => seededCoin(made++, { version }))
    coins.push(...fresh)
    await seedCoins(api.db, { coins: fresh, from: version, to: version })
  }
}

const ordered = () => coins.toSorted((a, b) => Number(b.version - a.version) || (a.hash < b.hash ? -1 : 1))

beforeAll(async () => {
  api = await createTestApi({
    config: { aptos: { mainnet: { rest: 'http://127.0.0.1:1' } }, pageCache: { freshMs: 0 } },
  })
  await deploy(Array.from({ length: 20 }, (_, i) => (i % 4) + 1))
})
afterAll(() => api.drop())

type Page = { cursor: string | null; hasNextPage: boolean; result: { coin_type_hash: string }[] }

async function get(query: string): Promise<Page> {
  const response = await api.get(`/coins/latest?${query}`)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return JSON.parse(text) as Page
}

test(`behavior: paging returns the list as of its start, each coin once, despite deployments in between (seed ${seed})`, async () => {
  const deployments = fc.array(fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 0, max: 70 }),
      fc.boolean(),
      deployments,
      async (limit, offset, repeats, between) => {
        const expected = ordered()
          .slice(offset)
          .map(({ hash }) => hash)
        const walked: string[] = []
        const rest = repeats ? `limit=${limit}&offset=${offset}` : `limit=${limit}`
        let page = await get(`limit=${limit}&offset=${offset}`)
        for (let i = 0; ; i++) {
          walked.push(...page.result.map((coin) => coin.coin_type_hash))
          expect(page.hasNextPage).toBe(page.cursor !== null)
          if (page.cursor === null) break
          expect(page.result).toHaveLength(limit)
          await deploy(between[i] ?? [])
          page = await get(`${rest}&cursor=${encodeURIComponent(page.cursor)}`)
        }
        expect(walked).toEqual(expected)
      },
    ),
    { numRuns: 60, seed },
  )
})

test('behavior: limit and offset without a cursor slice the same list', async () => {
  const all = ordered().map(({ hash }) => hash)
  for (const [limit, offset] of [
    [10, 0],
    [10, 10],
    [7, 3],
    [100, all.length - 1],
    [5, all.length],
    [5, 10 * all.length],
  ] as const) {
    const { result, hasNextPage } = await get(`limit=${limit}&offset=${offset}`)
    expect(result.map((coin) => coin.coin_type_hash)).toEqual(all.slice(offset, offset + limit))
    expect(hasNextPage).toBe(all.length > offset + limit)
  }
})
