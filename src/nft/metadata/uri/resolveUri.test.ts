import fc from 'fast-check'
import { base16 } from 'multiformats/bases/base16'
import { base32upper } from 'multiformats/bases/base32'
import { base36 } from 'multiformats/bases/base36'
import { base58btc } from 'multiformats/bases/base58'
import { CID } from 'multiformats/cid'
import { identity } from 'multiformats/hashes/identity'
import { expect, test } from 'vitest'
import { cpuMs } from '../../../../test/cpuMs.ts'
import { maxMetadataBytes } from '../../../util/metadataBounds.ts'
import { inlineContentType, type ResolvedUri } from './resolvedUri.ts'
import { resolveUri } from './resolveUri.ts'

const v0 = 'QmeSjSinHpPnmXmspMjwiXyN6zS4E9zccariGR3jxcaWtq'
const v1 = 'bafybeid4ed2ua7fwupv4nx2ziczr3edhygl7ws3yx6y2juon7xakgj6cfm'
const tx = 'Fxs1vGJNGFLVqRy7IxTyAEHyVIR-8xOgsP5X1OJ3_ab'
const id = '00000000000000000000000000000000000000000000000000000000000000ff'

/** Resolves for token 255, with the bytes as text. */
function resolve(text: string): Record<string, unknown> {
  const resolved: ResolvedUri = resolveUri(text, 255n)
  return resolved.kind === 'inline' ? { ...resolved, bytes: Buffer.from(resolved.bytes).toString('utf8') } : resolved
}

const ipfs = (path = '', original: string | null = null, cid = v0) => ({ kind: 'ipfs', cid, path, original })

test('default: an https URL is used unchanged', () => {
  expect(resolve('https://host.example/a/1.json?x=1')).toEqual({
    kind: 'http',
    url: 'https://host.example/a/1.json?x=1',
  })
})

test.each([
  [`ipfs://${v0}/1`, ipfs('/1')],
  [`ipfs://${v0}`, ipfs()],
  [`ipfs://${v0}/`, ipfs()],
  [`IPFS://${v0}/1`, ipfs('/1')],
  [`ipfs://ipfs/${v0}/1`, ipfs('/1')],
  [`ipfs://ipfs/ipfs/${v0}/1`, ipfs('/1')],
  [`ipfs://ipfs://${v0}/1`, ipfs('/1')],
  [`ipfs:///${v0}/1`, ipfs('/1')],
  [`ipfs:/${v0}/1`, ipfs('/1')],
  [`ipfs:/ipfs/${v0}`, ipfs()],
  [`ipfs:${v0}/1`, ipfs('/1')],
  [`dweb:/ipfs/${v0}/1`, ipfs('/1')],
  [`/ipfs/${v0}/1`, ipfs('/1')],
  [`//ipfs/${v0}/1`, ipfs('/1')],
  [`ipfs/${v0}/1`, ipfs('/1')],
  [`${v0}`, ipfs()],
  [`${v0}/1.json`, ipfs('/1.json')],
  [`${v1}/1`, ipfs('/1', null, v1)],
  [v1.toUpperCase(), ipfs('', null, v1)],
  [`ipfs://${v0}?x=1`, ipfs()],
  [`ipfs://${v0}/1.json?format=raw&v=2`, ipfs('/1.json')],
  [`ipfs://${v0}/a b/é.json`, ipfs('/a%20b/%C3%A9.json')],
  [`ipfs://${v0}/a%20b.json`, ipfs('/a%20b.json')],
  [`ipfs://${v0}/Cat #7.png`, ipfs('/Cat%20%237.png')],
  [`ipfs://${v0}/index.html#seed=7`, ipfs('/index.html')],
  [`ipfs://${v0}/../../etc/passwd`, ipfs('/etc/passwd')],
  [`ipfs://${v0}\\1.json`, ipfs('/1.json')],
  [`ipfs://${v0}/{id}.json`, ipfs(`/${id}.json`)],
  [`https://ipfs.io/ipfs/${v0}/1`, ipfs('/1', `https://ipfs.io/ipfs/${v0}/1`)],
  [`https://ipfs.io/ipfs/ipfs/${v0}/1`, ipfs('/1', `https://ipfs.io/ipfs/ipfs/${v0}/1`)],
  [`https://ipfs.io/ipfs/ipfs://${v0}/1`, ipfs('/1', `https://ipfs.io/ipfs/ipfs://${v0}/1`)],
  [`ipfs.io/ipfs/${v0}`, ipfs('', `https://ipfs.io/ipfs/${v0}`)],
  [`http://127.0.0.1:8080/ipfs/${v0}`, ipfs('', `http://127.0.0.1:8080/ipfs/${v0}`)],
  [`https://${v1}.ipfs.dweb.link/3.json?z=1#q`, ipfs('/3.json', `https://${v1}.ipfs.dweb.link/3.json?z=1`, v1)],
  [`https://${v1.toUpperCase()}.IPFS.nftstorage.link`, ipfs('', `https://${v1}.ipfs.nftstorage.link/`, v1)],
  [`ipfs://https://ipfs.io/ipfs/${v0}`, ipfs('', `https://ipfs.io/ipfs/${v0}`)],
  [`ipfs%3A%2F%2F${v0}%2F1`, ipfs('/1')],
  [`ipfs://${v0}?filename=1.json`, ipfs()],
  [`https://private.example/ipfs/${v0}/1?token=t`, ipfs('/1', `https://private.example/ipfs/${v0}/1?token=t`)],
  [`ipfs://${v1}.ipfs.dweb.link/1`, ipfs('/1', `https://${v1}.ipfs.dweb.link/1`, v1)],
  [`ipfs://ipfs.io/ipfs/${v0}/1`, ipfs('/1', `https://ipfs.io/ipfs/${v0}/1`)],
])('behavior: %s resolves to IPFS content', (text, expected) => {
  expect(resolve(text)).toEqual(expected)
})

