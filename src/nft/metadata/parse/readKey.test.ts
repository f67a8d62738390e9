import { expect, test } from 'vitest'
import { foldKeys } from './readKey.ts'

test('behavior: of an object with thousands of keys, only the requested ones are kept', () => {
  const strange = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`key ${i}`, i]))
  const folded = foldKeys(
    { ...strange, 'Image URL': '', image_url: 'ipfs://a', ImageUrl: 'ipfs://b' },
    new Set(['imageurl']),
  )
  expect(Object.entries(folded)).toEqual([['imageurl', 'ipfs://a']])
})
