import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { guardedClient } from '../../../test/guardedClient.ts'
import { flag, svg } from '../../../test/images.ts'
import { createRawServer, httpAnswer } from '../../../test/rawServer.ts'
import { type Fetched, fetchMetadata, type Origins } from './fetchMetadata.ts'
import { createMetadataHosts } from './store/metadataHosts.ts'

const { signal } = new AbortController()
const id = '1'.padStart(64, '0')
const drawing = svg('<rect width="9" height="9" fill="red"/>').toString()
const png = await flag(64, 64).png().toBuffer()
const base64 = (type: string, content: string | Buffer) =>
  `data:${type};base64,${Buffer.from(content).toString('base64')}`

function requestOf(uri: string) {
  return { uri, tokenId: 1n, hosts: createMetadataHosts([], { retryDelaysMs: [60_000] }), signal }
}

/** Fetches a URI whose host, or gateways, send these bytes. */
function fetchServed(uri: string, body: Buffer | string, contentType?: string): Promise<Fetched> {
  const get = async () => ({ body: Buffer.from(body), contentType }) as never
  return fetchMetadata({ http: { get, pausedMs: () => 0 }, gateways: { get } }, requestOf(uri))
}

/** Returns the media fields of stored metadata. */
function shown(fetched: Fetched) {
  if (fetched.kind !== 'metadata') throw new TypeError(fetched.reason)
  const { text, normalized, media } = fetched.metadata
  const { image, animation_url, attributes, name } = JSON.parse(normalized)
  expect([text, name, attributes]).toEqual([null, null, []])
  return { image, animation_url, media: media?.url }
}

const image = (url: string) => ({ image: url, animation_url: null, media: url })
const animation = (url: string) => ({ image: null, animation_url: url, media: url })
const cid = 'bafybeig6nlmyzui7llhauc52j2xo5hoy4lzp6442lkve5wysdvjkizxonu'

