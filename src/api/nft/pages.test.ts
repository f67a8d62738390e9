import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { asOfQuery, createTestApi, type TestApi } from '../../../test/api.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { addTokens, seedCollection } from '../../../test/seedCollection.ts'
import { createMetadataDemand } from '../../nft/metadata/store/createMetadataDemand.ts'
import { createNftQuery } from '../../nft/pages/createNftQuery.ts'
import { createWalletQuery } from '../../nft/pages/wallets/createWalletQuery.ts'
import type { NftQuery } from '../../nft/query.ts'
import { createDemand } from '../../nft/store/createDemand.ts'

const address = `0x${'5b'.repeat(20)}` as const
const freshMs = 300

let database: TestDatabase
let api: TestApi
const calls = { state: 0, page: 0, count: 0 }
let key: { partition: number; id: bigint }
beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  const query = createNftQuery({ db })
  const counting: NftQuery = {
    ...query,
    state: (...given) => {
      calls.state++
      return query.state(...given)
    },
    page: (given) => {
      calls.page++
      return query.page(given)
    },
    count: (...given) => {
      calls.count++
      return query.count(...given)
    },
  }
  const demand = createDemand({ db, chainIds: [], maxQueued: 10, maxQueuedPerKey: 10 })
  api = await createTestApi({
    db,
    nft: {
      query: counting,
      asOf: asOfQuery(db),
      wallets: createWalletQuery({ db }),
      demand,
      metadata: createMetadataDemand({ db }),
    },
    config: { pageCache: { freshMs } },
  })
  key = await seedCollection(db, { address, tokens: [1n, 2n, 3n] })
})
afterAll(async () => {
  await api.drop()
  await database.drop()
})

const count = async (response: Promise<Response>) =>
  ((await (await response).json()) as { result: unknown[] }).result.length

test('behavior: a hundred concurrent requests read the state once and the page once', async () => {
  // On a busy machine, a hundred responses may take longer than a state is fresh.
  using _ = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  const counts = await Promise.all(Array.from({ length: 100 }, () => count(api.get(`/api/v2/nft/${address}`))))
  expect(new Set(counts)).toEqual(new Set([3]))
  expect(calls).toEqual({ state: 1, page: 1, count: 0 })
})

test('behavior: a change is visible once the cached state expires, and an unchanged page is not read again', async () => {
  await count(api.get(`/api/v2/nft/${address}?limit=2`))
  const before = { ...calls }
  await addTokens(database.db, { address, ...key, tokens: [4n] })
  await database.db.run('UPDATE collection SET version = version + 1, tokens = tokens + 1 WHERE id = $1', [key.id])
  await expect.poll(() => count(api.get(`/api/v2/nft/${address}`)), { interval: 20 }).toBe(4)
  expect(calls.page).toBe(before.page + 1)
  expect(calls.state).toBeLessThan(before.state + 20)
  const reads = calls.state
  await expect
    .poll(
      async () => {
        await count(api.get(`/api/v2/nft/${address}`))
        return calls.state
      },
      { interval: 20 },
    )
    .toBeGreaterThan(reads)
  expect(calls.page).toBe(before.page + 1)
})

test('behavior: the total of a range is counted once while paging through, and never ends paging before the last page', async () => {
  const many = `0x${'6c'.repeat(20)}` as const
  const place = await seedCollection(database.db, {
    address: many,
    tokens: Array.from({ length: 40 }, (_, i) => BigInt(i)),
  })
  const path = `/api/v2/nft/${many}?totalRanges=2&range=1&limit=3&disable_total=false`
  const before = calls.count
  const totals: number[] = []
  let given = 0
  for (let cursor: string | null = ''; cursor !== null; ) {
    const body = (await (await api.get(`${path}${cursor && `&cursor=${cursor}`}`)).json()) as {
      total: number
      cursor: string | null
      result: unknown[]
    }
    given += body.result.length
    totals.push(body.total)
    cursor = body.cursor
    if (totals.length > 1) continue
    // The same number is minted during the walk.
    await addTokens(database.db, {
      address: many,
      ...place,
      tokens: Array.from({ length: 40 }, (_, i) => BigInt(100 + i)),
    })
    await database.db.run('UPDATE collection SET version = version + 1, tokens = tokens + 40 WHERE id = $1', [place.id])
  }
  expect(calls.count - before).toBe(1)
  expect(given).toBeGreaterThan(totals[0]!)
  // Published clients request more while the total is above page_size × (page + 1).
  expect(totals.slice(0, -1).every((total, page) => total > 3 * (page + 1))).toBe(true)
  expect(totals.at(-1)).toBe(given)
})
