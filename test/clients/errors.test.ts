import Moralis from 'moralis'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createKey } from '../../src/db/keys.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { startTestServer, type TestServer, testApiKey } from '../mintmark.ts'
import { type Collections, deployCollections } from './collections.ts'
import { type StartedMoralis, startMoralis } from './startMoralis.ts'

let anvil: Anvil
let server: TestServer
let moralis: StartedMoralis
let collections: Collections
const chain = '0x7a69'

beforeAll(async () => {
  anvil = await startAnvil()
  collections = await deployCollections(anvil)
  server = await startTestServer({ rpc: [anvil.url] })
  await server.untilSynced(collections.tiles)
  moralis = await startMoralis({ url: server.url, version: 'v2.2' })
})
afterAll(async () => {
  await server?.close()
  await anvil?.stop()
})

beforeEach(() => Moralis.Core.config.set('apiKey', testApiKey))

type Query = Partial<Parameters<typeof Moralis.EvmApi.nft.getContractNFTs>[0]>

const get = (query: Query) => Moralis.EvmApi.nft.getContractNFTs({ chain, address: collections.tiles, ...query })

/** The error that a program catches, and the number of attempts. */
async function failureOf(query: Query) {
  const before = moralis.requests.length
  const error = await get(query).then(
    () => expect.unreachable('it did not fail'),
    (reason) => reason,
  )
  expect(error).toMatchObject({ isMoralisError: true, code: 'C0006' })
  const { status, response } = error.details
  return { message: error.message, status, headers: response.headers, tries: moralis.requests.length - before }
}

test('default: pages are read under /api/v2.2, the default version of the package', async () => {
  const page = await get({ limit: 100 })
  expect(moralis.requests.at(-1)!.address.pathname).toBe(`/api/v2.2/nft/${collections.tiles}`)
  const last = await (await page.next()).next()
  expect([last.result.length, last.hasNext()]).toEqual([36, false])
})

test.each([
  [{ limit: 101 }, 'limit is "101"; allowed: a whole number from 1 to 100 {"parameter":"limit"}'],
  [
    { range: 0 },
    'totalRanges is missing, as range is given; allowed: a whole number from 1 to 1000 {"parameter":"totalRanges"}',
  ],
  [
    { cursor: 'nonsense' },
    'cursor is not a cursor of this server, or was altered; allowed: one from a response {"parameter":"cursor"}',
  ],
])('error: 400 for %o says what is allowed', async (query, expected) => {
  expect(await failureOf(query)).toMatchObject({
    status: 400,
    message: `[C0006] Request failed, Bad Request(400): ${expected}`,
    tries: 1,
  })
})

test('error: 400 for a chain without a node lists the available chains', async () => {
  const { message } = await failureOf({ chain: '0x539' })
  expect(message).toMatch(/chain is "0x539"; allowed: .*eth 0x1.*local 0x7a69/)
})

test('error: 404 for an address without a contract', async () => {
  const address = `0x${'12'.repeat(20)}`
  await expect.poll(async () => (await server.get(`/api/v2/nft/${address}?chain=local`)).status).toBe(404)
  const expected = `address is ${address}, where there is no contract on this chain {"parameter":"address"}`
  expect(await failureOf({ address })).toMatchObject({
    status: 404,
    message: `[C0006] Request failed, Not Found(404): ${expected}`,
    tries: 1,
  })
})

test('error: 401 for an unknown key is not retried', async () => {
  Moralis.Core.config.set('apiKey', 'wrong')
  expect(await failureOf({})).toMatchObject({
    status: 401,
    message: expect.stringContaining('Unauthorized(401): the API key is unknown or was revoked'),
    tries: 1,
  })
})

test('error: 429 is retried once immediately, and its headers specify when to retry', async () => {
  const { key } = await createKey(server.database.db, {
    ...{ name: 'slow', access: 'read', requestsPerSecond: 0.01, burst: 1 },
  })
  Moralis.Core.config.set('apiKey', key)
  await get({})
  const { headers, ...rest } = await failureOf({})
  expect(rest).toEqual({
    status: 429,
    message: expect.stringContaining(
      'Too Many Requests(429): this key sends requests faster than its rate limit allows; retry in ',
    ),
    tries: 2,
  })
  expect(Number(headers['retry-after'])).toBeGreaterThan(50)
})
