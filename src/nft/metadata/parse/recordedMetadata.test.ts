import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import { inlineContentType, type ResolvedUri } from '../uri/resolvedUri.ts'
import { resolveUri } from '../uri/resolveUri.ts'
import type { NormalizedMetadata } from './normalizedMetadata.ts'
import { normalizeMetadata } from './normalizeMetadata.ts'
import { type ParsedMetadata, parseMetadata } from './parseMetadata.ts'
import { traitKey } from './storedTraits.ts'

const folder = fileURLToPath(new URL('../../../../../shared/data/evm/metadata/', import.meta.url))
beforeEach(({ skip }) => skip(!existsSync(folder), `recorded metadata is not here: ${folder}`))

type Line = {
  origin: string
  token_uri?: string
  token_id?: string
  body?: string
  expect?: string | Record<string, string>
}
const lines: Line[] = existsSync(folder)
  ? readFileSync(`${folder}weird_metadata.jsonl`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  : []

/** Completes the examples that the file truncates with an ellipsis. */
const cid = 'bafybeid4ed2ua7fwupv4nx2ziczr3edhygl7ws3yx6y2juon7xakgj6cfm'
const complete = (text: string) => text.replace('bafy…', cid).replace('…1MB', 'A'.repeat(1_048_576))

const id = '7'.padStart(64, '0')
const resolve = (line: Line): ResolvedUri => resolveUri(complete(line.token_uri!), BigInt(line.token_id ?? 7))

function metadataOf(resolved: ResolvedUri): ParsedMetadata {
  if (resolved.kind !== 'inline') throw new TypeError(`resolved as ${resolved.kind}`)
  return parseMetadata(resolved.bytes, inlineContentType(resolved))
}

function normalize(parsed: ParsedMetadata): NormalizedMetadata {
  if (!parsed.ok) throw new TypeError(parsed.reason)
  return normalizeMetadata(parsed.value)
}

const http = (url: string) => (line: Line) => expect(resolve(line)).toEqual({ kind: 'http', url })
const ipfs = (cid: string, path: string) => (line: Line) =>
  expect(resolve(line)).toMatchObject({ kind: 'ipfs', cid, path })
const named = (name: string) => (line: Line) => expect(normalize(metadataOf(resolve(line))).name).toBe(name)
const rejected = (line: Line) => expect(resolve(line)).toMatchObject({ kind: 'refused', reason: expect.any(String) })
const inBody = (check: (parsed: ParsedMetadata) => void) => (line: Line) =>
  check(parseMetadata(Buffer.from(complete(line.body!)), 'application/json'))
const noMetadata = (reason: RegExp) =>
  inBody((parsed) => expect(parsed).toMatchObject({ ok: false, reason: expect.stringMatching(reason) }))

const bayc = 'QmeSjSinHpPnmXmspMjwiXyN6zS4E9zccariGR3jxcaWtq'
/** A check for each treatment in the file. */
const treatments: Record<string, (line: Line) => void> = {
  'strip surrounding single quotes, then fetch': http('http://host/data/8/8578.json'),
  'bare CIDv0 -> ipfs': ipfs('QmT1Yz43R1PLn2RVovAnEM5dHQEvpTcnwgX8zftvY1FcjP', ''),
  '/ipfs/<cid>/path -> ipfs': ipfs(cid, '/51.json'),
  'body may be the image itself (not JSON)': ipfs('bafybeig6nlmyzui7llhauc52j2xo5hoy4lzp6442lkve5wysdvjkizxonu', ''),
  'empty -> no uri': (line) => expect(resolve(line)).toEqual({ kind: 'refused', reason: 'empty' }),
  'decode latin1 fallback': (line) => {
    const text = line
      .body!.slice(line.body!.indexOf('{'))
      .replaceAll(/\\x([\da-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    expect(normalize(parseMetadata(Buffer.from(text, 'latin1'), null)).name).toBe('Sérgio Mendonça')
  },
  '{id} -> 64 lowercase hex, no 0x; here "0x" already precedes': http(
    `https://api.opensea.io/api/v1/metadata/0x495f947276749Ce646f68AC8c248420045cb7b5e/0x${id}`,
  ),
  'drop doubled ipfs/': ipfs(bayc, '/1'),
  'BAYC real URI': ipfs(bayc, '/1'),
  'gateway URL -> can be re-gatewayed': ipfs(bayc, '/1'),
  'arweave.net': (line) => expect(resolve(line)).toMatchObject({ kind: 'arweave', id: 'some_arweave_data', path: '' }),
  'unescaped utf8': named('a'),
  'percent-encoded': named('a'),
  'bare % is not an escape': named('100% real'),
  'wrong mime, still JSON': named('x'),
  'ERC-1155 {id}': ipfs(cid, `/${id}.json`),
  '{id} hex': http(`https://host/api/0x${id}`),
  'reject scheme': rejected,
  reject: rejected,
  // The connection rejects these by their address.
  'SSRF: reject private IP': http('http://169.254.169.254/latest/meta-data'),
  encode: http('https://host/with%20space.json'),
  'raw JSON with BOM as tokenURI': named('bom'),
  'raw JSON as tokenURI': named('inline'),
  'strip BOM': inBody((parsed) => expect(parsed).toEqual({ ok: true, text: '{"name":"bom"}', value: { name: 'bom' } })),
  'invalid JSON -> metadata null, keep token_uri': noMetadata(/^invalid JSON/),
  'HTML error page with 200': noMetadata(/HTML/),
  'invalid JSON': noMetadata(/^invalid JSON/),
  'array, not object': noMetadata(/array/),
  scalar: noMetadata(/string/),
  null: noMetadata(/null/),
  'attributes as object': inBody((parsed) =>
    expect(normalize(parsed).attributes).toMatchObject([{ trait_type: 'a', value: 1 }]),
  ),
  'Infinity/number overflow': inBody((parsed) =>
    expect(normalize(parsed).attributes).toMatchObject([{ trait_type: 'x', value: '1e400' }]),
  ),
  'NUL not storable in Postgres jsonb/text': inBody((parsed) => {
    expect(parsed).toMatchObject({ ok: true, text: String.raw`{"name":"a\u0000b"}` })
    expect(normalize(parsed).name).toBe('ab')
  }),
  'huge: size cap': noMetadata(/bytes, at most 1048576/),
}

/** Treatments that belong to the contract reader and not to this code. */
const elsewhere = [
  'tokenURI reverts -> VM execution error; retry rarely',
  'decode bytes32 -> "Maker"',
  'sanitise / fall back',
]

test('default: every recorded odd URI and body is handled as its line expects', () => {
  for (const line of lines) {
    const text = line.token_uri ?? line.body ?? ''
    if (typeof line.expect === 'object') {
      expect(normalize(metadataOf(resolve(line))), text).toMatchObject(line.expect)
    } else if (line.expect === undefined) {
      // A line without a treatment belongs to a collection that works.
      const resolved = resolve(line)
      if (resolved.kind === 'inline') expect(normalize(metadataOf(resolved)).name, text).toMatch(/^Noun \d+$/)
      else expect(resolved, text).toEqual({ kind: 'http', url: text })
    } else if (!elsewhere.includes(line.expect)) {
      expect(treatments, text).toHaveProperty([line.expect])
      treatments[line.expect]!(line)
    }
  }
  expect(lines.length).toBeGreaterThan(40)
})

test('behavior: metadata of well-known collections keeps all of its fields', () => {
  const files = globSync('zora_mocks/**/*.json', { cwd: folder })
  expect(files.length).toBeGreaterThan(12)
  for (const file of files) {
    const bytes = readFileSync(folder + file)
    const parsed = parseMetadata(bytes, null)
    const normalized = normalize(parsed)
    const metadata = JSON.parse(bytes.toString('utf8'))
    expect(normalized.name, file).toBe(metadata.name ?? null)
    expect(normalized.description, file).toBe(metadata.description ?? null)
    expect(normalized.image, file).toBe(metadata.image ?? metadata.imageUrl ?? null)
    expect(normalized.external_url, file).toBe(metadata.external_url ?? null)
    const given = metadata.attributes ?? metadata.traits ?? []
    const pairs = Array.isArray(given)
      ? given.map((trait) => [trait.trait_type ?? null, trait.value])
      : Object.entries(given)
    expect(
      normalized.attributes.map((trait) => [trait.trait_type, trait.value]),
      file,
    ).toEqual(pairs)
    expect(parsed.ok && parsed.text, file).toBe(bytes.toString('utf8'))
  }
})

test('behavior: the trait counts of 10,000 punks match the known rarities', () => {
  const [, ...rows] = gunzipSync(readFileSync(`${folder}cryptopunks_attributes.csv.gz`))
    .toString('utf8')
    .trim()
    .split('\r\n')
  const counts = new Map<string, number>()
  for (const row of rows) {
    const [, type, gender, skin, , accessories = ''] = row.split(', ')
    const metadata = { attributes: { type, gender, skin, accessories: accessories.split(' / ').filter(Boolean) } }
    const keys = new Set(normalizeMetadata(metadata).attributes.map(traitKey))
    for (const key of keys) if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  expect(rows).toHaveLength(10_000)
  const count = (trait: string, value: string) => counts.get(JSON.stringify([trait, value]))
  expect(['Alien', 'Ape', 'Zombie', 'Human'].map((type) => count('type', type))).toEqual([9, 24, 88, 9879])
  expect(['Beanie', 'Choker', 'Pilot Helmet', 'Tiara', 'Earring'].map((name) => count('accessories', name))).toEqual([
    44, 48, 54, 55, 2459,
  ])
})
