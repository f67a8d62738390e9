import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../../test/api.ts'
import { rowsRead } from '../../../../test/rowsRead.ts'
import { type SeededBalance, seedBalances } from '../../../../test/seedBalances.ts'
import { addTokens, seedCollection } from '../../../../test/seedCollection.ts'
import { readHolders } from '../../../nft/pages/rows/readHolders.ts'
import { tokenHash } from '../../../nft/transfers/tokenHash.ts'
import type { Address } from '../../../util/hex.ts'
import { nftPageSchema } from '../../nft/schemas.ts'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi({
    config: { chains: { local: { id: '0x7a69', rpc: ['http://127.0.0.1:1'] } }, pageCache: { freshMs: 0 } },
  })
})
afterAll(() => api.drop())

let addresses = 0
const newAddress = (): Address => `0x${(++addresses).toString(16).padStart(40, 'd')}`
const holderOf = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`

type Owner = { token_id: string; token_hash: string; owner_of: string; amount: string }
type Body = { total: number | null; page: number; page_size: number; cursor: string | null; result: Owner[] }

async function page(path: string): Promise<Body> {
  const response = await api.get(`/api/v2/nft/${path}`)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return nftPageSchema.parse(JSON.parse(text)) as Body
}

async function walk(path: string, query: string): Promise<Body[]> {
  const pages = [await page(`${path}?${query}`)]
  for (let cursor = pages[0]!.cursor; cursor !== null; cursor = pages.at(-1)!.cursor)
    pages.push(await page(`${path}?cursor=${cursor}`))
  return pages
}

const shown = (owners: readonly Owner[]) => owners.map((one) => `${one.token_hash} ${one.owner_of} ${one.amount}`)

/** The expected result of a walk: by token hash descending, then by owner. */
function expected(address: Address, balances: readonly SeededBalance[]): string[] {
  const held = balances.filter(({ amount }) => amount > 0n)
  const rows = held.map(({ tokenId, holder, amount }) => [tokenHash(address, String(tokenId)), holder, amount] as const)
  return rows
    .sort((a, b) => (a[0] === b[0] ? (a[1] < b[1] ? -1 : 1) : a[0] < b[0] ? 1 : -1))
    .map((row) => row.join(' '))
}

test('default: owners of an ERC-721 are the records of its token list', async () => {
  const address = newAddress()
  await seedCollection(api.db, { address, tokens: [1n, 2n, 3n, 4n, 5n] })
  const list = await page(address)
  expect(list.result).toHaveLength(5)
  expect(await page(`${address}/owners`)).toEqual(list)
  const [first] = list.result
  expect((await page(`${address}/${first!.token_id}/owners`)).result).toEqual([first])
  const pages = await walk(`${address}/owners`, 'limit=2&disable_total=false')
  expect(pages.map(({ total, page_size, result }) => [total, page_size, result.length])).toEqual([
    [5, 2, 2],
    [5, 2, 2],
    [5, 2, 1],
  ])
  expect(pages.flatMap(({ result }) => result)).toEqual(list.result)
  // A burned token has no owner.
  await api.db.run('UPDATE token SET amount = 0, owner = NULL, holders = 0 WHERE token_hash = $1', [first!.token_hash])
  await api.db.run("UPDATE collection SET version = version + 1 WHERE address = decode($1, 'hex')", [address.slice(2)])
  expect((await page(`${address}/${first!.token_id}/owners`)).result).toEqual([])
  expect((await page(`${address}/owners`)).result).toEqual(list.result.slice(1))
})

test('behavior: owners of an ERC-1155 list each holder of each token once, with its amount', async () => {
  const balances = fc.uniqueArray(
    fc.record({
      tokenId: fc.bigInt(0n, 6n),
      holder: fc.integer({ min: 1, max: 9 }),
      amount: fc.bigInt(2n, 2n ** 200n),
    }),
    { selector: ({ tokenId, holder }) => `${tokenId} ${holder}`, minLength: 1, maxLength: 40 },
  )
  await fc.assert(
    fc.asyncProperty(balances, fc.integer({ min: 1, max: 12 }), async (some, limit) => {
      const address = newAddress()
      const all = some.map((one) => ({ ...one, holder: holderOf(one.holder) }))
      // Non-standard contracts leave balances below zero; the token is listed while its sum is above zero.
      all.push(
        { tokenId: all[0]!.tokenId, holder: holderOf(10), amount: -1n },
        { tokenId: 7n, holder: holderOf(1), amount: 2n },
      )
      await seedBalances(api.db, address, all)
      const pages = await walk(`${address}/owners`, `limit=${limit}&disable_total=false`)
      const owners = expected(address, all)
      expect(pages.flatMap(({ result }) => shown(result))).toEqual(owners)
      expect(pages.map(({ total }) => total)).toEqual(pages.map(() => owners.length))
      expect(pages.slice(0, -1).every(({ result }) => result.length === limit)).toBe(true)
      const { tokenId } = all[0]!
      const ofOne = await walk(`${address}/0x${tokenId.toString(16)}/owners`, `limit=${limit}&disable_total=false`)
      const own = owners.filter((row) => row.startsWith(tokenHash(address, String(tokenId))))
      expect(ofOne.flatMap(({ result }) => shown(result))).toEqual(own)
      expect(ofOne.at(-1)!.total).toBe(own.length)
    }),
    { numRuns: 25 },
  )
})

test('behavior: owner records have the same format as token records', async () => {
  const address = newAddress()
  await seedBalances(api.db, address, [
    { tokenId: 300n, holder: holderOf(1), amount: 2n },
    { tokenId: 300n, holder: holderOf(2), amount: 3n },
  ])
  const query = 'format=hex&normalizeMetadata=true&media_items=true'
  const token = (await (await api.get(`/api/v2/nft/${address}/300?${query}`)).json()) as Owner
  expect(token).toMatchObject({ token_id: '0x12c', owner_of: null, amount: '5' })
  expect((await page(`${address}/owners?${query}`)).result).toEqual([
    { ...token, owner_of: holderOf(1), amount: '2' },
    { ...token, owner_of: holderOf(2), amount: '3' },
  ])
})

test('behavior: tokens that change owner while paging are neither repeated nor hide other tokens', async () => {
  const address = newAddress()
  const key = await seedCollection(api.db, { address, tokens: Array.from({ length: 30 }, (_, i) => BigInt(i)) })
  const before = (await page(`${address}/owners`)).result.map(({ token_hash }) => token_hash)
  const walked: Owner[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const next: Body = await page(`${address}/owners?limit=7${cursor && `&cursor=${cursor}`}`)
    walked.push(...next.result)
    cursor = next.cursor
    // The last returned token moves to the last of all addresses, and another one is minted.
    await api.db.run('UPDATE token SET owner = $2 WHERE token_hash = $1', [
      next.result.at(-1)!.token_hash,
      Buffer.alloc(20, 0xff),
    ])
    await addTokens(api.db, { address, ...key, tokens: [1_000n + BigInt(walked.length)] })
    await api.db.run('UPDATE collection SET version = version + 1 WHERE id = $1', [key.id])
  }
  const hashes = walked.map(({ token_hash }) => token_hash)
  expect(hashes).toEqual([...new Set(hashes)].sort().reverse())
  expect(before.filter((hash) => !hashes.includes(hash))).toEqual([])
})

test('behavior: an owners page costs the same at any position, for many holders and for many tokens', async () => {
  const [many, wide] = [newAddress(), newAddress()]
  const ofOne = await seedBalances(api.db, many, [{ tokenId: 1n, holder: holderOf(0), amount: 1n }])
  await api.db.run(
    `INSERT INTO balance SELECT partition, collection_id, token_hash, decode(lpad(to_hex(n), 40, '0'), 'hex'), 1
     FROM token, generate_series(1, 20000) n WHERE collection_id = $1`,
    [ofOne.id],
  )
  await api.db.run('UPDATE token SET amount = 20001, holders = 20001, owner = NULL WHERE collection_id = $1', [
    ofOne.id,
  ])
  const tokens = Array.from({ length: 3_000 }, (_, i) => BigInt(i))
  const ofMany = await seedBalances(
    api.db,
    wide,
    tokens.flatMap((tokenId) => [1, 2].map((n) => ({ tokenId, holder: holderOf(n), amount: 1n }))),
  )
  await api.db.transaction((tx) => tx.script('ANALYZE token; ANALYZE balance'))
  const middle = { hash: tokenHash(many, '1'), holder: holderOf(10_000) }
  const state = { standard: 'ERC1155' } as Parameters<typeof readHolders>[1]['state']
  for (const requested of [
    { state: { ...state, ...ofOne }, token: null, after: middle },
    { state: { ...state, ...ofOne }, token: middle.hash, after: middle },
    { state: { ...state, ...ofMany }, token: null, after: { hash: '8'.repeat(32), holder: holderOf(1) } },
  ])
    await api.db.transaction(async (tx) => {
      let found = 0
      const read = async () => {
        found = (await readHolders(tx.fresh, { ...requested, limit: 101 })).holders.length
      }
      expect(await rowsRead(tx, 'balance', read)).toBeLessThan(1_000)
      expect(await rowsRead(tx, 'token', read)).toBeLessThan(1_000)
      expect(found).toBe(101)
    })
})

test('error: rejects an owners cursor with other parameters, or on another route', async () => {
  const address = newAddress()
  await seedCollection(api.db, { address, tokens: [1n, 2n, 3n] })
  const { cursor } = await page(`${address}/owners?limit=1`)
  const { cursor: ofList } = await page(`${address}?limit=1`)
  for (const [path, parameter] of [
    [`${address}/owners?limit=2&cursor=${cursor}`, 'limit'],
    [`${address}/owners?format=hex&cursor=${cursor}`, 'format'],
    [`${address}/owners?chain=local&cursor=${cursor}`, 'chain'],
    [`${address}/1/owners?cursor=${cursor}`, 'cursor'],
    [`${newAddress()}/owners?cursor=${cursor}`, 'cursor'],
    [`${address}/owners?cursor=${ofList}`, 'cursor'],
    [`${address}?cursor=${cursor}`, 'cursor'],
    [`${address}/owners?cursor=${cursor!.slice(0, -3)}`, 'cursor'],
    [`${address}/owners?limit=101`, 'limit'],
    [`${address}/-1/owners`, 'token_id'],
    ['0x12/owners', 'address'],
  ]) {
    const response = await api.get(`/api/v2/nft/${path}`)
    expect([path, response.status]).toEqual([path, 400])
    expect(await response.json()).toMatchObject({ details: { parameter } })
  }
})

test('behavior: owners of an unindexed contract are empty and start its indexing, and an address without code gets 404', async () => {
  const address = newAddress()
  const response = await api.get(`/api/v2/nft/${address}/5/owners?disable_total=false`)
  expect([response.status, response.headers.get('x-index-status')]).toEqual([200, 'queued'])
  expect(await response.json()).toEqual({
    ...{ total: 0, page: 0, page_size: 100, cursor: null, result: [], status: 'SYNCING' },
  })
  const empty = newAddress()
  await seedCollection(api.db, {
    address: empty,
    columns: { status: 'nocode', standard: null, checked_at: new Date() },
  })
  expect((await api.get(`/api/v2/nft/${empty}/owners`)).status).toBe(404)
})

test('behavior: an owners page is a 304 until the collection changes', async () => {
  const address = newAddress()
  const { id } = await seedCollection(api.db, { address, tokens: [1n] })
  const path = `/api/v2/nft/${address}/owners`
  const etag = (await api.get(path)).headers.get('etag')!
  const again = () => api.get(path, { 'if-none-match': etag })
  expect((await again()).status).toBe(304)
  await api.db.run('UPDATE collection SET version = version + 1 WHERE id = $1', [id])
  expect((await again()).status).toBe(200)
})

test('behavior: 300 malformed owner and stats requests never cause a 500', async () => {
  const address = newAddress()
  await seedBalances(
    api.db,
    address,
    [1, 2, 3].map((n) => ({ tokenId: 1n, holder: holderOf(n), amount: 1n })),
  )
  const { cursor } = await page(`${address}/owners?limit=1`)
  const values = fc.oneof(
    fc.constantFrom('', '0', '1', '100', 'true', 'eth', 'hex', '-1', '%00', '%', 'a,b', cursor!, '9'.repeat(40)),
    fc.nat({ max: 300 }).map((at) => `${cursor!.slice(0, at)}A${cursor!.slice(at + 1)}`),
    fc.string().map((text) => encodeURIComponent(text.toWellFormed())),
  )
  const names = fc.constantFrom(
    'chain',
    'format',
    'limit',
    'cursor',
    'disable_total',
    'media_items',
    '__proto__',
    'limit[]',
  )
  const paths = fc.constantFrom('owners', '1/owners', '0x1/owners', '%00/owners', 'stats', '1/stats', '-/stats')
  await fc.assert(
    fc.asyncProperty(paths, fc.array(fc.tuple(names, values), { maxLength: 4 }), async (path, pairs) => {
      const search = pairs.map(([name, value]) => `${name}=${value}`).join('&')
      const response = await api.get(`/api/v2/nft/${address}/${path}?${search}`)
      expect([200, 400, 404], await response.text()).toContain(response.status)
    }),
    { numRuns: 300 },
  )
})
