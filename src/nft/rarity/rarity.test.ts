import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestApi, type TestApi } from '../../../test/api.ts'
import { type Seeded, seed, worker } from '../../../test/metadataPages.ts'
import { patience } from '../../../test/patience.ts'
import { createRandom, freshSeed } from '../../../test/random.ts'
import { burn, countTraits, type Documents, randomAttributes, read, traitsOf } from '../../../test/traitMetadata.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import { noopLog } from '../../util/log.ts'
import { createWorkPriority } from '../../util/workPriority.ts'
import { nextUnranked, rankCollections } from './rankCollections.ts'
import { rankTokens } from './rankTokens.ts'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi({ config: { pageCache: { freshMs: 0 } } })
})
afterAll(() => api?.drop())

type Ranked = { token_id: string; rarity_rank?: number | null; rarity_percentage?: number | null }

async function page({ address }: Seeded, query = '&include=rarity') {
  const response = await api.get(`/api/v2/nft/${address}?${query}`)
  expect(response.status).toBe(200)
  const { result, cursor } = (await response.json()) as { result: Ranked[]; cursor: string | null }
  return { result, cursor, metadata: response.headers.get('x-rarity-documents'), etag: response.headers.get('etag') }
}

const idsUpTo = (count: number) => Array.from({ length: count }, (_, i) => BigInt(i))

/** Computes the formula of docs/metadata.md from metadata. */
function naive(metadata: Documents): Map<string, { rank: number; percentage: number }> {
  const all = metadata.size
  const bits = (few: number) => Math.round(1e6 * Math.log2(all / few))
  const counts = countTraits(metadata)
  const lengths = Map.groupBy(metadata.values(), (attributes) => traitsOf(attributes).size)
  const scores = [...metadata].map(([id, attributes]) => {
    const traits = traitsOf(attributes)
    const sum = [...traits].reduce((score, name) => score + bits(counts.get(name)!), 0)
    return { id, score: sum + bits(lengths.get(traits.size)!.length) }
  })
  return new Map(
    scores.map(({ id, score }) => {
      const rank = 1 + scores.filter((other) => other.score > score).length
      return [String(id), { rank, percentage: Math.round((rank / all) * 1e8) / 1e6 }]
    }),
  )
}

const served = ({ partition }: Seeded) => ({ chains: [1n], partitions: [BigInt(partition)], lent: new Map() })
const isDue = async (collection: Seeded) => (await nextUnranked(api.db, served(collection)))?.id === collection.id
const rank = (collection: Seeded, pauseMs = 0) => rankTokens(api.db, collection, worker, pauseMs)

async function expectLikeNaive(collection: Seeded, metadata: Documents): Promise<void> {
  const { result, metadata: reported } = await page(collection)
  expect(reported).toBe(String(metadata.size))
  const expected = naive(metadata)
  for (const { token_id, rarity_rank, rarity_percentage } of result) {
    const { rank, percentage } = expected.get(token_id) ?? { rank: null, percentage: null }
    expect([token_id, rarity_rank, rarity_percentage]).toEqual([token_id, rank, percentage])
  }
}

test('behavior: ranks follow the formula and ties share one, after any refreshes and burns', async () => {
  const random = createRandom(freshSeed())
  const collection = await seed(api, idsUpTo(70))
  const metadata: Documents = new Map()
  try {
    for (let round = 0; round < 4; round++) {
      const remaining = round === 0 ? idsUpTo(60) : [...metadata.keys()]
      const changes = new Map(
        remaining.filter(() => random.chance(0.6)).map((id) => [id, randomAttributes(random)] as const),
      )
      await read(api, collection, metadata, changes)
      await burn(
        api,
        collection,
        metadata,
        [...metadata.keys()].filter(() => random.chance(0.05)),
      )
      expect(await rank(collection)).toBe(true)
      await expectLikeNaive(collection, metadata)
    }
  } catch (error) {
    ;(error as Error).message += `\nSEED=${random.seed}`
    throw error
  }
  const rows = await api.db.rows('SELECT count(*) FROM token_rarity WHERE collection_id = $1', [collection.id])
  expect(rows).toEqual([[BigInt(metadata.size)]])
})

