import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { heldTokens } from '../../../test/heldTokens.ts'
import { full, queries, type RecordBody, read, type Seeded, seed, store } from '../../../test/metadataPages.ts'
import type { Sql } from '../../db/database.ts'
import { type ByteReader, bytesOf } from '../../db/pipeline/byteRows.ts'
import { forgetTokens } from '../metadata/store/forgetTokens.ts'
import type { NftQuery } from '../query.ts'
import { revertTransfers } from '../store/revertTransfers.ts'
import { tokenHash } from '../transfers/tokenHash.ts'
import { createNftQuery } from './createNftQuery.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

const whole = { from: null, to: null }

const hat = (value: string, more: object = {}) =>
  JSON.stringify({ name: value, attributes: [{ trait_type: 'Hat', value }], ...more })

async function hatCounts(query: NftQuery, collection: Seeded): Promise<Record<string, number | null | undefined>> {
  const records = await read(query, collection)
  return Object.fromEntries(
    records.map((record) => [record.token_id, record.normalized_metadata?.attributes[0]?.trait_count]),
  )
}

test('behavior: each attribute with a value has a trait count, and nothing else has one', async () => {
  const collection = await seed(database, [1n, 2n, 3n])
  const two = { attributes: [{ value: 'red' }, { trait_type: 'none' }, { trait_type: 'Hat', value: 'red' }] }
  const metadata = new Map([
    [1n, hat('red')],
    [2n, JSON.stringify(two)],
    [3n, '{"name":"\\"trait_count\\":null"}'],
  ])
  await store(database, collection, metadata)
  for (const query of queries(database)) {
    const records = await read(query, collection)
    const normalizedOf = (id: string) => records.find((record) => record.token_id === id)!.normalized_metadata!
    expect(normalizedOf('2').attributes).toMatchObject([{ trait_count: 1 }, { trait_count: null }, { trait_count: 2 }])
    expect(normalizedOf('3')).toMatchObject({ name: '"trait_count":null', attributes: [] })
  }
})

test('behavior: trait counts follow changed and revealed metadata, burned tokens, and tokens removed by a reorganisation', async () => {
  const collection = await seed(database, [1n, 2n, 3n, 4n])
  const [query, other] = queries(database)
  const counts = async () => {
    const seen = await hatCounts(query, collection)
    // A new query object without cached data returns the same.
    expect(await hatCounts(createNftQuery({ db: database.db }), collection)).toEqual(seen)
    expect(await hatCounts(other, collection)).toEqual(seen)
    return seen
  }
  const hidden = JSON.stringify({ name: 'unrevealed' })
  await store(database, collection, new Map([1n, 2n, 3n].map((id) => [id, hidden])))
  expect(await counts()).toEqual({ 1: undefined, 2: undefined, 3: undefined, 4: undefined })
  await store(database, collection, new Map([1n, 2n, 3n].map((id) => [id, hat('red')])))
  expect(await counts()).toEqual({ 1: 3, 2: 3, 3: 3, 4: undefined })
  await store(database, collection, new Map([[1n, hat('blue')]]))
  expect(await counts()).toEqual({ 1: 1, 2: 2, 3: 2, 4: undefined })
  await store(database, collection, new Map([[4n, hat('blue')]]))
  expect(await counts()).toEqual({ 1: 2, 2: 2, 3: 2, 4: 2 })
  // Token 1 is burned.
  await database.db.transaction(async (tx) => {
    await tx.run('UPDATE token SET amount = 0 WHERE collection_id = $1 AND token_id = 1', [collection.id])
    await forgetTokens(tx, [{ ...collection, hash: tokenHash(collection.address, '1') }])
  })
  expect(await counts()).toEqual({ 2: 2, 3: 2, 4: 1 })
  // The block that minted token 2 was undone.
  await database.db.run(
    `INSERT INTO token_undo (partition, collection_id, chain_id, block_number, token_hash)
     SELECT partition, collection_id, 1, 100, token_hash FROM token WHERE collection_id = $1 AND token_id = 2`,
    [collection.id],
  )
  await database.db.transaction((tx) => revertTransfers(tx, 1n, 99n))
  expect(await counts()).toEqual({ 3: 1, 4: 1 })
})

