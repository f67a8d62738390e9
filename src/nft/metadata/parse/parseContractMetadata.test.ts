import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noContractMetadata, parseContractMetadata } from './parseContractMetadata.ts'

test('default: reads the ERC-7572 fields, also in other spellings', () => {
  const metadata = {
    ...{ name: 'Kittens', description: 'Many', image: 'ipfs://bafy/1.png', bannerImage: 'https://a.example/b.png' },
    external_url: 'https://a.example/',
  }
  expect(parseContractMetadata(metadata)).toEqual({
    ...{ name: 'Kittens', description: 'Many', image: 'ipfs://bafy/1.png', bannerImage: 'https://a.example/b.png' },
    externalLink: 'https://a.example/',
  })
})

test('behavior: drops scripts and large inline images, and cuts long texts', () => {
  const picture = `data:image/png;base64,${'A'.repeat(3_000)}`
  const found = parseContractMetadata({
    ...{ name: ' ', description: 'x'.repeat(5_000), image: picture, banner_image: picture },
    external_link: 'javascript:alert(1)',
  })
  expect(found).toMatchObject({ image: null, bannerImage: null, externalLink: null })
  expect(found.description!.length).toBeLessThanOrEqual(2_000)
})

test('behavior: any JSON gives the contract fields without an error', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(Object.keys(parseContractMetadata(value))).toEqual(Object.keys(noContractMetadata))
    }),
  )
})
