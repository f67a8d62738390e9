import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { type Seeded, seed, store } from '../../../test/metadataPages.ts'
import { bytesOf } from '../../db/pipeline/byteRows.ts'
import { highestHash, lowestHash, tokenHash } from '../transfers/tokenHash.ts'
import { pageSql, type Wanted } from './pageSql.ts'
import { pageColumns, textSeparator } from './rows/metadataTexts.ts'
import { writeLines } from './rows/tokenLines.ts'

let database: TestDatabase
let collection: Seeded
/** Hashes of tokens 1, 2 and 3 in page order. Token 3 has no metadata. */
let hashes: string[]
let inOrder: number[]
/** The trait of token 1. */
let red: string

beforeAll(async () => {
  database = await createTestDatabase()
  collection = await seed(database, [1n, 2n, 3n])
  hashes = ['1', '2', '3'].map((id) => tokenHash(collection.address, id))
  inOrder = [1, 2, 3].toSorted((a, b) => (hashes[a - 1]! < hashes[b - 1]! ? 1 : -1))
  const hat = (value: string) => JSON.stringify({ name: value, attributes: [{ trait_type: 'Hat', value }] })
  await store(
    database,
    collection,
    new Map([
      [1n, hat('red')],
      [2n, hat('blue')],
    ]),
  )
  const [trait] = await database.db.rows<[string]>(
    'SELECT trait::text FROM token_trait WHERE partition = $1 AND collection_id = $2 AND token_hash = $3',
    [collection.partition, collection.id, hashes[0]],
  )
  red = trait![0]
})
afterAll(() => database?.drop())

const text = (bytes: Buffer | null) => bytes?.toString() ?? null
const textsIn = (bytes: Buffer | null) => bytes?.toString().split(textSeparator) ?? []

/** Returns the decoded columns of a page's row. */
async function decoded(wanted: Wanted, bounds: readonly unknown[], ofSeveral = false) {
  const { partition, id } = collection
  const values = ofSeveral
    ? [
        [partition, partition, partition],
        [id, id, id],
      ]
    : [partition, id]
  const sql = pageSql({
    wanted,
    normalized: true,
    media: true,
    rarity: !ofSeveral && wanted !== 'read',
  })
  const [row] = await bytesOf(database.db).bytes(sql, [...values, wanted === 'read' ? null : new Date(0), ...bounds])
  const columns = pageColumns.read(row!)
  const lines = wanted === 'read' ? undefined : writeLines(columns.tokens ?? Buffer.alloc(0), Buffer.alloc)
  const ids = lines
    ? lines.starts.map(
        (start, i) => /"token_id":"(\d+)"/.exec(lines.bytes.toString('latin1', start, lines.ends[i]))![1],
      )
    : textsIn(columns.tokens)
  const hex = columns.hashes?.toString('hex').match(/.{32}/g) ?? []
  const records = textsIn(columns.records)
  return {
    tokens: ids.map(Number),
    documents: Object.fromEntries(
      hex.map((hash, i) => [hashes.indexOf(hash) + 1, /"name":"(\w+)"/.exec(textsIn(columns.normalized)[i]!)?.[1]]),
    ),
    // Columns with one text for each token's metadata must have the same number of texts.
    alike: [records, textsIn(columns.normalized), textsIn(columns.media)].map((texts) => texts.length === hex.length),
    stale: text(columns.stale),
    unasked: text(columns.unasked),
    traitsVersions: text(columns.traitsVersions),
    rarities: textsIn(columns.rarities).map((members) => members.slice(0, '"rarity_rank":null'.length)),
    version: columns.version === null ? null : 'reported',
  }
}

const documents = { 1: 'red', 2: 'blue' }
const whole = { alike: [true, true, true], stale: null, unasked: null, traitsVersions: '1', version: 'reported' }
const unranked = (count: number) => Array(count).fill('"rarity_rank":null')

test('behavior: the page row has the values that its columns specify, for each way to select tokens', async () => {
  const page = { ...whole, tokens: inOrder, documents, rarities: unranked(3) }
  expect(await decoded('below', [lowestHash, 'ffffffffffffffffffffffffffffffff', 10])).toEqual(page)
  expect(await decoded('toTop', [lowestHash, highestHash, 10])).toEqual(page)
  expect(await decoded('toTop', [lowestHash, highestHash, 1])).toMatchObject({ tokens: inOrder.slice(0, 1) })
  const first = { ...whole, tokens: [1], documents: { 1: 'red' }, rarities: unranked(1) }
  expect(await decoded('one', [hashes[0]])).toEqual(first)
  expect(await decoded('one', [hashes[2]])).toEqual({ ...first, tokens: [3], documents: {} })
  expect(await decoded('chosen', [[hashes[0], hashes[2]]])).toEqual({
    ...first,
    tokens: inOrder.filter((id) => id !== 2),
    rarities: unranked(2),
  })
  expect(await decoded('matching', [hashes, [red], [1], 1])).toEqual(first)
  expect(await decoded('ownerOfOne', [hashes[0], Buffer.alloc(0), 10])).toEqual(first)
  const lines = ['a line', 'another', 'a third']
  expect(await decoded('read', [hashes, lines])).toMatchObject({ documents, rarities: [], version: null })
  const [row] = await bytesOf(database.db).bytes(pageSql({ wanted: 'read', normalized: false, media: false }), [
    collection.partition,
    collection.id,
    null,
    hashes,
    lines,
  ])
  expect(textsIn(pageColumns.read(row!).tokens)).toEqual(lines)
})

test('behavior: the page row of several collections shows the version and the traits version of each', async () => {
  const traitsVersions = JSON.stringify({ [`${collection.id}`]: '1' })
    .replace(':"', ' : "')
    .replace('{', '{ ')
    .replace('}', ' }')
  const several = { ...whole, documents, traitsVersions, rarities: [], version: null }
  const listed = await decoded('listed', [hashes], true)
  expect({ ...listed, tokens: listed.tokens.toSorted() }).toEqual({
    ...several,
    tokens: [1, 2, 3],
    version: 'reported',
  })
  expect(await decoded('loaded', [hashes], true)).toEqual({ ...several, tokens: [] })
})
