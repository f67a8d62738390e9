import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../../test/api.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { createKey } from '../../../db/keys.ts'
import type { Address } from '../../../util/hex.ts'
import { nftSchema } from '../../nft/schemas.ts'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi({ config: { pageCache: { freshMs: 0 } } })
})
afterAll(() => api.drop())

let addresses = 0
const newAddress = (): Address => `0x${(++addresses).toString(16).padStart(40, 'b')}`
const ids = (count: number) => Array.from({ length: count }, (_, i) => BigInt(i) ** 3n)

type Body = { result: unknown[]; status: string }

test('behavior: concurrent first requests for a collection queue its indexing once, and are answered immediately', async () => {
  const address = newAddress()
  const { key } = await createKey(api.db, { name: 'asker', access: 'read' })
  const requested = await Promise.all(
    Array.from({ length: 50 }, () => api.get(`/api/v2/nft/${address}?disable_total=false`, { 'x-api-key': key })),
  )
  for (const response of requested) {
    expect(response.headers.get('x-index-status')).toBe('queued')
    expect(response.headers.get('x-index-progress')).toBe('0')
    expect(await response.json()).toEqual({
      total: 0,
      page: 0,
      page_size: 100,
      cursor: null,
      result: [],
      status: 'SYNCING',
    })
  }
  const rows = await api.db.rows<[string, bigint]>(
    "SELECT status, (SELECT count(*) FROM collection) FROM collection WHERE address = decode($1, 'hex')",
    [address.slice(2)],
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]![0]).toBe('queued')
})

