import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../test/api.ts'
import { seedCoins, seededAsset, seededCoin, seededState } from '../../../test/seedCoins.ts'
import { seedLease, seedWorker } from '../../../test/seedLease.ts'
import { createCoinRuns } from '../../coin/coinRuns.ts'
import { type CommitOptions, commitVersions } from '../../coin/commitVersions.ts'
import type { Network } from '../../coin/createNetwork.ts'
import type { Coin } from '../../coin/decode/coin.ts'
import { aggregatorHash, type CoinState } from '../../coin/decode/coinState.ts'
import { createMetrics } from '../../metrics/metrics.ts'

const hostile = 'a\u0000"\\\u2028</script>,"decimals":7,😀'
const coins = Array.from({ length: 12 }, (_, n) => seededCoin(2 * n))
const assets = Array.from({ length: 12 }, (_, n) => seededAsset(2 * n + 1))
const handle = `0x${'1b'.repeat(32)}`
const native = seededCoin(30, { type: '0x1::aptos_coin::AptosCoin', supply: { handle, key: '0x61' } })
const old = seededCoin(31, { type: '0x5a::old::Old' })
/** This asset represents `old` and has the same version as a coin. */
const pair = seededAsset(32, {
  version: 22n,
  asset: { iconUri: hostile, projectUri: null, pairedType: '0x5a::old::Old' },
})
const all = [...coins, ...assets, native, old, pair]
const inOrder = (list: readonly Coin[]) =>
  list.toSorted((a, b) => Number(b.version - a.version) || (a.hash < b.hash ? -1 : 1)).map(({ hash }) => hash)

const aggregator = { hash: aggregatorHash(handle.slice(2), '61'.padStart(64, '0')), decimals: null }
const states = [
  seededState(native, 30n),
  { ...seededState(native, 40n), subject: aggregator.hash, decimals: null, supply: 2n ** 64n },
  { ...seededState(native, 45n), subject: aggregator.hash, decimals: null, supply: 2n ** 64n - 5n },
  seededState(old, 31n, { supply: 700n }),
  seededState(old, 50n, { supply: 650n, decimals: 9 }),
  seededState(pair, 22n, { supply: 0n }),
  seededState(pair, 50n, { supply: 50n, maximum: 10n ** 30n }),
  seededState(pair, 60n, { supply: 40n, maximum: 10n ** 30n }),
  seededState(assets[0]!, 1n, { supply: 10n }),
  seededState(assets[0]!, 70n, { supply: null, deleted: true }),
].toSorted((a, b) => Number(a.version - b.version))

let api: TestApi
/** The same network before any fungible assets were read. */
let before: TestApi
let commit: CommitOptions
beforeAll(async () => {
  const config = { aptos: { mainnet: { rest: 'http://127.0.0.1:1/v1' } }, pageCache: { freshMs: 0 } }
  ;[api, before] = await Promise.all([createTestApi({ config }), createTestApi({ config })])
  const id = await seedCoins(api.db, { coins: all, states, from: 0n, to: 99n, head: 99n })
  await seedCoins(before.db, { coins: all.filter(({ asset }) => asset === null), from: 0n, to: 99n, head: 99n })
  const worker = await seedWorker(api.db)
  await seedLease(api.db, 'aptos', id, worker)
  const network = { id, name: 'mainnet' } as Network
  commit = { network, db: api.db, metrics: createMetrics(), worker: () => worker, skipped: () => undefined }
})
afterAll(() => Promise.all([api.drop(), before.drop()]))

/** Stores the results of one more version. */
async function read(version: bigint, found: { coins?: Coin[]; states?: CoinState[] }): Promise<void> {
  const runs = createCoinRuns()
  runs.add(found.states ?? [])
  const range = { from: version, to: version }
  await commitVersions(commit, range, { coins: found.coins ?? [], runs: runs.runs(), head: version, live: true })
}