test('behavior: a page of metadata takes one statement with cached trait counts, and two after a change', async () => {
  const collection = await seed(database, [1n, 2n, 3n])
  const image = 'https://images.example/1'
  await store(database, collection, new Map([1n, 2n, 3n].map((id) => [id, hat('red', { image })])))
  const { db } = database
  let statements = 0
  const reader = {
    run: db.run,
    rows: (...given: Parameters<typeof db.rows>) => {
      statements++
      return db.rows(...given)
    },
  } as typeof db
  const query = createNftQuery({ db, reader: { ...reader, ...bytesOf(reader) } })
  await read(query, collection)
  const costOf = async () => {
    const state = (await query.state(1n, collection.address))!
    statements = 0
    await query.page({ state, address: collection.address, range: whole, after: null, limit: 100, ...full })
    return statements
  }
  expect(await costOf()).toBe(1)
  await store(database, collection, new Map([[1n, hat('blue', { image })]]))
  expect([await costOf(), await costOf()]).toEqual([2, 1])
  // New metadata with the same counts needs no second statement.
  await store(database, collection, new Map([[1n, hat('blue', { image, name: 'again' })]]))
  expect(await costOf()).toBe(1)
})

test('behavior: a page whose trait counts change during the read shows the counts of its own metadata', async () => {
  const collection = await seed(database, [1n, 2n, 3n])
  const allHats = (value: string) => new Map([1n, 2n, 3n].map((id) => [id, hat(value)]))
  await store(database, collection, allHats('red'))
  const { db } = database
  const query = createNftQuery({ db })
  const state = (await query.state(1n, collection.address))!
  /** Stores other metadata between the statement of the page and that of its counts. */
  let change: string | undefined = 'blue'
  const rows = async (...given: Parameters<typeof db.rows>) => {
    const value = given[0].includes('trait_count') ? change : undefined
    change = value === undefined ? change : undefined
    if (value !== undefined) await store(database, collection, new Map([[1n, hat(value)]]))
    return db.rows(...given)
  }
  const changing = createNftQuery({ db, reader: { ...db, rows, ...bytesOf(db) } as Sql & ByteReader })
  for (const value of ['green', undefined]) {
    const page = await changing.page({
      state,
      address: collection.address,
      range: whole,
      after: null,
      limit: 100,
      ...full,
    })
    const records: { normalized_metadata: { attributes: [{ value: string; trait_count: number }] } }[] = JSON.parse(
      `[${page.records.toBuffer()}]`,
    )
    const shown = records.map((record) => record.normalized_metadata.attributes[0])
    expect(shown).toHaveLength(3)
    for (const { value: hatOf, trait_count } of shown)
      expect(trait_count).toBe(shown.filter((other) => other.value === hatOf).length)
    change = value
  }
})

test('behavior: records of several collections show the trait counts, previews and old metadata of each collection', async () => {
  const image = 'https://images.example/shared.png'
  const first = await seed(database, [1n, 2n, 3n])
  const second = await seed(database, [1n, 2n])
  await store(database, first, new Map([1n, 2n].map((id) => [id, hat('red', { image })])))
  await store(database, second, new Map([[2n, hat('red', { image })]]))
  const tokens = [
    { of: second, id: 2n },
    { of: first, id: 3n },
    { of: first, id: 2n },
    { of: second, id: 1n },
  ]
  async function held(query: NftQuery): Promise<RecordBody[]> {
    const requested = tokens.map(async ({ of: { address }, id }) =>
      heldTokens(database.db, {
        ...{ state: (await query.state(1n, address))!, address, holder: address },
        hashes: [tokenHash(address, String(id))],
        amounts: [1],
      }),
    )
    const { records } = await query.held(await Promise.all(requested), full)
    return JSON.parse(records.toBuffer('[', ']').toString())
  }
  for (const query of queries(database)) {
    const shown = await held(query)
    const processing = { status: 'processing', original_media_url: image }
    expect(
      shown.map(({ normalized_metadata, media }) => [normalized_metadata?.attributes ?? null, media]),
    ).toMatchObject([
      [[{ trait_type: 'Hat', value: 'red', trait_count: 1 }], processing],
      [null, null],
      [[{ trait_type: 'Hat', value: 'red', trait_count: 2 }], processing],
      [null, null],
    ])
    const started = await database.db.rows('SELECT collection_id FROM media WHERE url = $1 ORDER BY 1', [image])
    expect(started).toEqual([[first.id], [second.id]])
  }

  const queued = () =>
    database.db.rows(
      'SELECT collection_id, token_id::text FROM metadata_due WHERE collection_id = ANY ($1) ORDER BY 1',
      [[first.id, second.id]],
    )
  expect(await queued()).toEqual([])
  await held(createNftQuery({ db: database.db, refreshAfterMs: 0 }))
  expect(await queued()).toEqual([
    [first.id, '2'],
    [second.id, '2'],
  ])
})