test.each([
  ['a PNG', 'https://host.example/1', png, 'image/png'],
  ['a PNG without its type', `ipfs://${cid}/1`, png, undefined],
  ['a PNG under the type of JSON', 'https://host.example/1', png, 'application/json'],
  ['a bare path on IPFS', `/ipfs/${cid}`, png, undefined],
  ['an SVG', 'https://host.example/1', drawing, 'text/plain'],
  ['an SVG behind a prolog', 'https://host.example/1', `\ufeff<?xml version="1.0"?><!-- x -->${drawing}`, undefined],
  ['an SVG full of braces', 'https://host.example/1', svg(`<style>${'{['.repeat(100)}</style>`), 'image/svg+xml'],
  ['a PNG that holds many braces', 'https://host.example/1', Buffer.concat([png, Buffer.from('['.repeat(99))]), null],
  ['a packed SVG', 'https://host.example/1', gzipSync(drawing), 'image/svg+xml'],
  ['a HEIC', 'https://host.example/1', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0', 'latin1'), undefined],
  ['what only its type calls an image', 'https://host.example/1', Buffer.from([1, 2, 0, 3]), 'image/x-unheard-of'],
])('behavior: %s behind a token URI is the image of the token', async (_, uri, body, contentType) => {
  expect(shown(await fetchServed(uri, body, contentType ?? undefined))).toEqual(image(uri))
})

test('behavior: the image address is the token URI without the text around it, with its id filled in', async () => {
  expect(shown(await fetchServed(' "https://host.example/{id}.png"\n', png))).toEqual(
    image(`https://host.example/${id}.png`),
  )
})

test.each([
  ['MP4', '\0\0\0\x20ftypisom\0\0\x02\0', undefined],
  ['WebM', '\x1a\x45\xdf\xa3\x01\0\0\0', undefined],
  ['MP3', 'ID3\x03\0\0\0\0\0\0\xff\xfb\x90\x44', undefined],
  ['glTF', 'glTF\x02\0\0\0', undefined],
  ['a film by its type only', '\x01\0\x02', 'video/x-unheard-of'],
])('behavior: %s behind a token URI is the animation of the token', async (_, body, contentType) => {
  const uri = 'https://host.example/1'
  expect(shown(await fetchServed(uri, Buffer.from(body, 'latin1'), contentType))).toEqual(animation(uri))
})

const svgUri = base64('image/svg+xml', drawing)

test.each([
  [svgUri, image(svgUri)],
  [`'${svgUri}'`, image(svgUri)],
  [`data:image/svg+xml;utf8,${drawing}`, image(`data:image/svg+xml;utf8,${drawing}`)],
  [base64('image/png', png), image(base64('image/png', png))],
  [base64('', png), image(base64('image/png', png))],
  [drawing, image(svgUri)],
  [base64('application/json', drawing), image(svgUri)],
  [base64('text/plain', svgUri), image(svgUri)],
  [base64('image/svg+xml', base64('image/svg+xml', drawing)), image(svgUri)],
  [base64('text/html', '<html>art</html>'), animation(base64('text/html', '<html>art</html>'))],
  [base64('audio/mpeg', 'ID3\x03\0\0'), animation(base64('audio/mpeg', 'ID3\x03\0\0'))],
])('behavior: a token URI that contains its media is the media address (%#)', async (uri, expected) => {
  expect(shown(await fetchServed(uri, ''))).toEqual(expected)
})

test.each([
  ['an HTML page', '<!DOCTYPE html><title>404</title>', 'text/html'],
  ['an HTML page that is called an image', '<html>gone</html>', 'image/png'],
  ['a text that is called an image', 'Not found', 'image/png'],
  ['a text that begins as a format', 'GIF images are not served here', 'text/plain'],
  ['a text with the name of a tag', 'ID3 is no token', 'text/plain'],
  ['an error in XML', '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', 'application/xml'],
  ['an archive', 'PK\x03\x04\x14\0\0\0', 'application/zip'],
  ['a PDF', '%PDF-1.7', 'application/pdf'],
])('error: %s is not an image', async (_, body, contentType) => {
  expect(await fetchServed('https://host.example/1', Buffer.from(body, 'latin1'), contentType)).toMatchObject({
    kind: 'failed',
  })
})

test('behavior: JSON is metadata regardless of its declared content type', async () => {
  expect(await fetchServed('https://host.example/1', '{"name":"a"}', 'image/png')).toMatchObject({
    kind: 'metadata',
    metadata: { text: '{"name":"a"}', media: null },
  })
})

test('behavior: only the start is read of an image that exceeds the metadata size limit', async () => {
  const large = Buffer.concat([png, Buffer.alloc(4_000_000, 1)])
  await using host = await createRawServer((_request, socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: ${large.length}\r\n\r\n`)
    // The host never sends the rest.
    socket.write(large.subarray(0, 100_000))
  })
  await using http = guardedClient()
  const gateways: Origins['gateways'] = { get: () => Promise.reject(new TypeError('is requested nothing')) }
  const uri = `${host.url}/1`
  expect(shown(await fetchMetadata({ http, gateways }, requestOf(uri)))).toEqual(image(uri))
})

test('error: a body that is too large and not an image fails', async () => {
  await using host = await createRawServer(
    (_request, socket) => void socket.write(httpAnswer(200, `<p>${'x'.repeat(1_048_577)}`)),
  )
  await using http = guardedClient()
  const gateways: Origins['gateways'] = { get: () => Promise.reject(new TypeError('is requested nothing')) }
  expect(await fetchMetadata({ http, gateways }, requestOf(`${host.url}/1`))).toMatchObject({ kind: 'failed' })
})

test('error: gzip that unpacks beyond the metadata size limit fails, and so does truncated gzip', async () => {
  const uri = 'https://host.example/1'
  const bomb = gzipSync(Buffer.alloc(20_000_000, ' '))
  expect(await fetchServed(uri, bomb)).toMatchObject({ kind: 'failed', reason: expect.stringMatching(/1048576/) })
  const cut = gzipSync(JSON.stringify({ name: 'a' })).subarray(0, 20)
  expect(await fetchServed(uri, cut)).toMatchObject({ kind: 'failed', reason: expect.stringMatching(/gzip/) })
})

test('behavior: undeclared gzip is unpacked, also in the token URI', async () => {
  const packed = gzipSync('{"name":"a"}')
  const metadata = { kind: 'metadata', metadata: { text: '{"name":"a"}' } }
  expect(await fetchServed('https://host.example/1.json', packed)).toMatchObject(metadata)
  expect(await fetchServed(base64('application/json', packed), '')).toMatchObject(metadata)
})
