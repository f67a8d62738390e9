import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../../test/api.ts'
import { type Seeded, seed } from '../../../../test/metadataPages.ts'
import { createRandom, freshSeed, type Random } from '../../../../test/random.ts'
import {
  type Attribute,
  burn,
  type Documents,
  matches,
  randomAttributes,
  randomFilter,
  read,
  writeTrait,
} from '../../../../test/traitMetadata.ts'
import { tokenHash } from '../../../nft/transfers/tokenHash.ts'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi({ config: { pageCache: { freshMs: 0 } } })
})
afterAll(() => api?.drop())

type Body = {
  total: number | null
  cursor: string | null
  result: { token_id: string; token_hash: string; normalized_metadata: { attributes: Attribute[] } | null }[]
}

async function page(address: string, query: [name: string, value: string][]): Promise<Body> {
  const response = await api.get(`/api/v2/nft/${address}?${new URLSearchParams(query)}`)
  expect(response.status, await response.clone().text()).toBe(200)
  return (await response.json()) as Body
}

async function walk(address: string, query: [name: string, value: string][]) {
  const totals: (number | null)[] = []
  const records: Body['result'] = []
  for (let body = await page(address, query); ; ) {
    totals.push(body.total)
    records.push(...body.result)
    if (body.cursor === null) return { totals, records }
    body = await page(address, [['cursor', body.cursor]])
  }
}

const idsUpTo = (count: number) => Array.from({ length: count }, (_, i) => BigInt(i))

/** Returns the matching tokens of a part of the collection in page order, by a search in all metadata. */
function naive(
  { address }: Seeded,
  metadata: Documents,
  filter: readonly Attribute[],
  { parts, part }: { parts: number; part: number },
): string[] {
  const tokens = [...metadata].filter(([, attributes]) => matches(attributes, filter))
  return tokens
    .map(([id]) => ({ id: String(id), hash: tokenHash(address, String(id)) }))
    .filter(({ hash }) => Math.floor(Number(BigInt(`0x${hash}`) >> 108n) / (2 ** 20 / parts)) === part)
    .sort((a, b) => (a.hash < b.hash ? 1 : -1))
    .map(({ id }) => id)
}

/** Returns the number of tokens found. `given`: a filter that is used with all tokens; default: random, with a random sub-range. */
async function expectLikeNaive(
  collection: Seeded,
  metadata: Documents,
  random: Random,
  given?: readonly Attribute[],
): Promise<number> {
  const filter = given ?? randomFilter(random, metadata)
  const parts = given || random.chance(0.5) ? 1 : 2 + random.int(3)
  const part = random.int(parts)
  const query: [string, string][] = filter.map((trait) => ['traits', writeTrait(trait, random)])
  if (parts > 1) query.push(['totalRanges', String(parts)], ['range', String(part)])
  const total = random.chance(0.5)
  if (total) query.push(['disable_total', 'false'])
  const limit = 1 + random.int(30)
  query.push(['limit', String(limit)], ['normalizeMetadata', String(random.chance(0.5))])
  const { totals, records } = await walk(collection.address, query)
  const expected = naive(collection, metadata, filter, { parts, part })
  expect(records.map((record) => record.token_id)).toEqual(expected)
  for (const [i, given] of totals.entries()) {
    expect(given).toBe(
      !total ? null : i < totals.length - 1 ? Math.max(expected.length, limit * (i + 1) + 1) : expected.length,
    )
  }
  return expected.length
}

test('behavior: a trait filter finds the same tokens as a full search of the metadata, in ranges and with totals', async () => {
  const random = createRandom(freshSeed())
  const collection = await seed(api, idsUpTo(90))
  const metadata: Documents = new Map()
  try {
    for (let round = 0; round < 3; round++) {
      const remaining = round === 0 ? idsUpTo(85) : [...metadata.keys()]
      const changes = new Map(
        remaining.filter(() => random.chance(0.8)).map((id) => [id, randomAttributes(random)] as const),
      )
      await read(api, collection, metadata, changes)
      await burn(
        api,
        collection,
        metadata,
        [...metadata.keys()].filter(() => random.chance(0.04)),
      )
      for (let i = 0; i < 12; i++) await expectLikeNaive(collection, metadata, random)
      const shown = [...metadata.values()].flat().filter(({ value }) => value !== undefined)
      const { trait_type = '', value } = random.pick(shown)
      const one = [{ trait_type, value: String(value) }]
      expect(await expectLikeNaive(collection, metadata, random, one)).toBeGreaterThan(0)
    }
  } catch (error) {
    ;(error as Error).message += `\nSEED=${random.seed}`
    throw error
  }
})