test('behavior: a CID resolves to the same content in every multibase', () => {
  const cid = CID.parse(v1)
  for (const base of [base16, base32upper, base36, base58btc]) {
    expect(resolve(`ipfs://${cid.toString(base)}/x`), base.name).toEqual(ipfs('/x', null, v1))
  }
})

test.each([
  [`ar://${tx}`, { kind: 'arweave', id: tx, path: '', original: null }],
  [`AR://${tx}/1.json?x=1`, { kind: 'arweave', id: tx, path: '/1.json', original: null }],
  [`ar:/${tx}/a b`, { kind: 'arweave', id: tx, path: '/a%20b', original: null }],
  ['ar://some_name', { kind: 'arweave', id: 'some_name', path: '', original: null }],
  [`ar://${tx}/{id}`, { kind: 'arweave', id: tx, path: `/${id}`, original: null }],
  [`https://arweave.net/${tx}/1`, { kind: 'arweave', id: tx, path: '/1', original: `https://arweave.net/${tx}/1` }],
  [
    `https://sandbox.arweave.net/${tx}?x=1`,
    { kind: 'arweave', id: tx, path: '', original: `https://sandbox.arweave.net/${tx}?x=1` },
  ],
  ['https://arweave.net/graphql', { kind: 'http', url: 'https://arweave.net/graphql' }],
  [`https://notarweave.net/${tx}`, { kind: 'http', url: `https://notarweave.net/${tx}` }],
])('behavior: %s resolves to an Arweave file, or to a plain URL if it is none', (text, expected) => {
  expect(resolve(text)).toEqual(expected)
})

test.each([
  ['  https://host.example/1\r\n', 'https://host.example/1'],
  ['\ufeffhttps://host.example/1\0', 'https://host.example/1'],
  ["'http://host/data/8/8578.json'", 'http://host/data/8/8578.json'],
  ['"https://host.example/1"', 'https://host.example/1'],
  ['HTTPS://HOST.example/A', 'https://host.example/A'],
  ['https://host.example/with space.json', 'https://host.example/with%20space.json'],
  ['https://host.example/li\nne', 'https://host.example/line'],
  ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
  ['https:\\\\host.example\\1', 'https://host.example/1'],
  ['https:/host.example/1', 'https://host.example/1'],
  ['https://https://host.example/1', 'https://host.example/1'],
  ['https%3A%2F%2Fhost.example%2F1', 'https://host.example/1'],
  ['//host.example/1', 'https://host.example/1'],
  ['host.example/1', 'https://host.example/1'],
  ['host.example:8443/1', 'https://host.example:8443/1'],
  ['https://host.example/1#top', 'https://host.example/1'],
  ['https://host.example/{id}', `https://host.example/${id}`],
  ['https://host.example/0x{id}/{id}.json', `https://host.example/0x${id}/${id}.json`],
  ['https://host.example/%7Bid%7D', `https://host.example/${id}`],
  // The guarded client rejects these. Here they are only normalized.
  ['http://169.254.169.254/latest/meta-data', 'http://169.254.169.254/latest/meta-data'],
  ['http://0x7f.1/', 'http://127.0.0.1/'],
  ['http://2130706433/', 'http://127.0.0.1/'],
  ['http://１２７.０.０.１/', 'http://127.0.0.1/'],
  [`https://host.example/ipfs/not-a-cid`, 'https://host.example/ipfs/not-a-cid'],
])('behavior: %j is fetched from %s', (text, url) => {
  expect(resolve(text)).toEqual({ kind: 'http', url })
})

