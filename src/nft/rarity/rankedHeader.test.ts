import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../test/api.ts'
import { seed, worker } from '../../../test/metadataPages.ts'
import { type Documents, read } from '../../../test/traitMetadata.ts'
import { rankTokens } from './rankTokens.ts'

let api: TestApi
beforeAll(async () => {
  // The server may use cached data of a collection for the longest allowed time.
  api = await createTestApi({ config: { pageCache: { freshMs: 60_000 } } })
})
afterAll(() => api?.drop())

test('behavior: rarity ranks and the ranked total in the header come from the same ranking', async () => {
  const collection = await seed(api, [0n, 1n, 2n])
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
  const request = async (path: string) => {
    const answer = await api.get(`/api/v2/nft/${collection.address}${path}`)
    const body = JSON.parse(await answer.text())
    const ranks = (body.result ?? [body]).map(({ rarity_rank }: { rarity_rank: number | null }) => rarity_rank !== null)
    return [answer.headers.get('x-rarity-documents'), ...ranks]
  }
  expect(await request('?include=rarity')).toEqual(['0', false, false, false])
  await rankTokens(api.db, collection, worker, 0)
  expect(await request('?include=rarity&limit=5')).toEqual(['3', true, true, true])
  expect(await request('/1?include=rarity')).toEqual(['3', true])
})
