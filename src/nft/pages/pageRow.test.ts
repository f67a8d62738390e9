import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPageRow } from './pageRow.ts'
import { textSeparator } from './rows/metadataTexts.ts'

const token = fc.record({
  id: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  hash: fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map((hash) => hash.toString(16).padStart(32, '0')),
  documented: fc.boolean(),
})
const page = fc.uniqueArray(token, { selector: ({ hash }) => hash, maxLength: 12 })

test('behavior: each token line gets its own metadata, in any order and with any tokens lacking metadata', () => {
  fc.assert(
    fc.property(page, fc.constantFrom('index', 'any'), fc.infiniteStream(fc.nat()), (tokens, order, keys) => {
      const shown = tokens.toSorted((a, b) => (a.hash < b.hash ? 1 : -1))
      const documented = tokens
        .filter((one) => one.documented)
        .map((one) => ({ ...one, key: keys.next().value! }))
        .toSorted((a, b) => (order === 'index' ? (a.hash < b.hash ? -1 : 1) : a.key - b.key))
      const all = (texts: string[]) => (texts.length === 0 ? null : Buffer.from(texts.join(textSeparator)))
      const lines = all(shown.map(({ id, hash }) => `"token_id":"${id}","token_hash":"${hash}","owner_of":null,`))
      const hashes = documented.length === 0 ? null : Buffer.from(documented.map(({ hash }) => hash).join(''), 'hex')
      const records = all(documented.map(({ hash }) => `"name":"of ${hash}",`))
      const requested = { wanted: 'read' as const, normalized: false, media: false, rarity: false }
      const read = readPageRow([lines, hashes, null, records, null, null, null, null, null], requested, Buffer.alloc)
      const found = read.places.map((place, line) => ({
        id: read.idOf(line),
        hash: read.hashOf(line),
        record:
          place < 0 ? null : read.records.bytes.toString('utf8', read.records.starts[place], read.records.ends[place]),
      }))
      expect(found).toEqual(
        shown.map(({ id, hash, documented: has }) => ({
          id: String(id),
          hash,
          record: has ? `"name":"of ${hash}",` : null,
        })),
      )
    }),
    { numRuns: 300 },
  )
})