test('error: requesting too many new collections gets 429', async () => {
  const own = await createTestApi({ config: { demand: { maxQueuedPerKey: 2, maxQueued: 10 } } })
  const statuses: number[] = []
  for (let i = 0; i < 3; i++) {
    const response = await own.get(`/api/v2/nft/${newAddress()}`)
    statuses.push(response.status)
    if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect(statuses).toEqual([200, 200, 429])
  await own.drop()
})

test('behavior: each status of a collection has its HTTP status, headers and body', async () => {
  const reported = async (columns: Record<string, unknown>, chain?: { block: bigint; head: bigint }) => {
    const address = newAddress()
    await seedCollection(api.db, { address, tokens: ids(3), columns, ...(chain ? { chain } : {}) })
    const response = await api.get(`/api/v2/nft/${address}`)
    const { status, result } = (await response.json()) as Body
    const header = (name: string) => response.headers.get(`x-index-${name}`)
    return [response.status, header('status'), status, result?.length, header('failure'), header('lag-blocks')]
  }
  expect(await reported({ status: 'queued' })).toEqual([200, 'queued', 'SYNCING', 3, null, '0'])
  expect(await reported({ status: 'syncing', to_block: 400n })).toEqual([200, 'syncing', 'SYNCING', 3, null, '600'])
  expect(await reported({ status: 'none' })).toEqual([200, 'synced', 'SYNCED', 0, null, '0'])
  const reason = 'the node said “no”\r\nset-cookie: a=b'
  expect(await reported({ status: 'failed', reason })).toEqual([
    200,
    'failed',
    'SYNCING',
    3,
    'the node said ?no?set-cookie: a=b',
    '0',
  ])
  expect(await reported({ status: 'live' }, { block: 1_000n, head: 1_003n })).toEqual([
    200,
    'syncing',
    'SYNCING',
    3,
    null,
    '3',
  ])
})

test('behavior: an address without code gets 404, and is checked again after a minute', async () => {
  const address = newAddress()
  const where = [address.slice(2)]
  await seedCollection(api.db, { address, columns: { status: 'nocode', checked_at: new Date(), from_block: null } })
  const get = () => api.get(`/api/v2/nft/${address}`)
  const statusInStore = async () =>
    (await api.db.rows<[string]>("SELECT status FROM collection WHERE address = decode($1, 'hex')", where))[0]![0]
  const first = await get()
  expect([first.status, (await api.get(`/api/v2/nft/${address}/metadata`)).status]).toEqual([404, 404])
  expect(((await first.json()) as { message: string }).message).toContain(address)
  expect(await statusInStore()).toBe('nocode')
  const age = "UPDATE collection SET checked_at = now() - interval '61 seconds' WHERE address = decode($1, 'hex')"
  await api.db.run(age, where)
  expect((await get()).status).toBe(404)
  expect(await statusInStore()).toBe('queued')
  expect((await get()).status).toBe(404)
  await api.db.run("UPDATE collection SET status = 'syncing', from_block = 5 WHERE address = decode($1, 'hex')", where)
  expect((await get()).status).toBe(200)
})

test('default: returns one token by decimal or hex id, and 404 for an unlisted one', async () => {
  const address = newAddress()
  await seedCollection(api.db, { address, tokens: [255n] })
  for (const [path, id] of [
    ['255', '255'],
    ['0xff', '255'],
    ['0x00FF?format=hex', '0xff'],
  ] as const) {
    const response = await api.get(`/api/v2/nft/${address}/${path}`)
    expect(nftSchema.parse(await response.json()).token_id).toBe(id)
    const etag = response.headers.get('etag')!
    expect((await api.get(`/api/v2/nft/${address}/${path}`, { 'if-none-match': etag })).status).toBe(304)
  }
  expect((await api.get(`/api/v2/nft/${address}/256`)).status).toBe(404)
  expect((await api.get(`/api/v2/nft/${newAddress()}/1`)).status).toBe(404)
  const malformed = await api.get(`/api/v2/nft/${address}/1.5`)
  expect(malformed.status).toBe(400)
  expect(await malformed.json()).toMatchObject({ details: { parameter: 'token_id' } })
})

test('behavior: a contract that is not an NFT contract counts as covered up to the head', async () => {
  const address = newAddress()
  const columns = { status: 'none', to_block: 5n }
  await seedCollection(api.db, { address, columns, chain: { block: 1_000n, head: 1_003n } })
  const read = async () => {
    const { headers } = await api.get(`/api/v2/nft/${address}`)
    return ['to-block', 'head-block', 'lag-blocks', 'status'].map((name) => headers.get(`x-index-${name}`))
  }
  expect(await read()).toEqual(['1003', '1003', '0', 'synced'])
  await api.db.run('UPDATE chain SET block_number = 1005, head_number = 1005')
  expect(await read()).toEqual(['1005', '1005', '0', 'synced'])
  const reason = 'it is not known yet whether it has tokens'
  await api.db.run("UPDATE collection SET reason = $2 WHERE address = decode($1, 'hex')", [address.slice(2), reason])
  expect(await read()).toEqual(['5', '1005', '1000', 'syncing'])
})

test('error: a 404 of a token or its metadata routes has the index headers of its collection', async () => {
  const address = newAddress()
  const columns = { status: 'syncing', to_block: 400n }
  await seedCollection(api.db, { address, tokens: [7n], columns })
  const nobody = newAddress()
  const codeless = newAddress()
  const looked = { status: 'nocode', checked_at: new Date(), from_block: null }
  await seedCollection(api.db, { address: codeless, columns: looked })
  for (const [of, status] of [
    [address, 'syncing'],
    [nobody, 'queued'],
    [codeless, 'synced'],
  ] as const)
    for (const path of ['/8', '/8/metadata/resync', '/8/metadata/history']) {
      const response = await api.get(`/api/v2/nft/${of}${path}`)
      const { headers } = response
      expect([path, response.status, headers.get('x-index-status')]).toEqual([path, 404, status])
      expect(headers.get('x-index-to-block')).toBe(status === 'syncing' ? '400' : of === codeless ? '1000' : null)
      expect(headers.get('etag')).toBeNull()
    }
  const known = await api.get(`/api/v2/nft/${address}/7/metadata/history`)
  expect([known.status, await known.json()]).toEqual([200, { result: [], dropped: 0 }])
})

test('behavior: the ETag of a page stays until the collection, the status or the query changes', async () => {
  const address = newAddress()
  await seedCollection(api.db, { address, tokens: ids(5) })
  const tagOf = async (query: string) => (await api.get(`/api/v2/nft/${address}?${query}`)).headers.get('etag')!
  const etag = await tagOf('limit=2')
  expect(await tagOf('limit=2&chain=ETH&cursor=')).toBe(etag)
  expect(await tagOf('limit=3')).not.toBe(etag)
  const unchanged = await api.get(`/api/v2/nft/${address}?limit=2`, { 'if-none-match': `"x", ${etag}` })
  expect([unchanged.status, await unchanged.text()]).toEqual([304, ''])
  expect(unchanged.headers.get('x-index-status')).toBe('synced')
  expect(unchanged.headers.get('etag')).toBe(etag)
  await api.db.run("UPDATE collection SET version = version + 1 WHERE address = decode($1, 'hex')", [address.slice(2)])
  const changed = await api.get(`/api/v2/nft/${address}?limit=2`, { 'if-none-match': etag })
  expect(changed.status).toBe(200)
  expect(changed.headers.get('etag')).not.toBe(etag)
})

test('default: returns the metadata of a contract, and 304 until it changes', async () => {
  const address = newAddress()
  const checked_at = new Date('2026-01-31T12:00:00Z')
  await seedCollection(api.db, { address, columns: { checked_at, spam_override: true } })
  const path = `/api/v2/nft/${address.toUpperCase().replace('0X', '0x')}/metadata`
  const first = await api.get(path)
  expect([first.status, first.headers.get('x-index-status')]).toEqual([200, 'synced'])
  expect(await first.json()).toEqual({
    ...{ token_address: address, name: 'Seeds', symbol: 'SEED', contract_type: 'ERC721' },
    ...{ synced_at: '2026-01-31T12:00:00.000Z', possible_spam: true, verified_collection: false },
  })
  const given = { 'if-none-match': first.headers.get('etag')! }
  expect((await api.get(path, given)).status).toBe(304)
  await api.db.run("UPDATE collection SET symbol = 'S2' WHERE address = decode($1, 'hex')", [address.slice(2)])
  const changed = await api.get(path, given)
  expect([changed.status, await changed.json()]).toMatchObject([200, { symbol: 'S2' }])
})

test('behavior: the metadata of an unindexed contract is null, and requesting it queues its indexing', async () => {
  const address = newAddress()
  const response = await api.get(`/api/v2/nft/${address}/metadata`)
  expect([response.status, response.headers.get('x-index-status')]).toEqual([200, 'queued'])
  expect(await response.json()).toEqual({
    ...{ token_address: address, name: null, symbol: null, contract_type: null },
    ...{ synced_at: null, possible_spam: false, verified_collection: false },
  })
  const where = [address.slice(2)]
  const rows = await api.db.rows("SELECT status FROM collection WHERE address = decode($1, 'hex')", where)
  expect(rows).toEqual([['queued']])
})

test.each([
  ['0x12/metadata', 400, 'address is "0x12"; allowed: an address: 0x and 40 hex digits'],
  [`${newAddress()}/metadata?chain=nowhere`, 400, 'chain is "nowhere"; allowed: the name or hex id of a chain'],
])('error: metadata of %s gets %i', async (path, status, message) => {
  const response = await api.get(`/api/v2/nft/${path}`)
  expect(response.status).toBe(status)
  expect(((await response.json()) as { message: string }).message).toContain(message)
})