test('default: the first request queues an asset icon, and an icon URI that is not a URL gets 404', async () => {
  const uri = 'https://icons.example/"a".png'
  const [withIcon, nul, long] = [uri, 'a\u0000b', `https://icons.example/${'a'.repeat(9_000)}`].map((iconUri, n) =>
    seededAsset(80 + n, { version: 3n, asset: { iconUri, projectUri: null, pairedType: null } }),
  )
  const icons = await createTestApi({ config: { aptos: { mainnet: { rest: 'http://127.0.0.1:1/v1' } } } })
  onTestFinished(icons.drop)
  await seedCoins(icons.db, { coins: [withIcon!, nul!, long!, native], from: 0n, to: 99n, head: 99n })
  const request = async (hash: string) => {
    const response = await icons.get(`/coins/${hash}/icon`)
    return { status: response.status, body: (await response.json()) as object }
  }
  const processing = { status: 'processing', original_media_url: uri, updatedAt: expect.any(String) }
  expect(await request(withIcon!.hash)).toEqual({ status: 200, body: processing })
  expect(await request(withIcon!.hash)).toEqual({ status: 200, body: processing })
  expect(await icons.db.rows('SELECT url, collection_id, due_at IS NOT NULL FROM media')).toEqual([[uri, 0n, true]])
  for (const hash of [nul!.hash, long!.hash, native.hash, '0'.repeat(64)])
    expect((await request(hash)).status).toBe(404)
  expect((await icons.get(`/aptos/nowhere/coins/${native.hash}/icon`)).status).toBe(404)
})

type Record = { coin_type_hash: string; [field: string]: unknown }
type Page = { cursor: string | null; result: Record[] }

async function json<T>(target: string, status = 200): Promise<T> {
  const response = await api.get(target)
  const text = await response.text()
  expect(response.status, text).toBe(status)
  return JSON.parse(text) as T
}
const byHash = async ({ hash }: Coin, standard = 'all') =>
  (await json<Record[]>(`/coins?coin_type_hashes=${hash}&standard=${standard}`))[0]

test('behavior: without standard= every response is byte for byte the one before fungible assets were read', async () => {
  const hashes = [...coins.slice(0, 9), native, old].map(({ hash }) => hash)
  const targets = [
    ...[
      '/coins/latest?limit=100',
      '/coins/latest?limit=5',
      '/coins/latest?limit=5&offset=3',
      '/coins/latest?limit=1&offset=99',
    ],
    ...['/aptos/mainnet/coins/latest?limit=7', '/coins/latest', '/coins/latest?limit=0', '/coins'],
    `/coins?coin_type_hashes[]=${hashes.join()}&coin_type_hashes[]=${'f'.repeat(64)}`,
    `/aptos/mainnet/coins?coin_type_hashes=${hashes[0]}`,
  ]
  for (const target of targets) {
    const [now, then] = await Promise.all([api.get(target), before.get(target)])
    const [text, textThen] = [await now.text(), await then.text()]
    // Each database has its own secret, which signs cursors.
    const unsigned = (body: string) => body.replace(/"cursor":"[^"]*"/, '"cursor":"…"')
    expect(unsigned(text), target).toBe(unsigned(textThen))
    expect(now.status).toBe(then.status)
    const headers = ({ headers }: Response) => [...headers].filter(([name]) => name.startsWith('x-index'))
    expect(headers(now)).toEqual(headers(then))
  }
  const { result } = await json<Page>('/coins/latest?limit=1')
  expect(JSON.stringify(result[0])).toBe(
    `{"coin_type":"0x5a::old::Old","coin_type_hash":"${old.hash}","creator_address":"0x${'5a'.padStart(64, '0')}","decimals":8,"name":"Coin 31","supply_aggregator_table_handle":null,"supply_aggregator_table_key":null,"symbol":"C31","transaction_created_timestamp":"2022-10-19T02:43:38.000031Z","transaction_version_created":"31"}`,
  )
})