const json = (bytes: string, charset: string | null = null, mediaType = 'application/json') => ({
  kind: 'inline',
  mediaType,
  charset,
  bytes,
})

test.each([
  ['data:application/json;base64,eyJuYW1lIjoiYSJ9', json('{"name":"a"}')],
  ['data:application/json;base64,eyJuYW1lIjoiYWIifQ==', json('{"name":"ab"}')],
  ['data:application/json;base64,eyJuYW1lIjoiYWIifQ', json('{"name":"ab"}')],
  ['data:application/json;base64,eyJuYW1lIjoiYWIifQ%3D%3D', json('{"name":"ab"}')],
  ['DATA:Application/JSON;BASE64,eyJuYW1lIjoiYSJ9', json('{"name":"a"}')],
  ['data:application/json;base64,eyJu\nYW1lIjoi YSJ9', json('{"name":"a"}')],
  ['data:application/json;base64,eyJ4Ijoi8J+YgD8/In0=', json('{"x":"😀??"}')],
  ['data:application/json;base64,eyJ4Ijoi8J-YgD8_In0', json('{"x":"😀??"}')],
  ['data:application/json;base64,{"name":"a"}', json('{"name":"a"}')],
  ['data:application/json,eyJuYW1lIjoiYSJ9', json('{"name":"a"}')],
  ['data:application/json;base64;charset=utf-8,eyJuYW1lIjoiYSJ9', json('{"name":"a"}', 'utf-8')],
  ['data:application/json;charset=UTF-8;base64,eyJuYW1lIjoiYSJ9', json('{"name":"a"}', 'utf-8')],
  ['data:application/json;charset=utf-8,%7B%22name%22%3A%22a%22%7D', json('{"name":"a"}', 'utf-8')],
  ['data:application/json;utf8,{"name":"a"}', json('{"name":"a"}', 'utf-8')],
  ['data:application/json,{"name":"100% real"}', json('{"name":"100% real"}')],
  ['data:application/json,{"name":"a%20b"}', json('{"name":"a b"}')],
  ['data:application/json,{"image":"<svg fill=%22red%22/>"}', json('{"image":"<svg fill=%22red%22/>"}')],
  ['data:application/json,{"color":"#fff"}', json('{"color":"#fff"}')],
  ['data:application/json;charset=iso-8859-1,{"name":"é"}', json('{"name":"é"}', 'utf-8')],
  ['data:text/plain,{"name":"a"}', json('{"name":"a"}', null, 'text/plain')],
  ['data:,{"name":"a"}', json('{"name":"a"}', null, 'text/plain')],
  ['data:;base64,eyJuYW1lIjoiYSJ9', json('{"name":"a"}', null, 'text/plain')],
  ['data:image/svg+xml;utf8,<svg fill="#f00"/>', json('<svg fill="#f00"/>', 'utf-8', 'image/svg+xml')],
  ['data:not a type,x', json('x', null, '')],
  ['{"name":"inline"}', json('{"name":"inline"}', 'utf-8')],
  ['\ufeff {"name":"bom"}', json('{"name":"bom"}', 'utf-8')],
  ['%7B%22name%22:%22a%22%7D', json('{"name":"a"}', 'utf-8')],
  ['eyJuYW1lIjoiaW5saW5lIn0', json('{"name":"inline"}', 'utf-8')],
  ['[1]', json('[1]', 'utf-8')],
  ['<svg xmlns="x"/>', json('<svg xmlns="x"/>', 'utf-8', 'image/svg+xml')],
])('behavior: %j contains its metadata inline', (text, expected) => {
  expect(resolve(text)).toEqual(expected)
})

test('behavior: percent-encoded bytes keep the declared charset', () => {
  const resolved = resolveUri('data:application/json;charset=iso-8859-1,{"name":"%E9"}', 0n)
  if (resolved.kind !== 'inline') throw new TypeError(`resolved as ${resolved.kind}`)
  expect([...resolved.bytes.slice(-3)]).toEqual([0xe9, 0x22, 0x7d])
  expect(inlineContentType(resolved)).toBe('application/json;charset=iso-8859-1')
})

