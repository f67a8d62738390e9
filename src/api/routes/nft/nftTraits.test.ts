import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../../test/api.ts'
import { type Seeded, seed } from '../../../../test/metadataPages.ts'
import { createRandom, freshSeed } from '../../../../test/random.ts'
import { burn, countTraits, type Documents, randomAttributes, read, traitName } from '../../../../test/traitMetadata.ts'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi({ config: { pageCache: { freshMs: 0 } } })
})
afterAll(() => api?.drop())

type Trait = { trait_type: string | null; value: string | number | boolean; count: number; percentage: number }
type Body = { total: number | null; page: number; cursor: string | null; result: Trait[]; status: string }

async function page(address: string, query: Record<string, string> = {}): Promise<Body> {
  const response = await api.get(`/api/v2/nft/${address}/traits?${new URLSearchParams(query)}`)
  expect(response.status).toBe(200)
  return (await response.json()) as Body
}

async function walk(address: string, query: Record<string, string> = {}): Promise<Trait[]> {
  const found: Trait[] = []
  for (let body = await page(address, query), n = 0; ; n++) {
    expect(body.page).toBe(n)
    found.push(...body.result)
    if (body.cursor === null) return found
    body = await page(address, { cursor: body.cursor })
  }
}

const idsUpTo = (count: number) => Array.from({ length: count }, (_, i) => BigInt(i))
const hats = (...values: (string | number)[]) => values.map((value) => ({ trait_type: 'Hat', value }))

test('default: lists every trait value by type and value, with its token count and percentage', async () => {
  const collection = await seed(api, idsUpTo(4))
  const documents: Documents = new Map()
  const changes = new Map([
    [0n, [...hats('Red', 'Red', 'Blue'), { value: 'alone' }, { trait_type: 'Nothing' }]],
    [1n, [...hats('Red'), { trait_type: 'Level', value: 5 }]],
    [2n, []],
  ])
  await read(api, collection, documents, changes)
  expect(await page(collection.address)).toEqual({
    total: null,
    page: 0,
    page_size: 100,
    cursor: null,
    result: [
      { trait_type: null, value: 'alone', count: 1, percentage: 33.333333 },
      { trait_type: 'Hat', value: 'Blue', count: 1, percentage: 33.333333 },
      { trait_type: 'Hat', value: 'Red', count: 2, percentage: 66.666667 },
      { trait_type: 'Level', value: 5, count: 1, percentage: 33.333333 },
    ],
    status: 'SYNCED',
  })
  const response = await api.get(`/api/v2.2/nft/${collection.address}/traits`)
  const etag = response.headers.get('etag')!
  expect(response.headers.get('x-index-status')).toBe('synced')
  const again = () => api.get(`/api/v2.2/nft/${collection.address}/traits`, { 'if-none-match': etag })
  expect((await again()).status).toBe(304)
  await read(api, collection, documents, new Map([[3n, []]]))
  expect((await again()).status).toBe(200)
  expect((await page(collection.address)).result[2]).toMatchObject({ count: 2, percentage: 50 })
})

async function expectRecount(collection: Seeded, documents: Documents): Promise<void> {
  const listed = await walk(collection.address, { limit: '7' })
  expect(new Map(listed.map((trait) => [traitName(trait), trait.count]))).toEqual(countTraits(documents))
  for (const { count, percentage } of listed) expect(percentage).toBeCloseTo((100 * count) / documents.size, 5)
  const order = listed.map(({ trait_type, value }) => [trait_type ?? '', JSON.stringify(value)] as const)
  const sorted = order.map(
    ([type, value]) => [Buffer.from(type.slice(0, 100)), Buffer.from(value.slice(0, 100))] as const,
  )
  for (let i = 1; i < sorted.length; i++) {
    const [before, here] = [sorted[i - 1]!, sorted[i]!]
    expect(Buffer.compare(before[0], here[0]) || Buffer.compare(before[1], here[1])).toBeLessThanOrEqual(0)
  }
  const [[counted, rows] = []] = await api.db.rows(
    `SELECT c.metadata_documents, (SELECT count(*) FROM token_trait x JOIN token_metadata m USING (partition, collection_id, token_hash)
       WHERE partition = c.partition AND collection_id = c.id AND x.trait = ANY(m.traits)) FROM collection c WHERE c.partition = $1 AND c.id = $2`,
    [collection.partition, collection.id],
  )
  expect(counted).toBe(BigInt(documents.size))
  const kept = [...documents.values()].reduce(
    (sum, each) => sum + Math.max(1, countTraits(new Map([[0n, each]])).size),
    0,
  )
  expect(rows).toBe(BigInt(kept))
  expect(await api.db.rows('SELECT count(*) FROM token_trait WHERE collection_id = $1', [collection.id])).toEqual([
    [rows],
  ])
}

