import { expect, test } from 'vitest'
import type { CollectionState, NftQuery } from '../../nft/query.ts'
import type { TraitPlace } from '../../nft/traits.ts'
import { jsonAnswer } from '../http/answer.ts'
import { withOmission } from './indexedAnswer.ts'
import { raritiesOf, readAllTraits } from './traits.ts'

test('behavior: attributes without a value have no rarity', () => {
  const attribute = { display_type: null, max_value: null, order: null }
  const attributes = [
    { ...attribute, trait_type: 'Hat', value: null, trait_count: null },
    { ...attribute, trait_type: 'Level', value: 3, trait_count: 2 },
    { ...attribute, trait_type: 'Eyes', value: 'null', trait_count: 1 },
  ]
  const none = { name: null, description: null, image: null, external_link: null, external_url: null }
  const metadata = { ...none, animation_url: null, attributes }
  expect(raritiesOf({ normalized_metadata: metadata }, 4)).toEqual([
    { value: '3', traitType: 'Level', prevalence: 0.5 },
    { value: 'null', traitType: 'Eyes', prevalence: 0.25 },
  ])
})

test.each([
  [99_999, true],
  [100_000, true],
  [100_001, false],
])('behavior: of %i values of traits the most are read, and whether these are all', async (stored, isWhole) => {
  const traits: NftQuery['traits'] = async ({ after, limit }) => {
    const from = after === null ? 0 : Number(after[2])
    const to = Math.min(stored, from + limit)
    const trait = { type: 'Name', value: '1', tokens: 1, documents: stored }
    const next: TraitPlace | null = to < stored ? ['Name', '1', String(to)] : null
    return { traits: Array.from({ length: to - from }, () => trait), next }
  }
  const found = await readAllTraits({ traits }, {} as CollectionState)
  expect(found.traits).toHaveLength(Math.min(stored, 100_000))
  expect(found.isWhole).toBe(isWhole)
})

test('behavior: what an answer omits stands beside what the index omits', () => {
  const reasons = (headers: string[]) =>
    withOmission(jsonAnswer(200, {}, headers), 'the summary is cut').headers.slice(2)
  expect(reasons(['x-index-status', 'synced'])).toEqual([
    ...['x-index-status', 'synced'],
    ...['x-index-incomplete', 'the summary is cut'],
  ])
  expect(reasons(['x-index-incomplete', '3 tokens', 'x-index-status', 'synced'])).toEqual([
    ...['x-index-status', 'synced'],
    ...['x-index-incomplete', '3 tokens; the summary is cut'],
  ])
})
