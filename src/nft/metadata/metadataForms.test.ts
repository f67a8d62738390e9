import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonNesting } from '../../util/jsonNesting.ts'
import { maxMetadataBytes, maxShownDataUri } from '../../util/metadataBounds.ts'
import { type Fetched, fetchMetadata, type Origins } from './fetchMetadata.ts'
import { closeSlots } from './parse/countSlots.ts'
import { normalizeMetadata } from './parse/normalizeMetadata.ts'
import { readMetadataBody } from './parse/parseMetadata.ts'
import { createMetadataHosts } from './store/metadataHosts.ts'

/** A placeholder for a number that JSON cannot express. */
const noNumber = '@no number@'
const words = ['name', 'image', 'attributes', 'trait_type', 'value', 'properties', 'error', 'status', '__proto__']
const scalar = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.bigInt({ min: 0n, max: 2n ** 53n }).map(Number),
  fc.boolean(),
  fc.constantFrom(
    null,
    noNumber,
    '\0',
    '\ud800',
    '\ufffd',
    '<!-- " -->',
    ")]}'",
    'data:,x',
    '<svg/>',
    'NaN',
    '{',
    '"];',
  ),
)
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...words), fc.string()), tie('value'), { maxKeys: 5 }),
  ),
}))
const object = fc.dictionary(fc.oneof(fc.constantFrom(...words), fc.string()), json, { maxKeys: 6 })

type Step = (text: string) => string
const base64 = (text: string) => Buffer.from(text).toString('base64')
const steps = (...all: Step[]) => fc.constantFrom(...all)

/** Stray text around JSON. */
const around = steps(
  (text) => text,
  (text) => ` \n${text}\r\n\t`,
  (text) => `\ufeff\0${text}\0\0`,
  (text) => `${text};`,
  (text) => `${text},\n`,
  (text) => `<!-- a "comment" {1} -->${text}<!-- served in 0.1 s -->`,
  (text) => `)]}'\n${text}`,
  (text) => `${text}}`,
)
const wrapping = steps(
  (text) => JSON.stringify(text),
  (text) => `data:application/json;base64,${base64(text)}`,
  (text) => `data:application/json;charset=utf-8,${encodeURIComponent(text)}`,
  (text) => `data:text/plain;base64,${base64(`data:;base64,${base64(text)}`)}`,
)
const encoding = fc.constantFrom<(text: string) => Buffer>(
  (text) => Buffer.from(text),
  (text) => Buffer.from(`\ufeff${text}`),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  (text) => gzipSync(text),
)
const plan = fc.record({
  words: fc.constantFrom('NaN', 'Infinity', '-Infinity'),
  list: fc.boolean(),
  around,
  layers: fc.array(fc.record({ wrapping, around }), { maxLength: 3 }),
  encoding,
})

/** Returns metadata as a host may send it. */
function formOf(metadata: object, form: typeof plan extends fc.Arbitrary<infer T> ? T : never): Buffer {
  const text = JSON.stringify(metadata).replaceAll(JSON.stringify(noNumber), form.words)
  let made = form.around(form.list ? `[ ${text} ]` : text)
  // Only JSON may be surrounded by other text.
  for (const { wrapping, around } of form.layers)
    made = wrapping(made).startsWith('"') ? around(wrapping(made)) : wrapping(made)
  return form.encoding(made)
}

/** The value that clients get for `noNumber`. */
const isStored = (metadata: object): unknown =>
  JSON.parse(JSON.stringify(metadata).replaceAll(JSON.stringify(noNumber), 'null'))

function holdText(text: string): void {
  expect(text.isWellFormed()).toBe(true)
  expect(text).not.toContain('\0')
  expect(text.length).toBeLessThanOrEqual(maxMetadataBytes)
  expect(jsonNesting(text, 64).beyondAt).toBe(undefined)
  const value: unknown = JSON.parse(text)
  expect([typeof value, Array.isArray(value), value === null]).toEqual(['object', false, false])
}

test('behavior: metadata in any form that hosts and contracts use is parsed as intended', async () => {
  await fc.assert(
    fc.asyncProperty(object, plan, async (metadata, form) => {
      const parsed = await readMetadataBody(formOf(metadata, form), null)
      if (!parsed.ok) throw new TypeError(parsed.reason)
      holdText(parsed.text)
      expect(JSON.parse(parsed.text)).toEqual(isStored(metadata))
      const normalized = normalizeMetadata(parsed.value, 1n)
      expect(JSON.parse(JSON.stringify(normalized))).toEqual(normalized)
    }),
    { numRuns: 1_000 },
  )
})

function holdFetched(fetched: Fetched): void {
  if (fetched.kind !== 'metadata') {
    expect(fetched.kind).toMatch(/^(?:failed|permanent)$/)
    expect(fetched.reason.length).toBeLessThanOrEqual(400)
    expect(fetched.reason).not.toContain('\0')
    expect(fetched.reason).not.toContain('internal error')
    return
  }
  const { text, normalized, media, hash } = fetched.metadata
  if (text !== null) holdText(text)
  expect(hash).toMatch(/^[\da-f]{64}$/)
  const form = JSON.parse(closeSlots(normalized))
  expect(Object.keys(form)).toHaveLength(7)
  expect(String(form.image ?? '').length).toBeLessThanOrEqual(maxShownDataUri)
  expect((media?.url ?? '').length).toBeLessThanOrEqual(maxShownDataUri)
  // Without JSON there is only media.
  if (text === null) expect([form.name, form.attributes, media === null]).toEqual([null, [], false])
}

const junk = fc.oneof(
  fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        '"',
        '\\',
        ',',
        '\0',
        'data:',
        ';base64,',
        '%7b',
        '<!--',
        '-->',
        '<svg>',
        '<html>',
        'NaN',
      ],
      ...['\ufeff', '\ufffd', 'GIF89a', 'ID3', '\x1f', '[[[[[[[[', 'eyJ', ")]}'"],
    )
    .map((text) => Buffer.from(text)),
)
const damage = fc.array(fc.record({ at: fc.nat(), cut: fc.nat({ max: 5 }), junk }), { maxLength: 4 })

function damaged(bytes: Buffer, hits: typeof damage extends fc.Arbitrary<infer T> ? T : never): Buffer {
  let made = bytes
  for (const { at, cut, junk } of hits) {
    const place = at % (made.length + 1)
    made = Buffer.concat([made.subarray(0, place), junk, made.subarray(place + cut)])
  }
  return made
}

test('behavior: from any bytes of a host or token URI, only JSON, or media without JSON, is stored', async () => {
  const types = fc.constantFrom(undefined, 'application/json', 'image/png', 'image/svg+xml', 'text/html;charset=latin1')
  const { signal } = new AbortController()
  await fc.assert(
    fc.asyncProperty(object, plan, damage, types, async (metadata, form, hits, contentType) => {
      const body = damaged(formOf(metadata, form), hits)
      const get = async () => ({ body, contentType }) as never
      const origins: Origins = { http: { get, pausedMs: () => 0 }, gateways: { get } }
      const inline = `data:${contentType ?? ''};base64,${body.toString('base64')}`
      for (const uri of ['https://host.example/1', inline, body.toString('latin1')]) {
        const hosts = createMetadataHosts([], { retryDelaysMs: [60_000] })
        holdFetched(await fetchMetadata(origins, { uri, tokenId: 1n, hosts, signal }))
      }
    }),
    { numRuns: 1_000 },
  )
})