const red = { trait_type: 'Hat', value: 'Red' }
const blue = { trait_type: 'Hat', value: 'Blue' }

test('behavior: while metadata changes, paging repeats no token, misses no constant match and shows no mismatch', async () => {
  const random = createRandom(freshSeed())
  const collection = await seed(api, idsUpTo(120))
  const metadata: Documents = new Map()
  const always = idsUpTo(60)
  await read(
    api,
    collection,
    metadata,
    new Map(idsUpTo(120).map((id) => [id, id < 60n ? [red] : [random.pick([red, blue])]])),
  )
  const seen: string[] = []
  for (
    let body = await page(collection.address, [
      ['traits', 'Hat:Red'],
      ['limit', '7'],
      ['normalizeMetadata', 'true'],
    ]);
    ;
  ) {
    for (const { token_id, normalized_metadata } of body.result) {
      seen.push(token_id)
      expect(normalized_metadata!.attributes).toMatchObject([red])
    }
    if (body.cursor === null) break
    const changes = new Map(
      idsUpTo(120)
        .slice(60)
        .map((id) => [id, [random.pick([red, blue])]] as const),
    )
    const [next] = await Promise.all([
      page(collection.address, [['cursor', body.cursor]]),
      read(api, collection, metadata, changes),
    ])
    body = next
  }
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen).toEqual(expect.arrayContaining(always.map(String)))
})

test('behavior: each trait filter has its own ETag and cached page, which change with its results', async () => {
  const collection = await seed(api, idsUpTo(3))
  const metadata: Documents = new Map()
  await read(
    api,
    collection,
    metadata,
    new Map([
      [0n, [red]],
      [1n, [blue]],
    ]),
  )
  const path = `/api/v2/nft/${collection.address}`
  const tagOf = async (query: string, headers = {}) => {
    const response = await api.get(`${path}${query}`, headers)
    return [response.status, response.headers.get('etag')] as const
  }
  const [, plain] = await tagOf('')
  const [, reds] = await tagOf('?traits=Hat:Red')
  const [, blues] = await tagOf('?traits=Hat:Blue')
  expect(new Set([plain, reds, blues]).size).toBe(3)
  expect(await tagOf('?traits=Hat:Red', { 'if-none-match': reds })).toEqual([304, reds])
  expect((await page(collection.address, [['traits', 'Hat:Red']])).result.map(({ token_id }) => token_id)).toEqual([
    '0',
  ])
  await read(api, collection, metadata, new Map([[2n, [red]]]))
  expect((await tagOf('?traits=Hat:Red', { 'if-none-match': reds }))[0]).toBe(200)
  expect((await page(collection.address, [['traits', 'Hat:Red']])).result).toHaveLength(2)
  const both = (...traits: string[]) => tagOf(`?${traits.map((trait) => `traits=${trait}`).join('&')}`)
  expect(await both('Hat:Red', 'Hat:Blue', 'Eyes:x')).toEqual(await both('Eyes:x', 'Hat:Blue', 'Hat:Red', 'Hat:Red'))
})

test('error: rejects more than twenty traits, malformed or too long ones, and a filter other than that of the cursor', async () => {
  const collection = await seed(api, idsUpTo(3))
  await read(api, collection, new Map(), new Map(idsUpTo(3).map((id) => [id, [red]])))
  const rejected = async (query: [string, string][]) => {
    const response = await api.get(`/api/v2/nft/${collection.address}?${new URLSearchParams(query)}`)
    expect(response.status).toBe(400)
    return ((await response.json()) as { message: string }).message
  }
  const many = Array.from({ length: 21 }, (_, i): [string, string] => ['traits', `Hat:${i}`])
  expect(await rejected(many)).toBe('traits has too many; allowed: at most 20')
  expect((await page(collection.address, many.slice(1))).result).toEqual([])
  for (const text of ['Hat', 'Hat\\:Red', '', `Hat:${'x'.repeat(2_001)}`])
    expect(await rejected([['traits', text]])).toContain('traits is ')
  const { cursor } = await page(collection.address, [
    ['traits', 'Hat:Red'],
    ['limit', '1'],
  ])
  expect(
    await rejected([
      ['cursor', cursor!],
      ['traits', 'Hat:Blue'],
    ]),
  ).toContain('traits differs')
  expect(
    (
      await page(collection.address, [
        ['cursor', cursor!],
        ['traits', 'Hat:Red'],
      ])
    ).result,
  ).toHaveLength(1)
  const { cursor: plain } = await page(collection.address, [['limit', '1']])
  expect(
    await rejected([
      ['cursor', plain!],
      ['traits', 'Hat:Red'],
    ]),
  ).toContain('traits differs')
})
