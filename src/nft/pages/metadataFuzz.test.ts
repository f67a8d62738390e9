import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { full, queries, read, seed, store } from '../../../test/metadataPages.ts'
import type { NormalizedMetadata } from '../metadata/parse/normalizedMetadata.ts'
import { normalizeMetadata } from '../metadata/parse/normalizeMetadata.ts'
import { parseMetadata } from '../metadata/parse/parseMetadata.ts'
import { traitKey } from '../metadata/parse/storedTraits.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

/** The records with metadata, computed without the database. */
function expected(documents: ReadonlyMap<bigint, string>): Map<string, NormalizedMetadata> {
  const forms = new Map<string, NormalizedMetadata>()
  const counts = new Map<string, number>()
  for (const [id, text] of documents) {
    const parsed = parseMetadata(Buffer.from(text), null)
    if (!parsed.ok) throw new TypeError(parsed.reason)
    const form = normalizeMetadata(parsed.value, id)
    forms.set(String(id), form)
    const keys = new Set(form.attributes.map(traitKey))
    for (const key of keys) if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  for (const form of forms.values())
    for (const attribute of form.attributes) {
      const key = traitKey(attribute)
      attribute.trait_count = key === null ? null : counts.get(key)!
    }
  return forms
}

/** Texts with the separators and slots of the database's texts. */
const tricky = fc.constantFrom(
  '"trait_count":null',
  '\u001e',
  `\u001f${'a'.repeat(32)}`,
  '\u001d/media/x',
  '\0',
  '\ud800',
  '\\',
  '😀',
  '{id}',
)
const scalar = fc.oneof(
  tricky,
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('red', 'blue'),
)
const attribute = fc.record(
  { trait_type: fc.oneof(tricky, fc.constantFrom('Hat', 'Fur')), value: scalar, trait_count: fc.constant(null) },
  { requiredKeys: [] },
)
const metadataText = fc
  .record(
    { name: scalar, description: scalar, image: fc.oneof(fc.webUrl(), tricky), attributes: fc.array(attribute) },
    { requiredKeys: [] },
  )
  .map((document) => JSON.stringify(document).replace('"name":true', '"name":123456789012345678901234567890'))

test('behavior: records and trait counts of random metadata equal those built without the database', async () => {
  const [piped, decoding] = queries(database)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(metadataText), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      fc.boolean(),
      async (texts, limit, hex) => {
        const ids = texts.map((_, i) => BigInt(i) ** 40n)
        const unique = new Map(ids.map((id, i) => [id, texts[i]!]))
        const collection = await seed(database, [...unique.keys()])
        const documents = new Map([...unique].filter(([, text]) => text !== null))
        await store(database, collection, documents)
        const records = await read(piped, collection, { ...full, hex }, limit)
        expect(await read(decoding, collection, { ...full, media: false, hex }, 100)).toEqual(
          records.map((record) => ({ ...record, media: null })),
        )
        const forms = expected(documents)
        expect(records.map(({ token_id }) => BigInt(token_id)).toSorted()).toEqual([...unique.keys()].toSorted())
        for (const record of records) {
          const id = BigInt(record.token_id)
          expect(record.token_id).toBe(hex ? `0x${id.toString(16)}` : String(id))
          expect(record.metadata).toBe(documents.get(id) ?? null)
          expect(record.normalized_metadata).toEqual(JSON.parse(JSON.stringify(forms.get(String(id)) ?? null)))
          expect(record.media === null).toBe(!forms.get(String(id))?.image)
          if (record.media) expect(record.media.original_media_url).toBe(forms.get(String(id))!.image)
        }
        for (const record of await read(piped, collection, { hex, normalized: false, media: false }, limit))
          expect([record.normalized_metadata, record.media]).toEqual([null, null])
      },
    ),
    { numRuns: 20 * inject('rounds') },
  )
})
