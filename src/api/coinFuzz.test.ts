import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../../test/api.ts'
import { freshSeed } from '../../test/random.ts'
import { seedCoins, seededCoin } from '../../test/seedCoins.ts'

const seed = freshSeed()
const coins = Array.from({ length: 30 }, (_, n) => seededCoin(n))

let api: TestApi
let cursor: string
beforeAll(async () => {
  api = await createTestApi({ config: { aptos: { mainnet: { rest: 'http://127.0.0.1:1' } } } })
  await seedCoins(api.db, { coins, from: 0n, to: 99n })
  cursor = ((await (await api.get('/coins/latest?limit=3')).json()) as { cursor: string }).cursor
})
afterAll(() => api.drop())

const names = fc.constantFrom(
  ...[
    'limit',
    'offset',
    'cursor',
    'coin_type_hashes',
    'coin_type_hashes[]',
    'coin_type_hashes[0]',
    'coin_type_hashes[99999]',
  ],
  ...['network', '__proto__', 'constructor', 'limit[]', 'coin_type_hashes[][]', 'coin_type_hashes%5B%5D', ''],
)
const values = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('1', '3', '100', '0', coins[0]!.hash, `0x${coins[1]!.hash}`) },
  fc.constantFrom('', '-1', '1e3', '9'.repeat(40), 'NaN', '%00', '%ff%fe', '%', 'null', '\u0000', '[object Object]'),
  fc.constantFrom(coins.map(({ hash }) => hash).join(), ','.repeat(3_000), 'f'.repeat(9_000), '‮'),
  fc.string({ unit: 'binary' }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.string(),
  fc.nat({ max: 200 }).map((at) => (at >= cursor.length ? cursor : `${cursor.slice(0, at)}A${cursor.slice(at + 1)}`)),
)
const odd = fc
  .array(fc.tuple(names, values), { maxLength: 6 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'))
/** A twentieth of them is valid, so that valid answers do not depend on the seed. */
const query = fc.oneof(
  { weight: 19, arbitrary: odd },
  fc.constantFrom('limit=3', `coin_type_hashes[]=${coins[0]!.hash}`, 'limit=1&network=mainnet'),
)
const paths = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('/coins/latest', '/coins') },
  fc.constantFrom(
    '/aptos/mainnet/coins',
    '/aptos/mainnet/coins/latest',
    '/aptos/x/coins/latest',
    '/aptos//coins',
    '/coins/',
  ),
  fc.string().map((text) => `/aptos/${encodeURIComponent(text.toWellFormed())}/coins/latest`),
)

test(`behavior: 500 malformed coin requests never cause a 500 (seed ${seed})`, async () => {
  const statuses = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(paths, query, async (path, search) => {
      const response = await api.get(`${path}?${search}`)
      const text = await response.text()
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      expect([200, 400, 404, 414], text).toContain(response.status)
      if (response.status >= 400) expect(JSON.parse(text)).toMatchObject({ statusCode: response.status })
    }),
    { numRuns: 500, seed },
  )
  expect(statuses.get(200)).toBeGreaterThan(0)
  expect(statuses.get(400)).toBeGreaterThan(0)
})
