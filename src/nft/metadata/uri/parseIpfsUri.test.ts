import { expect, test } from 'vitest'
import { resolveUri } from './resolveUri.ts'

test.each([
  'ipns://name.example/1',
  'ipfs://ipns/name.example/1',
  '/ipns/name.example/1',
  'ipns://k51qzi5uqu5dgutdk6i1ynyzgkqngpha5xpgia3a5qqp4jsh0u4csozksxel2r',
  'ipfs://k51qzi5uqu5dlvj2baxnqndepeb86cbk3ng7n3i46uzyxzyqj2xjonzllnv0v8',
])('error: rejects %s as an IPNS name, whose content cannot be verified', (text) => {
  expect(resolveUri(text, 1n)).toEqual({ kind: 'refused', reason: expect.stringMatching(/^an IPNS name/) })
})
