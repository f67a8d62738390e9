import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, asOfQuery, createTestApi, type TestApi } from '../../../../test/api.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import type { Sql } from '../../../db/database.ts'
import { bytesOf } from '../../../db/pipeline/byteRows.ts'
import { createMetadataDemand } from '../../../nft/metadata/store/createMetadataDemand.ts'
import { createNftQuery } from '../../../nft/pages/createNftQuery.ts'
import { createWalletQuery } from '../../../nft/pages/wallets/createWalletQuery.ts'
import { createDemand } from '../../../nft/store/createDemand.ts'
import type { Address } from '../../../util/hex.ts'

let api: TestApi
/** Number of statements that read states and tokens. */
let statements = 0
beforeAll(async () => {
  api = await createTestApi({ config: { pageCache: { freshMs: 0 } } })
})
afterAll(() => api.drop())

let addresses = 0
const newAddress = (): Address => `0x${(++addresses).toString(16).padStart(40, 'c')}`

type Token = { token_address: string; token_id: unknown }

async function requestTokens(body: unknown, { query = '', of = api } = {}) {
  const response = await of.api.request(
    new Request(`http://localhost/api/v2/nft/getMultipleNFTs${query}`, {
      method: 'POST',
      headers: { 'x-api-key': adminKey },
      body: JSON.stringify(body),
    }),
  )
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const namesOf = (body: unknown) => (body as Token[]).map(({ token_address, token_id }) => [token_address, token_id])

test('default: getMultipleNFTs returns each token once in the requested order, as the token route returns it', async () => {
  const [a, b] = [newAddress(), newAddress()]
  await seedCollection(api.db, { address: a, tokens: [1n, 2n, 255n] })
  await seedCollection(api.db, { address: b, tokens: [1n], columns: { standard: 'ERC1155' } })
  const tokens = [
    { token_address: a, token_id: '0xff' },
    { token_address: b, token_id: '1' },
    { token_address: a.toUpperCase().replace('0X', '0x'), token_id: '1' },
    { token_address: b, token_id: '2' },
    { token_address: a, token_id: '255' },
  ]
  const { status, headers, body } = await requestTokens({ tokens })
  expect(status).toBe(200)
  expect(namesOf(body)).toEqual([
    [a, '255'],
    [b, '1'],
    [a, '1'],
  ])
  expect([headers.get('x-index-status'), headers.get('x-index-to-block')]).toEqual(['synced', '1000'])
  const options = '?format=hex&normalizeMetadata=true&media_items=true'
  const alone = await (await api.get(`/api/v2/nft/${a}/255${options}`)).json()
  const one = { tokens: tokens.slice(0, 1) }
  expect((await requestTokens(one, { query: options })).body).toEqual([alone])
  expect((await requestTokens({ ...one, format: 'hex', normalizeMetadata: true, media_items: true })).body).toEqual([
    alone,
  ])
  expect(namesOf((await requestTokens({ ...one, format: 'decimal' }, { query: options })).body)).toEqual([[a, '255']])
  expect((await requestTokens({ tokens: [] })).body).toEqual([])
})

test('behavior: unindexed contracts are queued up to the limit of the key, and determine the index headers', async () => {
  const own = await createTestApi({
    config: { demand: { maxQueuedPerKey: 3, maxQueued: 10 }, pageCache: { freshMs: 0 } },
  })
  const known = newAddress()
  await seedCollection(own.db, { address: known, tokens: [1n] })
  const nobody = newAddress()
  const looked = { status: 'nocode', checked_at: new Date(), from_block: null }
  await seedCollection(own.db, { address: nobody, columns: looked })
  const fresh = [newAddress(), newAddress(), newAddress(), newAddress()]
  const of = (...contracts: string[]) => ({
    tokens: contracts.map((token_address) => ({ token_address, token_id: '1' })),
  })
  const { status, headers, body } = await requestTokens(of(known, nobody, fresh[0]!, fresh[1]!), { of: own })
  expect([status, namesOf(body)]).toEqual([200, [[known, '1']]])
  expect(['status', 'progress', 'to-block', 'head-block'].map((name) => headers.get(`x-index-${name}`))).toEqual([
    ...['queued', '0', null, '1000'],
  ])
  expect((await requestTokens(of(known, nobody), { of: own })).headers.get('x-index-status')).toBe('synced')
  const rejected = await requestTokens(of(...fresh), { of: own })
  expect(rejected).toMatchObject({
    status: 429,
    body: { message: expect.stringContaining('already has 3 collections waiting') },
  })
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
  const queued = await own.db.rows(
    "SELECT '0x' || encode(address, 'hex') FROM collection WHERE status = 'queued' ORDER BY address",
  )
  expect(queued.flat()).toEqual(fresh.slice(0, 3).toSorted())
  await own.drop()
})

test('behavior: a hundred tokens of one contract and tokens of twenty contracts both take two statements', async () => {
  const counted: Sql = {
    rows: (...given) => {
      statements++
      return api.db.rows(...given)
    },
    run: (...given) => api.db.run(...given),
  }
  const reader = { ...counted, ...bytesOf(counted) }
  const { db } = api
  const counting = await createTestApi({
    ...{ db, config: { pageCache: { freshMs: 0 } } },
    nft: {
      query: createNftQuery({ db, reader }),
      asOf: asOfQuery(db),
      wallets: createWalletQuery({ db }),
      demand: createDemand({ db, chainIds: [], maxQueued: 10, maxQueuedPerKey: 10 }),
      metadata: createMetadataDemand({ db }),
    },
  })
  const count = async (tokens: readonly Token[]) => {
    const before = statements
    const { body } = await requestTokens({ tokens }, { of: counting })
    expect(namesOf(body)).toEqual(tokens.map(({ token_address, token_id }) => [token_address, token_id]))
    return statements - before
  }
  const ids = Array.from({ length: 100 }, (_, i) => BigInt(i))
  const address = newAddress()
  await seedCollection(db, { address, tokens: ids })
  expect(await count(ids.map((id) => ({ token_address: address, token_id: String(id) })))).toBe(2)
  const many = ids.slice(0, 20).map(newAddress)
  for (const one of many) await seedCollection(db, { address: one, tokens: [5n] })
  expect(await count(many.map((one) => ({ token_address: one, token_id: '5' })))).toBe(2)
  await counting.drop()
})

test('error: rejects tokens with more than 16 MiB of metadata together, but serves one alone', async () => {
  const address = newAddress()
  const { partition, id } = await seedCollection(api.db, {
    address,
    tokens: [1n, 2n],
    columns: { metadata_longest: 9_000_000 },
  })
  await api.db.run(
    `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, tried_at, record)
     SELECT partition, collection_id, token_hash, 'ok', 0, now(), '"token_uri":null,"metadata":"\\"' || repeat('x', 9000000) || '\\"","last_token_uri_sync":null,"last_metadata_sync":null'
     FROM token WHERE partition = $1 AND collection_id = $2`,
    [partition, id],
  )
  const tokens = ['1', '2'].map((token_id) => ({ token_address: address, token_id }))
  const message =
    'tokens contains tokens with more than 16777216 bytes of metadata together; allowed: fewer tokens at once'
  expect(await requestTokens({ tokens })).toMatchObject({
    status: 400,
    body: { message, details: { parameter: 'tokens' } },
  })
  expect(namesOf((await requestTokens({ tokens: tokens.slice(1) })).body)).toEqual([[address, '2']])
})

const token = { token_address: `0x${'5a'.repeat(20)}`, token_id: '1' }
const idAllowed = 'a token id as text: a whole number from 0 to 2^256−1, decimal or 0x and hex digits'

test.each([
  [undefined, 'the body is missing; allowed: a JSON object'],
  [[token], 'the body is a list; allowed: a JSON object'],
  [{}, 'tokens is missing; allowed: a list of at most 100 tokens'],
  [{ tokens: token }, 'tokens is an object; allowed: a list of at most 100 tokens'],
  [{ tokens: Array(101).fill(token) }, 'tokens has 101 items; allowed: at most 100'],
  [{ tokens: [token, 5] }, 'tokens[1] is 5; allowed: a JSON object'],
  [{ tokens: [{ token_id: '1' }] }, 'tokens[0].token_address is missing; allowed: an address: 0x and 40 hex digits'],
  [
    { tokens: [{ ...token, token_address: '0x5' }] },
    'tokens[0].token_address is "0x5"; allowed: an address: 0x and 40 hex digits',
  ],
  [{ tokens: [{ ...token, token_id: 12 }] }, `tokens[0].token_id is 12; allowed: ${idAllowed}`],
  [
    { tokens: [token, { ...token, token_id: '-1' }] },
    `tokens[1].token_id is "-1"; allowed: ${idAllowed.replace(' as text', '')}`,
  ],
  [{ tokens: [token], format: 'octal' }, 'format is "octal"; allowed: decimal or hex'],
  [{ tokens: [token], media_items: 'yes' }, 'media_items is text; allowed: true or false'],
])('error: rejects the body %j', async (body, message) => {
  expect(await requestTokens(body)).toMatchObject({ status: 400, body: { message } })
})

test('error: an unknown chain gets 400, and GET gets 405', async () => {
  expect(await requestTokens({ tokens: [token] }, { query: '?chain=nowhere' })).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/^chain is "nowhere"; allowed: /) },
  })
  expect((await api.get('/api/v2/nft/getMultipleNFTs')).status).toBe(405)
})
