import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noContractMetadata, parseContractMetadata } from './parseContractMetadata.ts'

test('default: the fields of ERC-7572, also by other spellings', () => {
  const metadata = {
    ...{ name: 'Kittens', description: 'Many', image: 'ipfs://bafy/1.png', bannerImage: 'https://a.example/b.png' },
    external_url: 'https://a.example/',
  }
  expect(parseContractMetadata(metadata)).toEqual({
    ...{ name: 'Kittens', description: 'Many', image: 'ipfs://bafy/1.png', bannerImage: 'https://a.example/b.png' },
    externalLink: 'https://a.example/',
  })
})

test('behavior: scripts, long texts and large pictures within the text are no part of it', () => {
  const picture = `data:image/png;base64,${'A'.repeat(3_000)}`
  const found = parseContractMetadata({
    ...{ name: ' ', description: 'x'.repeat(5_000), image: picture, banner_image: picture },
    external_link: 'javascript:alert(1)',
  })
  expect(found).toMatchObject({ image: null, bannerImage: null, externalLink: null })
  expect(found.description!.length).toBeLessThanOrEqual(2_000)
})

test('behavior: any JSON gives the fields and no error', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(Object.keys(parseContractMetadata(value))).toEqual(Object.keys(noContractMetadata))
    }),
  )
})
