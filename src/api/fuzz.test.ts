import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../../test/api.ts'
import { freshSeed } from '../../test/random.ts'
import { seedCollection } from '../../test/seedCollection.ts'

const seed = freshSeed()
const address = `0x${'77'.repeat(20)}` as const

let api: TestApi
/** One cursor for each kind of list. */
const cursors: string[] = []
beforeAll(async () => {
  api = await createTestApi({ config: { demand: { maxQueued: 50, maxQueuedPerKey: 50 } } })
  await seedCollection(api.db, { address, tokens: Array.from({ length: 30 }, (_, i) => BigInt(i)) })
  await api.db.run(
    `INSERT INTO block (chain_id, number, hash, parent_hash, timestamp)
     SELECT 1, n, decode(lpad(to_hex(n), 64, '0'), 'hex'), '\\x00', n FROM generate_series(900, 1000) n`,
  )
  for (const path of ['?limit=3', '/owners?limit=3', '?limit=3&as_of_block=950']) {
    const first = await api.get(`/api/v2/nft/${address}${path}`)
    cursors.push(((await first.json()) as { cursor: string }).cursor)
  }
})
afterAll(() => api.drop())

const names = fc.constantFrom(
  ...['chain', 'format', 'limit', 'totalRanges', 'range', 'disable_total', 'cursor', 'normalizeMetadata'],
  ...['media_items', 'network', '__proto__', 'constructor', 'limit[]', 'range[0]', 'x[][]', ''],
  ...['as_of_block', 'traits', 'traits[]', 'include', 'order', 'from_block', 'to_block', 'from_date', 'toDate'],
  ...['exclude_spam', 'token_addresses', 'token_addresses[]', 'token_addresses[7]', 'token_counts'],
)
const values = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '1',
    '100',
    'true',
    'eth',
    '0x1',
    '0x',
    'goerli',
    'hex',
    'null',
    '%00',
    '%ff%fe',
    '%',
    'NaN',
    ...['950', '1000', '0x3b6', 'rarity', 'csv', 'ndjson', 'ASC', 'DESC', '2024-01-01', '1e400'],
    ...['Hat:Red', 'Hat\\:Red:1', '%00:%00', ':', ':::', 'Hat:', `${'x'.repeat(2_000)}:${'y'.repeat(2_000)}`],
  ),
  fc.constantFrom('-1', '1e3', '9'.repeat(40), '0x'.padEnd(4_000, 'f'), '‮', '\u0000', 'a,b,c', '[object Object]'),
  fc.string({ unit: 'binary' }).map(encodeURIComponentSafely),
  fc.string(),
  fc.nat({ max: 400 }).map((at) => changed(at)),
)
const query = fc
  .array(fc.tuple(names, values), { maxLength: 6 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'))
const paths = fc.oneof(
  { weight: 8, arbitrary: fc.constant(`/api/v2/nft/${address}`) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      `/api/v2/${address}/nft`,
      `/api/v2.2/${address}/nft/collections`,
      `/api/v2/${address}/nft/transfers`,
    ),
  },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...[
        '3',
        'owners',
        '3/owners',
        'traits',
        'stats',
        '3/stats',
        'snapshot',
        'export',
        'transfers',
        '3/transfers',
      ].map((rest) => `/api/v2/nft/${address}/${rest}`),
      ...['/api/v2/nft/transfers', '/api/v2/block/950/nft/transfers', '/api/v2/block/8589934591/nft/transfers'],
      ...[`/api/v2/block/0x${(950).toString(16).padStart(64, '0')}/nft/transfers`, '/api/v2/chains'],
    ),
  },
  fc.constantFrom(
    '/api/v2.2/nft/0x',
    `/api/v2/nft/${address}/1`,
    `/api/v2/nft/${address}/%00`,
    '/metrics',
    '/docs/..%2f',
  ),
  fc.string().map((text) => `/api/v2/nft/${encodeURIComponentSafely(text)}`),
)

/** A real cursor, or one with a changed character. */
function changed(at: number): string {
  const cursor = cursors[at % cursors.length]!
  return at >= cursor.length ? cursor : `${cursor.slice(0, at)}A${cursor.slice(at + 1)}`
}

/** Lone surrogates have no percent-encoding. */
function encodeURIComponentSafely(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

test(`behavior: 1,000 malformed NFT requests never cause a 500 (seed ${seed})`, async () => {
  const statuses = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(paths, query, async (path, search) => {
      const response = await api.get(`${path}?${search}`)
      const text = await response.text()
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      // 409: a cursor of another place; 503: there is no node for the time of a block.
      expect([200, 400, 404, 409, 414, 429, 503], text).toContain(response.status)
      if (response.status >= 400) expect(JSON.parse(text)).toMatchObject({ statusCode: response.status })
    }),
    { numRuns: 1_000, seed },
  )
  expect(statuses.get(200)).toBeGreaterThan(0)
  expect(statuses.get(400)).toBeGreaterThan(0)
})
