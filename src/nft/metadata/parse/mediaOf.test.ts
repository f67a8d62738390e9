import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { maxMetadataBytes } from '../../../util/metadataBounds.ts'
import { resolveUri } from '../uri/resolveUri.ts'
import { mediaOf } from './mediaOf.ts'
import { tokenMetadata } from './tokenMetadata.ts'

test.each([
  ['a.png', 'b.mp4', 'a.png'],
  ['a', 'b.png', 'a'],
  ['a.mp4', 'b.gif', 'b.gif'],
  ['a.mp4', 'b.mp4', 'a.mp4'],
  ['a.mp4', null, 'a.mp4'],
  [null, 'b.png', 'b.png'],
  [null, 'b.mp4', 'b.mp4'],
  [null, null, null],
  ['https://host/a.JPG?x=1.mp4#b.mp3', 'b.png', 'https://host/a.JPG?x=1.mp4#b.mp3'],
  ['https://host.mp4.example/a', 'b.png', 'https://host.mp4.example/a'],
  ['a.constructor', 'b.png', 'a.constructor'],
  ['data:application/pdf,x', 'b.png', 'data:application/pdf,x'],
  ['data:;base64,AA', 'b.png', 'data:;base64,AA'],
  ['data:text/html,<b>', 'DATA:image/SVG+xml;base64,AAAA', 'DATA:image/SVG+xml;base64,AAAA'],
  ['a.html', 'b', 'a.html'],
])('default: of image %s and animation %s, %s is used as the media', (image, animation_url, url) => {
  expect(mediaOf({ image, animation_url })).toBe(url)
})

const markup = `<svg>${' '.repeat(maxMetadataBytes - 11)}</svg>`

test.each([
  ['a data: URI of almost a document', { image: `data:image/png;base64,${'A'.repeat(maxMetadataBytes)}` }],
  ['one that is percent-encoded', { image: `data:image/svg+xml,${'%20'.repeat(maxMetadataBytes - 20)}` }],
  ['a page beside nothing else', { animation_url: `data:text/html,${'x'.repeat(500_000)}` }],
])('behavior: %s is used as the media in full length', (_, metadata) => {
  expect(mediaOf(metadata)).toBe(Object.values(metadata)[0])
})

test('behavior: markup up to the metadata size limit is used as the media', () => {
  const url = mediaOf({ image_data: markup })
  expect(url).toBe(`data:image/svg+xml;base64,${Buffer.from(markup).toString('base64')}`)
  // Metadata with this data: URI is still accepted.
  const resolved = resolveUri(url!, 0n)
  expect(resolved.kind === 'inline' && Buffer.from(markup).equals(resolved.bytes)).toBe(true)
})

test.each([
  [`data:image/svg+xml;base64,${'A'.repeat(100_000)}`, 'data:image/svg+xml;base64,'],
  [`data:image/svg+xml<svg>${' '.repeat(100_000)}</svg>`, 'data:image/svg+xml,'],
  [`data:${'x'.repeat(100_000)}`, 'data:,'],
  [`data:,${'A'.repeat(99_994)}`, `data:,${'A'.repeat(99_994)}`],
  ['https://host/a', 'https://host/a'],
])('behavior: %.40s is shortened for pages, and the hash covers the whole address', (image, shown) => {
  const value = { image }
  const { media } = tokenMetadata(JSON.stringify(value), value, 1n)
  expect(media).toEqual({ url: shown, hash: hash('md5', image) })
})