test.each([
  ['v1', inOrder(all.filter(({ asset }) => asset === null))],
  ['v2', inOrder(all.filter(({ asset }) => asset !== null))],
  ['all', inOrder(all)],
] as const)('default: standard=%s lists its coins in one order, by cursor and by offset', async (standard, hashes) => {
  for (const limit of [1, 4, 100]) {
    const walked: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      // A page with a cursor uses the standard of the first page.
      const named = cursor === '' || limit === 4 ? `&standard=${standard}` : ''
      const page: Page = await json<Page>(`/coins/latest?limit=${limit}${named}&cursor=${cursor}`)
      walked.push(...page.result.map((one) => one.coin_type_hash))
      cursor = page.cursor
    }
    expect(walked).toEqual(hashes)
  }
  for (const offset of [0, 1, 13, 40]) {
    const { result } = await json<Page>(`/coins/latest?limit=5&offset=${offset}&standard=${standard}`)
    expect(result.map((one) => one.coin_type_hash)).toEqual(hashes.slice(offset, offset + 5))
  }
})

test('default: an asset has the fields of a coin plus its own', async () => {
  const [plain] = await json<Record[]>(`/coins?coin_type_hashes=${pair.hash}`)
  expect(Object.keys(plain!)).toHaveLength(10)
  expect(await byHash(pair)).toEqual({
    ...plain,
    coin_type: pair.type,
    creator_address: `0x${'a'.padStart(64, '0')}`,
    supply_aggregator_table_handle: null,
    ...{ token_standard: 'v2', asset_type: pair.type, icon_uri: hostile, project_uri: null },
    ...{ paired_coin_type: '0x5a::old::Old', paired_asset_type: null },
    ...{ supply: '40', maximum_supply: String(10n ** 30n), deleted: false },
  })
  expect(await byHash(pair, 'v1')).toBeUndefined()
})

test('behavior: a coin and its paired asset reference each other, and the supply of the coin includes both', async () => {
  expect(await byHash(old, 'v1')).toMatchObject({
    ...{ token_standard: 'v1', asset_type: '0x5a::old::Old', paired_coin_type: null, paired_asset_type: pair.type },
    ...{ supply: '690', decimals: 9, icon_uri: null, maximum_supply: null, deleted: false },
  })
  expect(await byHash(native)).toMatchObject({ supply: String(2n ** 64n - 5n), supply_aggregator_table_handle: handle })
  expect(await byHash(coins[0]!)).toMatchObject({ supply: null, paired_asset_type: null })
})

test('behavior: a deleted asset is reported as deleted', async () => {
  expect(await byHash(assets[0]!)).toMatchObject({ deleted: true, supply: null, decimals: 8 })
  expect(await byHash(assets[1]!)).toMatchObject({ deleted: false, supply: null })
})

test.each([
  [old, 31, '700'],
  // At these versions the asset exists but does not belong to the coin yet.
  [old, 49, '700'],
  [old, 50, '700'],
  [old, 59, '700'],
  [old, 60, '690'],
  [old, 99, '690'],
  [pair, 22, '0'],
  [pair, 55, '50'],
  [native, 39, null],
  [native, 40, String(2n ** 64n)],
  [native, 44, String(2n ** 64n)],
  [native, 45, String(2n ** 64n - 5n)],
  [assets[0]!, 69, '10'],
  [assets[0]!, 70, null],
  [coins[1]!, 50, null],
] as const)('default: returns the supply at a version: %#', async ({ hash }, version, supply) => {
  const body = { coin_type_hash: hash, transaction_version: String(version), supply }
  expect(await json(`/coins/${hash}/supply?version=${version}`)).toEqual(body)
  expect(await json(`/aptos/mainnet/coins/0x${hash.toUpperCase()}/supply?version=${version}`)).toEqual(body)
})

