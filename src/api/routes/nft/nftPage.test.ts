import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../../test/api.ts'
import { addTokens, seedCollection } from '../../../../test/seedCollection.ts'
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
const newAddress = (): Address => `0x${(++addresses).toString(16).padStart(40, 'a')}`
const ids = (count: number) => Array.from({ length: count }, (_, i) => BigInt(i) ** 3n)

type Body = {
  total: number | null
  page: number
  page_size: number
  cursor: string | null
  result: { token_id: string; token_hash: string }[]
  status: string
}

async function page(target: string): Promise<Body> {
  const response = await api.get(target)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  const body = JSON.parse(text) as Body
  nftPageSchema.parse(body)
  return body
}

async function walk(address: Address, query: string): Promise<Body[]> {
  const pages: Body[] = []
  for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1)!.cursor)
    pages.push(await page(`/api/v2/nft/${address}?${pages.length === 0 ? query : `cursor=${cursor}`}`))
  return pages
}

async function rejected(target: string): Promise<{ message: string; details: { parameter: string } }> {
  const response = await api.get(target)
  expect(response.status, target).toBe(400)
  return (await response.json()) as { message: string; details: { parameter: string } }
}

test('default: a page lists tokens by hash, with its fields in the order of the specification', async () => {
  const address = newAddress()
  await seedCollection(api.db, { address, tokens: ids(5) })
  const response = await api.get(`/api/v2/nft/${address}`)
  const body = nftPageSchema.parse(await response.json())
  expect(Object.keys(body)).toEqual(['total', 'page', 'page_size', 'cursor', 'result', 'status'])
  expect(body).toMatchObject({ total: null, page: 0, page_size: 100, cursor: null, status: 'SYNCED' })
  const hashes = ids(5).map((id) => createHash('md5').update(`${address}${id}`).digest('hex'))
  expect(body.result.map((record) => record.token_hash)).toEqual(hashes.sort().reverse())
  expect(Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('x-index')))).toEqual({
    'x-index-status': 'synced',
    'x-index-progress': '1',
    'x-index-from-block': '10',
    'x-index-to-block': '1000',
    'x-index-head-block': '1000',
    'x-index-lag-blocks': '0',
    'x-index-metadata-progress': '0',
    'x-index-head-age': expect.stringMatching(/^\d+$/),
  })
})

test.each([1, 7, 100])(
  'behavior: paging by %i returns each token once, with page numbers and totals',
  async (limit) => {
    const address = newAddress()
    await seedCollection(api.db, { address, tokens: ids(150) })
    const pages = await walk(address, `limit=${limit}&disable_total=false`)
    expect(pages.map((body) => body.page)).toEqual(pages.map((_, i) => i))
    expect(pages.every((body) => body.page_size === limit && body.total === 150)).toBe(true)
    const walked = pages.flatMap((body) => body.result.map((record) => record.token_id))
    expect(walked.map(BigInt).sort((a, b) => (a < b ? -1 : 1))).toEqual(ids(150))
  },
)

test('behavior: the ranges of every split add up to all tokens and to the total', async () => {
  const address = newAddress()
  await seedCollection(api.db, { address, tokens: ids(150) })
  for (let parts = 1; parts <= 16; parts++) {
    const seen: string[] = []
    let total = 0
    for (let range = 0; range < parts; range++) {
      const pages = await walk(address, `limit=9&totalRanges=${parts}&range=${range}&disable_total=false`)
      expect(new Set(pages.map((body) => body.total)).size).toBe(1)
      total += pages[0]!.total!
      seen.push(...pages.flatMap((body) => body.result.map((record) => record.token_id)))
    }
    expect(new Set(seen).size).toBe(150)
    expect([seen.length, total]).toEqual([150, 150])
  }
})

test('behavior: tokens minted while paging cause no repeats or gaps, and the last total equals the tokens returned', async () => {
  const address = newAddress()
  const key = await seedCollection(api.db, { address, tokens: ids(40) })
  const first = await page(`/api/v2/nft/${address}?limit=10&disable_total=false`)
  await addTokens(api.db, { address, ...key, tokens: Array.from({ length: 40 }, (_, i) => 1_000_000_000n + BigInt(i)) })
  const pages = [first]
  while (pages.at(-1)!.cursor) pages.push(await page(`/api/v2/nft/${address}?cursor=${pages.at(-1)!.cursor}`))
  const walked = pages.flatMap((body) => body.result.map((record) => record.token_id))
  expect(new Set(walked).size).toBe(walked.length)
  for (const id of ids(40)) expect(walked).toContain(String(id))
  expect(pages.at(-1)!.total).toBe(walked.length)
  expect(pages.at(-1)!.total).toBeLessThanOrEqual(10 * pages.length)
})

test('behavior: format=hex returns hex ids, on both API versions', async () => {
  const address = newAddress()
  await seedCollection(api.db, { address, tokens: [255n, 2n ** 256n - 1n] })
  for (const base of ['/api/v2', '/api/v2.2']) {
    const body = await page(`${base}/nft/${address.toUpperCase().replace('0X', '0x')}?format=hex&network=x&unknown[]=1`)
    expect(body.result.map((record) => record.token_id).sort()).toEqual(['0xff', `0x${'f'.repeat(64)}`])
  }
})

