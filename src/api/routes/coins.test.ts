import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../test/api.ts'
import { seedCoins, seededCoin } from '../../../test/seedCoins.ts'
import { coinPageSchema, coinSchema } from '../coin/schemas.ts'

let api: TestApi
const coins = Array.from({ length: 30 }, (_, n) => seededCoin(n, n >= 28 ? { version: 27n } : {}))
/** The expected order: by version descending, then by hash. */
const ordered = coins.toSorted((a, b) => Number(b.version - a.version) || (a.hash < b.hash ? -1 : 1))

beforeAll(async () => {
  api = await createTestApi({
    config: {
      aptos: { mainnet: { rest: 'http://127.0.0.1:1/v1' }, devnet: { grpc: '127.0.0.1:1' } },
      pageCache: { freshMs: 0 },
    },
  })
  await seedCoins(api.db, { coins, from: 0n, to: 99n, head: 199n })
  await seedCoins(api.db, { network: 'devnet', coins: coins.slice(0, 2), from: 0n, to: 10n })
})
afterAll(() => api.drop())

type Page = { cursor: string | null; hasNextPage: boolean; result: { coin_type_hash: string }[] }

async function page(target: string): Promise<Page> {
  const response = await api.get(target)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  const body = JSON.parse(text) as Page
  coinPageSchema.parse(body)
  expect(body.cursor === null).toBe(!body.hasNextPage)
  return body
}

const hashes = (list: readonly { coin_type_hash: string }[]) => list.map((coin) => coin.coin_type_hash)
const own = (list: readonly { hash: string }[]) => list.map(({ hash }) => hash)

test('default: lists the newest coins first, with the fields of the specification', async () => {
  const { result } = await page('/coins/latest?limit=100')
  expect(hashes(result)).toEqual(own(ordered))
  expect(result[6]).toEqual({
    coin_type: '0x18::seed::Coin23',
    coin_type_hash: coins[23]!.hash,
    creator_address: `0x${'18'.padStart(64, '0')}`,
    decimals: 8,
    name: 'Coin 23',
    supply_aggregator_table_handle: null,
    supply_aggregator_table_key: null,
    symbol: 'C23',
    transaction_created_timestamp: '2022-10-19T02:43:38.000023Z',
    transaction_version_created: '23',
  })
})

test('default: the headers show the indexed and head versions of the network', async () => {
  for (const target of ['/coins/latest?limit=1', `/coins?coin_type_hashes[]=${coins[0]!.hash}`]) {
    const { headers } = await api.get(target)
    expect(Object.fromEntries([...headers].filter(([name]) => name.startsWith('x-index')))).toEqual({
      'x-index-status': 'syncing',
      'x-index-progress': '0.5',
      'x-index-from-version': '0',
      'x-index-to-version': '99',
      'x-index-head-version': '199',
      'x-index-lag-versions': '100',
    })
  }
})

test.each([1, 2, 7, 29, 30, 31])('behavior: pages of %i coins return all of them, from any offset', async (limit) => {
  for (const offset of [0, 1, 13, 30, 40]) {
    const walked: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const body: Page = await page(`/coins/latest?limit=${limit}&offset=${offset}&cursor=${cursor}`)
      expect(body.result.length).toBe(body.hasNextPage ? limit : body.result.length)
      walked.push(...hashes(body.result))
      cursor = body.cursor
    }
    expect(walked).toEqual(own(ordered.slice(offset)))
  }
})

test.each([
  '/coins/latest',
  '/coins/latest?limit=',
  '/coins/latest?limit=0',
  '/coins/latest?limit=101',
  '/coins/latest?limit=1.5',
  '/coins/latest?limit=ten',
  '/coins/latest?limit=1&limit=2',
  '/coins/latest?limit=10&offset=-1',
  '/coins/latest?limit=10&offset=x',
  '/coins/latest?limit=10&cursor=x',
  '/coins',
  '/coins?coin_type_hashes=',
  '/coins?coin_type_hashes=xyz',
  `/coins?coin_type_hashes=${'a'.repeat(63)}`,
  `/coins?coin_type_hashes=${'a'.repeat(65)}`,
  ...['v3', 'v1,v2', ''].flatMap((standard) => [
    `/coins/latest?limit=1&standard=${standard}`,
    `/aptos/devnet/coins/latest?limit=1&standard=${standard}`,
    `/coins?coin_type_hashes=${'a'.repeat(64)}&standard=${standard}`,
  ]),
  `/coins?coin_type_hashes=${Array.from({ length: 26 }, (_, i) => i.toString(16).padStart(64, '0')).join()}`,
])('error: 400 with a message that names the parameter: %s', async (target) => {
  const response = await api.get(target)
  expect(response.status).toBe(400)
  const body = (await response.json()) as { message: string; statusCode: number; details: object }
  expect(body.statusCode).toBe(400)
  expect(body.message).toMatch(/^(limit|offset|cursor|coin_type_hashes|standard) .*allowed: /)
})

