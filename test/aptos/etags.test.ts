// @module-tag system

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../api.ts'
import { createRandom, freshSeed, type Random } from '../random.ts'
import { type CoinArrivals, createCoinArrivals } from './coinArrivals.ts'

const seed = freshSeed()
let api: TestApi
let random: Random
let arrivals: CoinArrivals
beforeAll(async () => {
  api = await createTestApi({
    config: { aptos: { mainnet: { rest: 'http://127.0.0.1:1' } }, pageCache: { freshMs: 0 } },
    coinsBetweenMarks: 5,
  })
  random = createRandom(seed)
  arrivals = await createCoinArrivals(api.db, random)
})
afterAll(() => api.drop())

type Record = { coin_type_hash: string }
/** A page that was requested, with what a client has of it. */
type Held = { path: string; cut: (all: Record[]) => Record[]; etag?: string; result?: Record[] }

/** Pages from the front, deep ones, one behind every coin, and coins by their hashes, known and unknown. */
function pages(some: readonly Record[]): Held[] {
  const latest = [0, 3, 12, 60, 100_000].map((offset, i): Held => {
    const limit = i + 1
    return { path: `/coins/latest?limit=${limit}&offset=${offset}`, cut: (all) => all.slice(offset, offset + limit) }
  })
  const hashes = [...some.map((one) => one.coin_type_hash), 'f'.repeat(64)]
  const byHash = hashes.map(
    (hash): Held => ({
      path: `/coins?coin_type_hashes=${hash}`,
      cut: (all) => all.filter((one) => one.coin_type_hash === hash),
    }),
  )
  return [...latest, ...byHash]
}

/** What a client has after it queried again with its ETag. Answers whether it was reported that nothing changed. */
async function refresh(held: Held): Promise<boolean> {
  const response = await api.get(held.path, held.etag === undefined ? {} : { 'if-none-match': held.etag })
  const text = await response.text()
  if (response.status === 304) return true
  expect(response.status, text).toBe(200)
  const body = JSON.parse(text) as Record[] | { result: Record[] }
  held.result = Array.isArray(body) ? body : body.result
  held.etag = response.headers.get('etag')!
  return false
}

const shown = async () => (await arrivals.records()).map((record) => JSON.parse(record) as Record)

test(`behavior: a client that is answered 304 has the page as it is now, whatever arrives (seed ${seed})`, async () => {
  for (let i = 0; i < 40; i++) await arrivals.happen()
  const held = pages((await shown()).slice(0, 2))
  let unchanged = 0
  for (let round = 0; round < 80; round++) {
    if (random.chance(0.8)) await arrivals.happen()
    const all = await shown()
    for (const one of held) {
      if (await refresh(one)) unchanged += 1
      expect(one.result, `${one.path} in round ${round}`).toEqual(one.cut(all))
    }
  }
  // Without any 304 the test would say nothing.
  expect(unchanged).toBeGreaterThan(50)
})

test(`behavior: pages requested while coins arrive are right once none arrives any more (seed ${seed})`, async () => {
  const held = pages((await shown()).slice(0, 2))
  for (let round = 0; round < 12; round++) {
    let arriving = true
    const arrive = async () => {
      for (let i = 0; i < 4; i++) await arrivals.happen()
      arriving = false
    }
    const ask = async () => {
      while (arriving) for (const one of held) await refresh(one)
    }
    await Promise.all([arrive(), ask(), ask()])
    const all = await shown()
    for (const one of held) {
      await refresh(one)
      expect(one.result, `${one.path} in round ${round}`).toEqual(one.cut(all))
    }
  }
})