test('behavior: accepts a chain by name or id, in any case', async () => {
  const address = newAddress()
  await seedCollection(api.db, { address, chainId: 0x7a69n, tokens: [1n] })
  for (const chain of ['local', 'LOCAL', '0x7a69', '0X7A69', '0x0007A69']) {
    expect((await page(`/api/v2/nft/${address}?chain=${chain}`)).result).toHaveLength(1)
  }
  for (const chain of ['eth', '0x1', '0x01', 'ETH', 'bsc+testnet', 'BSC%20Testnet'])
    expect((await page(`/api/v2/nft/${address}?chain=${chain}`)).result).toHaveLength(0)
})

test('error: a rejected parameter is named, with its error and what is allowed', async () => {
  const address = newAddress()
  const faults: [string, string, RegExp][] = [
    [
      'chain',
      'chain=optimism',
      /^chain is "optimism"; allowed: the name or hex id of a chain: eth 0x1, sepolia 0x[^;]+local 0x7a69$/,
    ],
    ['chain', 'chain=1', /^chain is "1"; allowed/],
    ['chain', 'chain=', /^chain is empty; allowed/],
    ['chain', 'chain=goerli', /^chain is goerli, which is known but not configured with a node/],
    ['chain', 'chain=0x13881', /^chain is mumbai, which is known but not configured with a node/],
    ['format', 'format=octal', /^format is "octal"; allowed: decimal or hex$/],
    ['limit', 'limit=0', /^limit is "0"; allowed: a whole number from 1 to 100$/],
    ['limit', 'limit=101', /^limit is "101"/],
    ['limit', 'limit=1&limit=1', /^limit is given more than once; allowed: one value$/],
    ['limit', 'limit[]=1', /^limit is written as the list limit\[\]; allowed: one value/],
    ['totalRanges', 'totalRanges=0&range=0', /^totalRanges is "0"; allowed: a whole number from 1 to 1000$/],
    ['totalRanges', 'totalRanges=1001&range=0', /^totalRanges is "1001"/],
    ['totalRanges', 'range=0', /^totalRanges is missing, as range is given/],
    ['range', 'totalRanges=3', /^range is missing, as totalRanges is given; allowed: a whole number from 0 to 2$/],
    ['range', 'totalRanges=3&range=3', /^range is "3"; allowed: a whole number from 0 to 2, below totalRanges$/],
    ['range', 'totalRanges=3&range=-1', /^range is "-1"; allowed/],
    ['disable_total', 'disable_total=maybe', /^disable_total is "maybe"; allowed: true, false, 1 or 0$/],
    ['normalizeMetadata', 'normalizeMetadata=2', /^normalizeMetadata is "2"/],
    ['media_items', 'media_items=', /^media_items is empty/],
    ['cursor', 'cursor=abc', /^cursor is not a cursor of this server, or was altered/],
  ]
  for (const [parameter, query, message] of faults) {
    const body = await rejected(`/api/v2/nft/${address}?${query}`)
    expect(body.message).toMatch(message)
    expect(body.details.parameter).toBe(parameter)
  }
  expect((await rejected('/api/v2/nft/0x12')).message).toMatch(/^address is "0x12"; allowed: an address/)
  expect((await rejected('/api/v2/nft/0x12?limit=0')).message).toMatch(/^address is .*\. limit is "0"/)
})

test('behavior: with a cursor, filters may be omitted or repeated but not changed', async () => {
  const address = newAddress()
  await seedCollection(api.db, { address, tokens: ids(30) })
  const query =
    'chain=0x1&limit=5&format=hex&totalRanges=2&range=1&disable_total=0&normalizeMetadata=1&media_items=true'
  const { cursor } = await page(`/api/v2/nft/${address}?${query}`)
  const [bare, repeated] = [
    await page(`/api/v2/nft/${address}?cursor=${cursor}`),
    await page(`/api/v2/nft/${address}?cursor=${cursor}&${query}`),
  ]
  expect(repeated).toEqual(bare)
  expect(bare).toMatchObject({ page: 1, page_size: 5 })
  expect(bare.result[0]!.token_id).toMatch(/^0x/)
  const changes: [string, string][] = [
    ['chain', 'polygon'],
    ['limit', '6'],
    ['format', 'decimal'],
    ['totalRanges', '3'],
    ['range', '0'],
    ['disable_total', 'true'],
    ['normalizeMetadata', 'false'],
    ['media_items', '0'],
  ]
  for (const [name, value] of changes) {
    const body = await rejected(`/api/v2/nft/${address}?cursor=${cursor}&${name}=${value}`)
    expect(body.message).toMatch(new RegExp(`^${name} is .* but the cursor was made with .*; allowed with this cursor`))
    expect(body.details.parameter).toBe(name)
  }
  const other = await rejected(`/api/v2/nft/${newAddress()}?cursor=${cursor}`)
  expect(other.message).toMatch(/^cursor belongs to the address/)
  const plain = await page(`/api/v2/nft/${address}?limit=5`)
  const added = await rejected(`/api/v2/nft/${address}?cursor=${plain.cursor}&totalRanges=2&range=0`)
  expect(added.message).toBe(
    'totalRanges is "2", but the cursor was made without it; allowed with this cursor: omitting it',
  )
})

test('behavior: cursors survive a server restart', async () => {
  const address = newAddress()
  await seedCollection(api.db, { address, tokens: ids(30) })
  const { cursor } = await page(`/api/v2/nft/${address}?limit=10`)
  const later = await createTestApi({ db: api.db })
  const response = await later.api.request(
    new Request(`http://localhost/api/v2/nft/${address}?cursor=${cursor}`, { headers: { 'x-api-key': adminKey } }),
  )
  expect(((await response.json()) as Body).page).toBe(1)
  await later.drop()
})