test('error: rejects an altered cursor, or one of another network, limit or offset', async () => {
  const { cursor } = await page('/coins/latest?limit=3&offset=2')
  const again = await page(`/coins/latest?limit=3&cursor=${cursor}`)
  expect(hashes(again.result)).toEqual(own(ordered.slice(5, 8)))
  const targets = [
    `/coins/latest?limit=4&cursor=${cursor}`,
    `/coins/latest?limit=3&offset=0&cursor=${cursor}`,
    `/aptos/devnet/coins/latest?limit=3&cursor=${cursor}`,
    `/coins/latest?limit=3&cursor=${cursor!.slice(0, -4)}AAAA`,
  ]
  for (const target of targets) expect((await api.get(target)).status, target).toBe(400)
})

test('behavior: coins by hash come in the requested order, each once, without unknown ones, in every list syntax', async () => {
  const [a, b, c] = [coins[3]!.hash, coins[20]!.hash, coins[7]!.hash]
  const unknown = 'f'.repeat(64)
  const spellings = [
    [a, b, unknown, a, c].map((hash) => `coin_type_hashes[]=${hash}`).join('&'),
    [a, b, c].map((hash) => `coin_type_hashes%5B%5D=${hash}`).join('&'),
    [a, b, c].map((hash) => `coin_type_hashes=0x${hash.toUpperCase()}`).join('&'),
    [a, b, c].map((hash, i) => `coin_type_hashes[${i}]=${hash}`).join('&'),
    `coin_type_hashes=${[a, b, c].join()}`,
  ]
  for (const spelling of spellings) {
    const response = await api.get(`/coins?${spelling}`)
    expect(response.status, spelling).toBe(200)
    const body = (await response.json()) as { coin_type_hash: string }[]
    expect(hashes(body), spelling).toEqual([a, b, c])
    for (const coin of body) coinSchema.parse(coin)
  }
  expect(await (await api.get(`/coins?coin_type_hashes=${unknown}`)).json()).toEqual([])
})

test('behavior: accepts 25 hashes, and its ETag revalidates to 304', async () => {
  const target = `/coins?${coins
    .slice(0, 25)
    .map(({ hash }) => `coin_type_hashes[]=${hash}`)
    .join('&')}`
  const first = await api.get(target)
  expect(await first.json()).toHaveLength(25)
  const etag = first.headers.get('etag')!
  expect((await api.get(target, { 'if-none-match': etag })).status).toBe(304)
  expect((await api.get('/coins/latest?limit=25', { 'if-none-match': etag })).status).toBe(200)
})

test('behavior: each network has its own coins, and an unknown network gets 404', async () => {
  const other = await page('/aptos/devnet/coins/latest?limit=10')
  expect(hashes(other.result)).toEqual(own([coins[1]!, coins[0]!]))
  expect(await page('/aptos/mainnet/coins/latest?limit=5')).toMatchObject({ result: { length: 5 } })
  const missing = await api.get('/aptos/nonet/coins/latest?limit=5')
  expect(missing.status).toBe(404)
  expect(((await missing.json()) as { message: string }).message).toContain('mainnet, devnet')
  expect((await api.get('/aptos/No%20Net/coins?coin_type_hashes=00')).status).toBe(400)
})

test('behavior: without a configured network the list is empty, and x-index-status is unconfigured', async () => {
  const bare = await createTestApi()
  try {
    const response = await bare.get('/coins/latest?limit=10')
    expect(await response.json()).toEqual({ cursor: null, hasNextPage: false, result: [] })
    expect(response.headers.get('x-index-status')).toBe('unconfigured')
    expect(await (await bare.get(`/coins?coin_type_hashes=${'a'.repeat(64)}`)).json()).toEqual([])
  } finally {
    await bare.drop()
  }
})

test('behavior: coin names and symbols are returned exactly as on chain, with control characters and HTML', async () => {
  const name = 'a\u0000"\\\u2028</script>😀'
  const coin = seededCoin(1_000, { type: '0xfeed::odd::Odd', name, symbol: '\n' })
  await seedCoins(api.db, { coins: [coin], from: 0n, to: 2_000n })
  const [found] = (await (await api.get(`/coins?coin_type_hashes=${coin.hash}`)).json()) as {
    name: string
    symbol: string
  }[]
  expect(found).toMatchObject({ name, symbol: '\n' })
})