const rejected: [string, RegExp][] = [
  ['', /^empty$/],
  [' \t\n', /^empty$/],
  ['""', /^empty$/],
  ['javascript:alert(1)', /javascript:/],
  ['JaVaScRiPt:alert(1)', /javascript:/i],
  ['file:///etc/passwd', /file:/],
  ['ftp://host/x.json', /ftp:/],
  ['gopher://host/', /gopher:/],
  ['blob:https://host/x', /blob:/],
  ['about:blank', /about:/],
  ['ws://host/', /ws:/],
  ['localhost:8080/x', /localhost:/],
  [`${'x'.repeat(500)}://h`, /^scheme x{32}:/],
  ['ipfs://', /CID/],
  [`ipfs://${v0.toLowerCase()}/1`, /CID/],
  [`ipfs://${v0.slice(0, 40)}/1`, /CID/],
  [`ipfs://${'1'.repeat(8000)}`, /CID/],
  ['ar://', /transaction/],
  ['hello world', /neither/],
  ['7', /neither/],
  ['https://', /malformed/],
  ['https://ho st/', /malformed/],
  ['https://[::1', /malformed/],
  ['https://host:99999/', /malformed/],
  ['https://user:secret@host/', /credentials/],
  [`https://host/${'a'.repeat(9000)}`, /9013 characters/],
  [`https://host/${'{id}'.repeat(1000)}`, /64013 characters/],
  [`https://host/${'é'.repeat(5000)}`, /30013 characters/],
  ['data:application/json', /comma/],
  ['data:application/json;base64,eyJuY', /base64/],
  ['data:application/json;base64,e!J9', /base64/],
  ['data:application/json;base64,eyJ9==eyJ9', /base64/],
  [`data:,${'a'.repeat(maxMetadataBytes + 1)}`, /1048577 bytes/],
  [`{${'a'.repeat(maxMetadataBytes)}`, /1048577 bytes/],
  ['a'.repeat(4_000_000), /4000000 characters/],
]

test.each(rejected.map(([text, reason]) => [JSON.stringify(text.slice(0, 40)), text, reason] as const))(
  'error: rejects %s with its reason',
  (_, text, reason) => {
    const resolved = resolve(text)
    expect(resolved.kind).toBe('refused')
    expect(resolved.reason).toMatch(reason)
    expect(String(resolved.reason).length).toBeLessThan(120)
  },
)

test('error: rejects a CID of more than 160 characters', () => {
  const [short, long] = [50, 200].map((bytes) => CID.createV1(0x55, identity.digest(new Uint8Array(bytes))).toString())
  expect(resolve(`ipfs://${short}`)).toEqual(ipfs('', null, short))
  expect(resolve(`ipfs://${long}`)).toMatchObject({ kind: 'refused' })
})

test('behavior: hostile URIs are parsed in time linear in their length', () => {
  const long = 2_000_000
  for (const text of [
    `a${' '.repeat(long)}b`,
    `data:application/json;base64,${' '.repeat(long)}!`,
    `data:application/json,{"a":"${'%'.repeat(500_000)}"}`,
    `data:${';'.repeat(long)}`,
    'a-'.repeat(4000),
    'a.'.repeat(4000),
    'https:'.repeat(1300),
    'ipfs/'.repeat(1600),
    `${`'`.repeat(4000)}`,
  ]) {
    // With quadratic time the longest one would take hours.
    expect(
      cpuMs(() => resolveUri(text, 0n)),
      text.slice(0, 30),
    ).toBeLessThan(5_000)
  }
})

test('behavior: never throws, and everything to fetch is a valid URL', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'ipfs://',
      'https://',
      'ar://',
      'data:',
      ';base64,',
      ',',
      v0,
      v1,
      '{id}',
      '%',
      '#',
      '?',
      '/',
      '\\',
      '../..',
      '\ud800',
      '\0',
      ' ',
    ),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (parts, tokenId) => {
      const resolved = resolveUri(parts.join(''), tokenId)
      if (resolved.kind === 'http') expect(new URL(resolved.url).href).toBe(resolved.url)
      if (resolved.kind === 'ipfs' || resolved.kind === 'arweave') {
        expect(resolved.path).toMatch(/^(?:[/?][\x21-\x7e]*)?$/)
        expect(new URL(`https://gateway.example/x${resolved.path}`).hash).toBe('')
      }
    }),
    { numRuns: 3000 },
  )
})

test('behavior: unencoded JSON with %22 and a raw line break is used unchanged', () => {
  const text = '{"image":"data:image/svg+xml,%3Csvg x=%221%22/%3E","description":"a\nb"}'
  const resolved = resolveUri(`data:application/json,${text}`, 1n)
  expect(resolved.kind === 'inline' && Buffer.from(resolved.bytes).toString()).toBe(text)
})
