import { expect, test } from 'vitest'
import { raritiesOf } from './traits.ts'

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
