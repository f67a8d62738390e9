import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../../test/api.ts'
import { fillWallets } from '../../../../test/fillWallets.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { tokenHash } from '../../../nft/transfers/tokenHash.ts'
import type { Address } from '../../../util/hex.ts'

const wallet: Address = `0x${'77'.repeat(20)}`
const key = Buffer.from(wallet.slice(2), 'hex')
const [tiles, spam, items]: Address[] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`, `0x${'c3'.repeat(20)}`]
const base = `/api/v2/${wallet}/nft`

let api: TestApi
beforeAll(async () => {
  api = await createTestApi({
    config: { demand: { maxQueuedPerKey: 3, maxQueued: 10 }, pageCache: { freshMs: 0 } },
  })
  const { db } = api
  const ids = Array.from({ length: 12 }, (_, i) => BigInt(i))
  for (const [address, tokens, columns] of [
    [tiles!, ids, { name: 'Tiles' }],
    [spam!, ids.slice(0, 5), { possible_spam: true }],
    [items!, [255n], { standard: 'ERC1155' }],
  ] as const)
    await seedCollection(db, { address, tokens, columns })
  await db.run(`UPDATE token SET owner = $1 WHERE token_id <> 11`, [key])
  // The wallet has 5 of the 12 units of this token.
  await db.run(`UPDATE token SET owner = NULL, amount = 12, holders = 2 WHERE token_id = 255`)
  await db.run(
    `INSERT INTO balance SELECT partition, collection_id, token_hash, h.holder, h.amount
     FROM token, (VALUES ($1::bytea, 5), ('\\x${'88'.repeat(20)}', 7)) AS h (holder, amount) WHERE token_id = 255`,
    [key],
  )
  await fillWallets(db)
})
afterAll(() => api.drop())

type Body = {
  total: number | null
  page: number
  page_size: number
  cursor: string | null
  result: { token_address: Address; token_id: string; owner_of: string; amount: string; count?: number }[]
  status: string
}

async function request(target: string, headers: Record<string, string> = {}) {
  const response = await api.get(target, headers)
  const text = await response.text()
  const body = JSON.parse(text || 'null') as Body & { message: string }
  return { status: response.status, headers: response.headers, body, text }
}

const namesOf = ({ result }: Body) => result.map(({ token_address, token_id }) => `${token_address} ${token_id}`)

async function walk(query: string) {
  const pages: Body[] = []
  for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1)!.cursor) {
    const { status, body, text } = await request(`${base}?${query}${cursor && `&cursor=${cursor}`}`)
    expect(status, text).toBe(200)
    pages.push(body)
  }
  return pages
}

const inOrder = (address: Address, ids: readonly number[]) =>
  ids
    .toSorted((a, b) => (tokenHash(address, String(a)) < tokenHash(address, String(b)) ? 1 : -1))
    .map((id) => `${address} ${id}`)
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)
const whole = () => [`${items} 255`, ...inOrder(spam!, upTo(5)), ...inOrder(tiles!, upTo(11))]

test('default: lists all tokens of a wallet with its amounts, by collection and token hash', async () => {
  const { status, headers, body } = await request(base)
  expect(status).toBe(200)
  expect(body).toMatchObject({ total: null, page: 0, page_size: 100, cursor: null, status: 'SYNCED' })
  expect(namesOf(body)).toEqual(whole())
  expect(body.result.every(({ owner_of }) => owner_of === wallet)).toBe(true)
  expect(body.result.map(({ amount }) => amount)).toEqual(['5', ...Array(16).fill('1')])
  const reported = ['status', 'collections', 'to-block', 'head-block', 'lag-blocks'].map((name) =>
    headers.get(`x-index-${name}`),
  )
  expect(reported).toEqual(['synced', '3', '1000', '1000', '0'])
  const one = await request(`/api/v2/nft/${tiles}/7?normalizeMetadata=true&media_items=true&format=hex`)
  const { body: hex } = await request(`${base}?normalizeMetadata=true&media_items=true&format=hex`)
  expect(hex.result.find(({ token_address, token_id }) => token_address === tiles && token_id === '0x7')).toEqual(
    one.body,
  )
  const { body: alias } = await request(
    base.replace('/v2/', '/v2.2/').replace(wallet, wallet.toUpperCase().replace('X', 'x')),
  )
  expect(alias).toEqual(body)
})

test('behavior: pages of any size return all tokens, with totals on request', async () => {
  for (const limit of [1, 4, 17, 100]) {
    const pages = await walk(`limit=${limit}`)
    expect(pages.flatMap(namesOf)).toEqual(whole())
    expect(pages.map(({ page }) => page)).toEqual(upTo(pages.length))
    expect(pages.every(({ total, page_size }) => total === null && page_size === limit)).toBe(true)
    const counted = await walk(`limit=${limit}&disable_total=false`)
    expect(counted.every(({ total }) => total === 17)).toBe(true)
  }
})

test('behavior: a wallet list can exclude spam and select contracts, in every list syntax', async () => {
  const clean = [`${items} 255`, ...inOrder(tiles!, upTo(11))]
  for (const limit of [3, 100])
    expect((await walk(`exclude_spam=true&limit=${limit}&disable_total=false`)).flatMap(namesOf)).toEqual(clean)
  const nobody = `0x${'12'.repeat(20)}`
  await seedCollection(api.db, {
    address: nobody as Address,
    columns: { status: 'nocode', checked_at: new Date(), from_block: null, standard: null },
  })
  for (const named of [
    `token_addresses[0]=${tiles}&token_addresses[1]=${items}`,
    `token_addresses[]=${items}&token_addresses[]=${tiles}&token_addresses[]=${tiles}`,
    `token_addresses=${tiles}&token_addresses=${items}`,
    `token_addresses=${tiles},${items!.toUpperCase().replace('X', 'x')}&exclude_spam=1`,
    `token_addresses=${tiles},${items},${nobody}`,
  ]) {
    const pages = await walk(`${named}&limit=5&disable_total=false`)
    expect(pages.flatMap(namesOf)).toEqual(clean)
    expect(pages.at(-1)!.total).toBe(12)
  }
  const { body, headers } = await request(`${base}?token_addresses=${spam}&exclude_spam=true`)
  expect([body.result, body.status]).toEqual([[], 'SYNCED'])
  expect(headers.get('x-index-collections')).toBe('1')
})

test('behavior: a cursor continues with the filters of its first page, and rejects others', async () => {
  const { body } = await request(`${base}?limit=2&token_addresses=${tiles}&format=hex`)
  const next = `${base}?cursor=${body.cursor}`
  const second = await request(next)
  expect(second.body).toMatchObject({ page: 1, page_size: 2 })
  expect(
    second.body.result.every(({ token_address, token_id }) => token_address === tiles && /^0x/.test(token_id)),
  ).toBe(true)
  expect((await request(`${next}&limit=2&chain=0x1&token_addresses[]=${tiles}`)).body).toEqual(second.body)
  for (const other of ['limit=3', 'exclude_spam=true', `token_addresses=${items}`, 'chain=polygon', 'format=decimal'])
    expect(await request(`${next}&${other}`)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/differs from the call|but the cursor was made with/) },
    })
  expect((await request(`/api/v2/0x${'78'.repeat(20)}/nft?cursor=${body.cursor}`)).status).toBe(400)
  expect((await request(`${base}/collections?cursor=${body.cursor}`)).body.message).toContain('another operation')
})

test('behavior: requested contracts that are not indexed are queued, within the limits of the key', async () => {
  const fresh = ['d1', 'd2', 'd3', 'd4'].map((digits): Address => `0x${digits.repeat(20)}`)
  const { status, body, headers } = await request(`${base}?token_addresses=${tiles},${fresh[0]}`)
  expect([status, body.status, body.result.length]).toEqual([200, 'SYNCING', 11])
  expect(['status', 'collections', 'to-block'].map((name) => headers.get(`x-index-${name}`))).toEqual([
    'queued',
    '1',
    '1000',
  ])
  // Responses over all collections also wait for the new collection.
  expect((await request(base)).body.status).toBe('SYNCING')
  const rejected = await request(`${base}?token_addresses=${fresh.join()}`)
  expect(rejected).toMatchObject({
    status: 429,
    body: { message: expect.stringContaining('already has 3 collections') },
  })
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
  const queued = await api.db.rows(
    "SELECT '0x' || encode(address, 'hex') FROM collection WHERE status = 'queued' ORDER BY address",
  )
  expect(queued.flat()).toEqual(fresh.slice(0, 3))
  await api.db.run("DELETE FROM collection WHERE status = 'queued'")
})

test('behavior: a wallet response reports only the blocks that the wallet tables cover', async () => {
  const { db } = api
  const places = [base, `${base}?token_addresses=${tiles}`, `${base}/collections`]
  await db.run(
    `INSERT INTO wallet_due (partition, collection_id, chain_id, at_head, from_position, to_position, transfers)
     SELECT partition, id, 1, true, 990::int8 << 20, 990::int8 << 20, 1 FROM collection WHERE address = $1`,
    [Buffer.from(tiles!.slice(2), 'hex')],
  )
  const reported = async (target: string) => {
    const { body, headers } = await request(target)
    return [
      body.status,
      headers.get('x-index-status'),
      headers.get('x-index-to-block'),
      headers.get('x-index-lag-blocks'),
    ]
  }
  for (const place of places) expect(await reported(place)).toEqual(['SYNCING', 'syncing', '989', '11'])
  expect(await reported(`${base}?token_addresses=${items}`)).toEqual(['SYNCED', 'synced', '1000', '0'])
  await db.run('DELETE FROM wallet_due')
  for (const place of places) expect(await reported(place)).toEqual(['SYNCED', 'synced', '1000', '0'])
})

test('behavior: a wallet page is a 304 until its data changes', async () => {
  const { db } = api
  for (const target of [base, `${base}/collections?token_counts=true`]) {
    const first = await request(target)
    const etag = first.headers.get('etag')!
    const again = await request(target, { 'if-none-match': etag })
    expect([again.status, again.text, again.headers.get('x-index-collections')]).toEqual([304, '', '3'])
    await db.run(`UPDATE collection SET name = name || '!', version = version + 1 WHERE address = $1`, [
      Buffer.from(tiles!.slice(2), 'hex'),
    ])
    const changed = await request(target, { 'if-none-match': etag })
    expect([changed.status, changed.text === first.text]).toEqual([200, false])
  }
  const counted = `${base}?limit=1&disable_total=false`
  const { body, headers } = await request(counted)
  await db.run('UPDATE wallet_collection SET tokens = tokens + 1 WHERE wallet = $1', [key])
  const more = await request(counted, { 'if-none-match': headers.get('etag')! })
  await db.run('UPDATE wallet_collection SET tokens = tokens - 1 WHERE wallet = $1', [key])
  expect([body.total, more.body?.total]).toEqual([17, 20])
})

test('behavior: a burned or transferred token stays in the wallet until the wallet tables update, and paging stays complete', async () => {
  const { db } = api
  const [sent, lost] = inOrder(tiles!, upTo(11)).map((name) => name.split(' ')[1]!)
  const ofCollection = '(SELECT id FROM collection WHERE address = $2)'
  const change = (set: string, id: string, contract = tiles!) =>
    db.run(`UPDATE token SET ${set} WHERE token_id = $1 AND collection_id = ${ofCollection}`, [
      id,
      Buffer.from(contract.slice(2), 'hex'),
    ])
  await change('amount = 0, owner = NULL', sent!)
  await change(`owner = '\\x${'99'.repeat(20)}'`, lost!)
  await change('amount = 0', '255', items)
  const pages = await walk('limit=3&disable_total=false')
  expect(pages.flatMap(namesOf)).toEqual(whole().slice(1))
  expect(pages.map(({ result }) => result.length)).toEqual([2, 3, 3, 3, 3, 2])
  expect(pages.at(-1)!.total).toBe(16)
  const shown = pages.flatMap(({ result }) => result).filter(({ token_address }) => token_address === tiles)
  expect(shown.every(({ owner_of, amount }) => owner_of === wallet && amount === '1')).toBe(true)
  await change(`amount = 1, owner = '\\x${'77'.repeat(20)}'`, sent!)
  await change(`owner = '\\x${'77'.repeat(20)}'`, lost!)
  await change('amount = 12', '255', items)
})

test('default: lists the collections of a wallet, with counts on request and optionally without spam', async () => {
  const addressesOf = ({ result }: Body) => result.map(({ token_address }) => token_address)
  const { status, body } = await request(`${base}/collections`)
  expect(status).toBe(200)
  expect(addressesOf(body)).toEqual([items, spam, tiles])
  expect(Object.keys(body.result[0]!)).toEqual([
    ...['token_address', 'contract_type', 'name', 'symbol', 'possible_spam', 'verified_collection'],
  ])
  const counted = await request(`${base}/collections?token_counts=true&disable_total=false`)
  expect(counted.body.result.map(({ count }) => count)).toEqual([1, 5, 11])
  expect(counted.body.total).toBe(3)
  expect(addressesOf((await request(`${base}/collections?exclude_spam=true`)).body)).toEqual([items, tiles])
  const pages: Body[] = []
  for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1)!.cursor)
    pages.push((await request(`${base}/collections?limit=1&disable_total=false&cursor=${cursor}`)).body)
  expect(pages.flatMap(addressesOf)).toEqual([items, spam, tiles])
  expect(pages.map(({ total }) => total)).toEqual([3, 3, 3])
})

test('default: a wallet without known transfers has no tokens', async () => {
  for (const path of ['nft', 'nft/collections']) {
    const { status, body } = await request(`/api/v2/0x${'79'.repeat(20)}/${path}`)
    expect([status, body.result, body.cursor]).toEqual([200, [], null])
  }
  const { body, headers } = await request(`${base}?chain=polygon`)
  expect([body.result, body.status, headers.get('x-index-collections'), headers.get('x-index-to-block')]).toEqual([
    ...[[], 'SYNCED', '0', null],
  ])
})

test.each([
  ['zero address, which holds nothing', `/api/v2/0x${'0'.repeat(40)}/nft`],
  ['zero address, which holds nothing and has a part', `/api/v2/0x${'0'.repeat(40)}/nft/collections`],
  ['zero address, which holds nothing', `/api/v2/0x${'0'.repeat(40)}/nft/transfers`],
  ['from_block is "x"; allowed: a whole number', `${base}/transfers?from_block=x`],
  ['wallet is "0x12"; allowed: an address', '/api/v2/0x12/nft'],
  ['limit is "0"; allowed: a whole number from 1 to 100', `${base}?limit=0`],
  ['exclude_spam is "maybe"; allowed: true, false, 1 or 0', `${base}?exclude_spam=maybe`],
  ['token_addresses is "0x12"; allowed: an address: 0x and 40 hex digits', `${base}?token_addresses=0x12`],
  [
    'token_addresses has too many; allowed: at most 100 addresses',
    `${base}?token_addresses=${Array(101)
      .fill(`0x${'12'.repeat(20)}`)
      .join()}`,
  ],
  ['chain is "nowhere"', `${base}?chain=nowhere`],
  ['cursor is not a cursor of this server', `${base}?cursor=abc`],
  ['token_counts is "5"; allowed: true, false, 1 or 0', `${base}/collections?token_counts=5`],
])('error: %s', async (message, target) => {
  const { status, body } = await request(target)
  expect([status, body.message]).toEqual([400, expect.stringContaining(message)])
})

test('behavior: a hundred contracts fit in one request together with their cursor', async () => {
  const many = Array.from({ length: 100 }, (_, i): Address => `0x${(i + 1).toString(16).padStart(40, 'e')}`)
  for (const address of many) await seedCollection(api.db, { address, tokens: [1n] })
  await api.db.run(`UPDATE token SET owner = $1 WHERE token_id = 1`, [key])
  await fillWallets(api.db)
  const named = many.map((address, i) => `token_addresses[${i}]=${address}`).join('&')
  const { body } = await request(`${base}?limit=60&${named}`)
  const second = await request(`${base}?limit=60&${named}&cursor=${body.cursor}`)
  expect([...namesOf(body), ...namesOf(second.body)]).toEqual(many.toReversed().map((address) => `${address} 1`))
})
