import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../test/api.ts'
import { holdClock } from '../../test/holdClock.ts'
import { seedCoins, seededCoin } from '../../test/seedCoins.ts'
import { seedCollection } from '../../test/seedCollection.ts'
import { createMetrics } from '../metrics/metrics.ts'
import type { ApiServer } from './http/server.ts'

const address = `0x${'d'.repeat(40)}` as const
const metrics = createMetrics()
let t: TestApi
let server: ApiServer
beforeAll(async () => {
  t = await createTestApi({
    config: {
      pageCache: { freshMs: 60_000 },
      aptos: { mainnet: { rest: 'http://127.0.0.1:1' }, testnet: { rest: 'http://127.0.0.1:1' } },
    },
    metrics,
  })
  server = await t.api.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await server.close()
  await t.drop()
})

async function get(path: string, ifNoneMatch?: string) {
  const headers = { 'x-api-key': adminKey, ...(ifNoneMatch && { 'if-none-match': ifNoneMatch }) }
  const response = await fetch(`${server.url}${path}`, { headers })
  const text = await response.text()
  return {
    code: response.status,
    status: text === '' ? undefined : (JSON.parse(text) as { status?: string }).status,
    etag: response.headers.get('etag')!,
    index: response.headers.get('x-index-status'),
    failure: response.headers.get('x-index-failure'),
    age: Number(response.headers.get('x-index-head-age') ?? Number.NaN),
  }
}

test('behavior: SYNCED reverts to SYNCING when no node confirms the head in time, on cached pages and 304 too', async () => {
  await seedCollection(t.db, { address, tokens: [1n] })
  await t.db.run('UPDATE chain SET confirmed_at = now(), max_head_age_ms = 25000')
  const clock = holdClock()
  const page = `/api/v2/nft/${address}`
  const first = await get(page)
  expect(first).toMatchObject({ code: 200, status: 'SYNCED', index: 'synced', failure: null })
  // The server reads the state again only in the second half of its minute. So it reads the state and the page once, and only the time changes.
  for (const age of [10, 20]) {
    clock.advance(10_000)
    const unchanged = await get(page, first.etag)
    expect(unchanged).toMatchObject({ code: 304, etag: first.etag })
    // The seconds between the two statements above count too.
    expect(unchanged.age).toBe(first.age + age)
  }
  clock.advance(5_000)

  const last = await get(page, first.etag)
  expect(last).toMatchObject({ code: 200, status: 'SYNCING', index: 'syncing' })
  expect(last.failure).toBe('no node has confirmed the head of the chain for more than 25 s')
  expect(last.etag).not.toBe(first.etag)
  expect(last.age).toBe(first.age + 25)
  const hits = async () => (await metrics.pageCacheHits.get()).values[0]!.value
  const before = await hits()
  expect(await get(page)).toMatchObject({ code: 200, status: 'SYNCING' })
  expect(await hits()).toBe(before + 1)
  expect((await get(page, last.etag)).code).toBe(304)
  expect((await get(`${page}/1`)).index).toBe('syncing')
})

test('behavior: an unconfirmed head of a coin network changes only the index headers, not the cached pages', async () => {
  await seedCoins(t.db, { coins: [seededCoin(1)], from: 0n, to: 9n })
  await t.db.run('UPDATE coin_network SET confirmed_at = now(), max_head_age_ms = 25000')
  const clock = holdClock()
  const page = '/coins/latest?limit=1'
  const first = await get(page)
  expect(first).toMatchObject({ code: 200, index: 'synced', failure: null })
  clock.advance(20_000)
  const unchanged = await get(page, first.etag)
  expect(unchanged).toMatchObject({ code: 304, index: 'synced', age: first.age + 20 })
  clock.advance(5_000)
  const reason = 'no source has confirmed the head of the network for more than 25 s'
  expect(await get(page, first.etag)).toMatchObject({
    code: 304,
    index: 'syncing',
    age: first.age + 25,
    failure: reason,
  })
  expect(await get(page)).toMatchObject({ code: 200, etag: first.etag, index: 'syncing', failure: reason })
})

test('behavior: a coin network whose head was confirmed too long ago is reported as syncing', async () => {
  await seedCoins(t.db, { network: 'testnet', coins: [seededCoin(1)], from: 0n, to: 9n })
  const page = '/aptos/testnet/coins/latest?limit=1'
  await t.db.run(
    `UPDATE coin_network SET confirmed_at = now() - interval '1 hour', max_head_age_ms = 60000 WHERE name = 'testnet'`,
  )
  expect(await get(page)).toMatchObject({ index: 'syncing', failure: expect.stringContaining('for more than 60 s') })
})
