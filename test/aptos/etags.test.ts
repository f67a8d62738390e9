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
  })
  random = createRandom(seed)
  arrivals = await createCoinArrivals(api.db, random)
})
afterAll(() => api.drop())

type Record = { coin_type_hash: string }
/** Everything that pages show: coins of `0x1::coin`, and coins of both standards with their further fields. */
type Lists = { plain: Record[]; full: Record[] }
/** A page, and the client's last copy of it. */
type Held = { path: string; cut: (all: Lists) => Record[]; etag?: string; result?: Record[] }

/** First pages, deep pages, a page after the last coin, and coins by hash, known and unknown. */
function pages(some: readonly Record[]): Held[] {
  const latest = [0, 3, 12, 60, 100_000].map((offset, i): Held => {
    const limit = i + 1
    return {
      path: `/coins/latest?limit=${limit}&offset=${offset}`,
      cut: ({ plain }) => plain.slice(offset, offset + limit),
    }
  })
  const full = [0, 4, 17].map(
    (offset): Held => ({
      path: `/coins/latest?limit=3&offset=${offset}&standard=all`,
      cut: ({ full }) => full.slice(offset, offset + 3),
    }),
  )
  const hashes = [...some.map((one) => one.coin_type_hash), 'f'.repeat(64)]
  const byHash = hashes.map(
    (hash): Held => ({
      path: `/coins?coin_type_hashes=${hash}&standard=all`,
      cut: ({ full }) => full.filter((one) => one.coin_type_hash === hash),
    }),
  )
  return [...latest, ...full, ...byHash]
}

/** Requests the page again with the ETag of the client's copy. Returns true if the response is 304. */
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

async function shown(): Promise<Lists> {
  const parsed = (records: string[]) => records.map((record) => JSON.parse(record) as Record)
  return { plain: parsed(await arrivals.records()), full: parsed(await arrivals.fullRecords()) }
}

test(`behavior: a client that gets a 304 holds the current page, after any arrivals (seed ${seed})`, async () => {
  for (let i = 0; i < 40; i++) await arrivals.happen()
  const held = pages((await shown()).full.slice(0, 2))
  let unchanged = 0
  for (let round = 0; round < 80; round++) {
    if (random.chance(0.8)) await arrivals.happen()
    const all = await shown()
    for (const one of held) {
      if (await refresh(one)) unchanged += 1
      expect(one.result, `${one.path} in round ${round}`).toEqual(one.cut(all))
    }
  }
  // Without any 304, the test would prove nothing.
  expect(unchanged).toBeGreaterThan(50)
})

test(`behavior: pages requested while coins arrive are correct once no more arrive (seed ${seed})`, async () => {
  const held = pages((await shown()).full.slice(0, 2))
  for (let round = 0; round < 12; round++) {
    let arriving = true
    const arrive = async () => {
      for (let i = 0; i < 4; i++) await arrivals.happen()
      arriving = false
    }
    const request = async () => {
      while (arriving) for (const one of held) await refresh(one)
    }
    await Promise.all([arrive(), request(), request()])
    const all = await shown()
    for (const one of held) {
      await refresh(one)
      expect(one.result, `${one.path} in round ${round}`).toEqual(one.cut(all))
    }
  }
})