test('behavior: trait counts equal a recount after metadata is read again and tokens are burned', async () => {
  const random = createRandom(freshSeed())
  const collection = await seed(api, idsUpTo(60))
  const documents: Documents = new Map()
  const burned = new Set<bigint>()
  for (let round = 0; round < 6; round++) {
    const remaining = [...idsUpTo(60)].filter((id) => !burned.has(id))
    const changes = new Map(
      remaining.filter(() => random.chance(0.4)).map((id) => [id, randomAttributes(random)] as const),
    )
    await read(api, collection, documents, changes)
    const removed = remaining.filter(() => random.chance(0.05))
    for (const id of removed) burned.add(id)
    await burn(api, collection, documents, removed)
    await expectRecount(collection, documents).catch((error: Error) => {
      error.message += `\nSEED=${random.seed}`
      throw error
    })
  }
})

test('behavior: paging through traits neither repeats nor skips constant ones while others change', async () => {
  const collection = await seed(api, idsUpTo(40))
  const documents: Documents = new Map()
  const constant = new Map(idsUpTo(20).map((id) => [id, hats(`v${id}`)] as const))
  await read(api, collection, documents, constant)
  const found: Trait[] = []
  for (let body = await page(collection.address, { limit: '3', disable_total: 'false' }), n = 0; ; n++) {
    found.push(...body.result)
    if (body.cursor === null) {
      expect(body.total).toBe(found.length)
      break
    }
    expect(body.total).toBeGreaterThan(found.length)
    await read(api, collection, documents, new Map([[BigInt(20 + n), hats(`u${n}`, `v0${n}`, `w${n}`)]]))
    body = await page(collection.address, { cursor: body.cursor })
  }
  const values = found.map(({ value }) => value)
  expect(new Set(values).size).toBe(values.length)
  for (const attributes of constant.values()) expect(values).toContain(attributes[0]!.value)
})

test('behavior: metadata with a thousand long traits is listed in pages', async () => {
  const collection = await seed(api, [1n])
  const attributes = Array.from({ length: 1_100 }, (_, i) => ({
    trait_type: i === 0 ? 'T"'.repeat(2_000) : 'T',
    value: `${'\\'.repeat(300)}${i}`,
  }))
  await read(api, collection, new Map(), new Map([[1n, attributes]]))
  const listed = await walk(collection.address)
  expect(listed).toHaveLength(1_000)
  expect(new Set(listed.map(({ value }) => value)).size).toBe(1_000)
  expect(Math.max(...listed.map(({ trait_type }) => trait_type!.length))).toBe(2_000)
})

test('default: requesting the traits of an unknown contract queues its indexing and returns none', async () => {
  const address = `0x${'7e'.repeat(20)}`
  expect(await page(address)).toMatchObject({ result: [], cursor: null, status: 'SYNCING' })
  expect(
    await api.db.rows('SELECT status FROM collection WHERE address = $1', [Buffer.from('7e'.repeat(20), 'hex')]),
  ).toEqual([['queued']])
})

test('error: rejects a cursor of another contract, limit or operation', async () => {
  const [a, b] = [await seed(api, [1n, 2n]), await seed(api, [1n])]
  await read(api, a, new Map(), new Map([[1n, hats('Red', 'Blue')]]))
  const { cursor } = await page(a.address, { limit: '1' })
  const rejected = async (path: string) => {
    const response = await api.get(path)
    expect(response.status).toBe(400)
    return ((await response.json()) as { message: string }).message
  }
  expect(await rejected(`/api/v2/nft/${b.address}/traits?cursor=${cursor}`)).toContain('cursor belongs to the address')
  expect(await rejected(`/api/v2/nft/${a.address}/traits?cursor=${cursor}&limit=2`)).toContain(
    'limit is "2", but the cursor was made with 1',
  )
  expect(await rejected(`/api/v2/nft/${a.address}?cursor=${cursor}`)).toContain('belongs to another operation')
  expect(await page(a.address, { cursor: cursor!, chain: 'eth', limit: '1' })).toMatchObject({ page: 1 })
})