test('default: a request triggers ranking at most once a minute, and again after traits change', async () => {
  const collection = await seed(api, idsUpTo(3))
  const metadata: Documents = new Map()
  const hat = (value: string) => [{ trait_type: 'Hat', value }]
  await read(
    api,
    collection,
    metadata,
    new Map([
      [0n, hat('Red')],
      [1n, hat('Red')],
      [2n, hat('Blue')],
    ]),
  )
  expect((await page(collection, '')).result[0]).not.toHaveProperty('rarity_rank')
  expect(await isDue(collection)).toBe(false)
  const before = await page(collection)
  expect(before.metadata).toBe('0')
  expect(before.result.map(({ rarity_rank, rarity_percentage }) => [rarity_rank, rarity_percentage])).toEqual(
    Array(3).fill([null, null]),
  )
  expect(await isDue(collection)).toBe(true)
  expect(await rank(collection, 60_000)).toBe(true)
  expect(await isDue(collection)).toBe(false)
  const after = await page(collection)
  expect(after.etag).not.toBe(before.etag)
  await expectLikeNaive(collection, metadata)
  const one = await api.get(`/api/v2/nft/${collection.address}/2?include=rarity`)
  expect(one.headers.get('x-rarity-documents')).toBe('3')
  expect(await one.json()).toMatchObject({ rarity_rank: 1, rarity_percentage: 33.333333 })
  await read(
    api,
    collection,
    metadata,
    new Map([
      [0n, hat('Blue')],
      [2n, hat('Red')],
    ]),
  )
  expect(await isDue(collection)).toBe(false)
  await api.db.run('UPDATE collection SET rarity_due_at = now() WHERE id = $1', [collection.id])
  expect(await isDue(collection)).toBe(true)
  await rank(collection)
  await expectLikeNaive(collection, metadata)
  await read(api, collection, metadata, new Map([[0n, hat('Blue')]]))
  expect(await isDue(collection)).toBe(false)
})

test('behavior: a token loses its rank when it alone loses its metadata', async () => {
  const collection = await seed(api, idsUpTo(4))
  const metadata: Documents = new Map()
  await read(
    api,
    collection,
    metadata,
    new Map(idsUpTo(4).map((id) => [id, [{ trait_type: 'Hat', value: Number(id % 2n) }]])),
  )
  await rank(collection)
  await burn(api, collection, metadata, [3n])
  await rank(collection)
  await expectLikeNaive(collection, metadata)
  expect(await api.db.rows('SELECT 1 FROM token_rarity WHERE collection_id = $1', [collection.id])).toHaveLength(3)
})

test('behavior: a cursor keeps the rarity rank position, also with a trait filter', async () => {
  const collection = await seed(api, idsUpTo(6))
  const metadata: Documents = new Map()
  await read(
    api,
    collection,
    metadata,
    new Map(idsUpTo(6).map((id) => [id, [{ trait_type: 'Hat', value: Number(id % 2n) }]])),
  )
  await rank(collection)
  for (const query of ['&include=rarity&limit=2', '&include=rarity&limit=2&traits=Hat:1']) {
    const first = await page(collection, query)
    const second = await page(collection, `&cursor=${first.cursor}`)
    for (const { rarity_rank } of [...first.result, ...second.result]) expect(rarity_rank).toBe(1)
    expect(second.metadata).toBe('6')
  }
})

test('error: ranking stores nothing for a collection that the worker does not serve or that was removed', async () => {
  const collection = await seed(api, idsUpTo(2))
  await read(api, collection, new Map(), new Map([[0n, []]]))
  expect(await rankTokens(api.db, collection, worker + 1, 0)).toBe(false)
  expect(await rankTokens(api.db, { ...collection, id: 999_999n }, worker, 0)).toBe(false)
  expect(
    await api.db.rows('SELECT 1 FROM token_rarity WHERE collection_id = ANY($1)', [[collection.id, 999_999n]]),
  ).toEqual([])
  expect((await api.get(`/api/v2/nft/${collection.address}?include=price`)).status).toBe(400)
})

test('behavior: a collection that cannot be ranked does not block others', async () => {
  const [broken, sound] = [await seed(api, idsUpTo(2)), await seed(api, idsUpTo(2))]
  for (const collection of [broken, sound])
    await read(api, collection, new Map(), new Map([[0n, [{ trait_type: 'Hat', value: 'Red' }]]]))
  await api.db.run(`UPDATE collection SET rarity_asked_at = NULL`)
  await api.db.run(`UPDATE collection SET rarity_asked_at = now() WHERE id = ANY($1)`, [[broken.id, sound.id]])
  await api.db.run(`UPDATE collection SET rarity_due_at = now() WHERE id = $1`, [sound.id])
  await api.db.run('UPDATE collection SET metadata_documents = 0 WHERE id = $1', [broken.id])
  const stopping = new AbortController()
  const partitions = [broken, sound].map(({ partition }) => BigInt(partition))
  const leases = {
    served: () => ({ chains: [1n], partitions, lent: new Map() }),
    serving: () => worker,
  } as unknown as Leases
  const running = rankCollections({
    leases,
    db: api.db,
    workPriority: createWorkPriority(),
    log: noopLog,
    signal: stopping.signal,
  })
  const isRanked = async () =>
    (await api.db.rows('SELECT 1 FROM collection WHERE id = $1 AND rarity_version = traits_version', [sound.id]))
      .length > 0
  await vi.waitUntil(isRanked, patience)
  stopping.abort()
  await running
})
