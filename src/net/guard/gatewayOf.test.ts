import { expect, test } from 'vitest'
import { createGatewayOf } from './gatewayOf.ts'

const gatewayOf = createGatewayOf({
  ipfs: ['https://dweb.link', 'http://127.0.0.1:8080/ipfs/'],
  arweave: ['https://arweave.net'],
})

test.each([
  ['dweb.link', 'dweb.link'],
  ['bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi.ipfs.dweb.link', 'dweb.link'],
  ['k51qzi5uqu5d.ipns.dweb.link', 'dweb.link'],
  ['127.0.0.1:8080', '127.0.0.1:8080'],
  ['arweave.net', 'arweave.net'],
  ['sandbox.arweave.net', 'arweave.net'],
  // Anyone may own this site, so its rejections are not the gateway's.
  ['site.dweb.link', undefined],
  ['a.b.ipfs.dweb.link', undefined],
  ['127.0.0.1:8081', undefined],
  ['adweb.link', undefined],
  ['example.org', undefined],
])('default: %s belongs to the gateway %s', (host, gateway) => {
  expect(gatewayOf(host)).toBe(gateway)
})