test('behavior: without a version the supply is that of the last covered version', async () => {
  expect(await json(`/coins/${old.hash}/supply`)).toMatchObject({ transaction_version: '99', supply: '690' })
})

test.each([
  ['what no coin has', `/coins/${'f'.repeat(64)}/supply`, 404, /^no coin has the hash f+$/],
  [
    'a version before the coin',
    `/coins/${pair.hash}/supply?version=21`,
    404,
    /was created at version 22, after version 21/,
  ],
  [
    'a version above the covered ones',
    `/coins/${pair.hash}/supply?version=100`,
    400,
    /is 100, which is not covered; allowed: 0 to 99/,
  ],
  [
    'no version',
    `/coins/${pair.hash}/supply?version=-1`,
    400,
    /^version is "-1"; allowed: a version of 1 to 18 digits/,
  ],
  ['no hash', '/coins/xyz/supply', 400, /^hash is "xyz"/],
])('error: rejects the supply of %s', async (_, target, status, message) => {
  expect(await json<{ message: string }>(target, status)).toMatchObject({ message: expect.stringMatching(message) })
})

test('error: rejects a supply request while no version is covered', async () => {
  const bare = await createTestApi()
  try {
    const response = await bare.get(`/coins/${pair.hash}/supply`)
    expect(response.status).toBe(400)
    expect(((await response.json()) as { message: string }).message).toContain(
      'no version of the network is covered yet',
    )
  } finally {
    await bare.drop()
  }
})

test('error: rejects a cursor of another standard', async () => {
  const cursorOf = async (query: string) => (await json<Page>(`/coins/latest?limit=3${query}`)).cursor
  const [plain, v1, both] = [await cursorOf(''), await cursorOf('&standard=v1'), await cursorOf('&standard=all')]
  for (const [cursor, standard, message] of [
    [plain, 'v1', 'standard is "v1", but the cursor was made without it; allowed with this cursor: omitting it'],
    [both, 'v2', 'standard is "v2", but the cursor was made with all; allowed with this cursor: all'],
    [v1, 'all', 'standard is "all", but the cursor was made with v1; allowed with this cursor: v1'],
  ] as const)
    expect(await json(`/coins/latest?limit=3&standard=${standard}&cursor=${cursor}`, 400)).toMatchObject({ message })
})

test('behavior: a page without standard= keeps its ETag while assets and supplies change', async () => {
  const target = '/coins/latest?limit=5'
  const etagOf = async (path: string) => (await api.get(path)).headers.get('etag')
  const [plain, full] = [await etagOf(target), await etagOf(`${target}&standard=v1`)]
  await read(100n, { states: [seededState(coins[3]!, 100n, { supply: 1n })] })
  expect(await etagOf(target)).toBe(plain)
  expect(await etagOf(`${target}&standard=v1`)).not.toBe(full)
  const later = await etagOf(`${target}&standard=v2`)
  await read(101n, { coins: [seededAsset(101)] })
  expect(await etagOf(target)).toBe(plain)
  expect(await etagOf(`${target}&standard=v2`)).not.toBe(later)
  await read(102n, { coins: [seededCoin(102)] })
  expect(await etagOf(target)).not.toBe(plain)
})

test('behavior: the supply without a version follows the last covered version, also when nothing changed', async () => {
  const target = `/coins/${old.hash}/supply`
  const first = await api.get(target)
  const etag = first.headers.get('etag')!
  const covered = BigInt(first.headers.get('x-index-to-version')!)
  await read(covered + 1n, {})
  const later = await api.get(target, { 'if-none-match': etag })
  expect(later.status).toBe(200)
  expect(await later.json()).toMatchObject({ transaction_version: String(covered + 1n), supply: '690' })
  // A given version always has the same supply.
  const named = (await api.get(`${target}?version=99`)).headers.get('etag')
  await read(covered + 2n, {})
  expect((await api.get(`${target}?version=99`)).headers.get('etag')).toBe(named)
})
