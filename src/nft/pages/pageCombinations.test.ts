import { hash as hashOf } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asOfQuery } from '../../../test/api.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { heldTokens } from '../../../test/heldTokens.ts'
import { queries } from '../../../test/metadataPages.ts'
import {
  createModelled,
  holders,
  ids,
  type ModelledCollection,
  notePreviews,
  stateAt,
  type Token,
} from '../../../test/modelledCollection.ts'
import { recordOf, recordsIn, type Shown, shownIn } from '../../../test/modelledRecord.ts'
import { createRandom, freshSeed } from '../../../test/random.ts'
import type { Address, Hex } from '../../util/hex.ts'
import type { AsOf, AsOfQuery } from '../asOfQuery.ts'
import type { CollectionState, HashRange, NftQuery, RecordOptions } from '../query.ts'
import { traitFilter } from '../traits.ts'

/** The block of each requested state; null: the current state. */
const blocks = [null, 12n, 26n]

let database: TestDatabase
let asOf: AsOfQuery
const random = createRandom(freshSeed())
const collections: ModelledCollection[] = []

beforeAll(async () => {
  process.stdout.write(`seed ${random.seed}\n`)
  database = await createTestDatabase()
  asOf = asOfQuery(database.db)
  for (const erc1155 of [0, 1, 0.5]) collections.push(await createModelled({ database, random }, erc1155))
})
afterAll(() => database?.drop())

type Requested = {
  query: NftQuery
  state: CollectionState
  collection: ModelledCollection
  options: RecordOptions
  limit: number
}

/** Walks pages: `read` returns a page, and `next` of the last one is null. */
async function walk<Place>(
  limit: number,
  read: (
    after: Place | null,
  ) => Promise<
    { records: { toBuffer(before: string, after: string): Buffer }; count: number; last: Place | null } | 'moved'
  >,
): Promise<Shown[]> {
  const found: Shown[] = []
  for (let after: Place | null = null; ; ) {
    const page = await read(after)
    if (page === 'moved') throw new Error('the block moved')
    const shown = recordsIn(page.records.toBuffer('[', ']'))
    expect(shown).toHaveLength(page.count)
    expect(page.count).toBeLessThanOrEqual(limit)
    found.push(...shown)
    if (page.last === null) return found
    after = page.last
  }
}

const whole: HashRange = { from: null, to: null }
const randomRange = (): HashRange => ({
  from: random.chance(0.5) ? hashOf('md5', String(random.int(100))) : null,
  to: random.chance(0.5) ? hashOf('md5', String(random.int(100))) : null,
})
const within = ({ from, to }: HashRange, { hash }: Token) =>
  (from === null || hash >= from) && (to === null || hash < to)

/** Each way to read the records of a collection. It returns the result and the expected result. */
const ways: Record<string, (requested: Requested) => Promise<{ found: Shown[]; expected: Shown[] }>> = {
  async list({ query, state, collection, options, limit }) {
    const range = random.chance(0.5) ? whole : randomRange()
    const hats = random.pick([null, ['hat 0'], ['hat 1', 'hat 0'], ['hat 2']])
    const traits = hats && traitFilter(hats.map((value) => ({ type: 'Hat', value })))
    const { address } = collection.seeded
    const tokens = stateAt(collection, null).filter(
      (token) =>
        within(range, token) && (hats === null || hats.includes(collection.documents.get(token.tokenId)?.hat ?? '')),
    )
    expect(await query.count(state, range, traits)).toBe(tokens.length)
    return {
      found: await walk<string>(limit, (after) =>
        query.page({ state, address, range, after, limit, traits, ...options }),
      ),
      expected: tokens.map((token) => recordOf(collection, token, options)),
    }
  },

  async ids({ query, state, collection, options, limit }) {
    const { address } = collection.seeded
    const first = random.pick([null, 9n, 2n ** 255n - 1n])
    const tokens = stateAt(collection, null).filter(({ tokenId }) => tokenId > (first ?? -1n))
    return {
      found: await walk<bigint>(limit, (after) =>
        query.pageOfIds({ state, address, after: after ?? first, limit, ...options }),
      ),
      expected: tokens
        .toSorted((a, b) => (a.tokenId < b.tokenId ? -1 : 1))
        .map((token) => recordOf(collection, token, options)),
    }
  },

  async owners({ query, state, collection, options: { rarity: _, spam: __, ...options }, limit }) {
    const { address } = collection.seeded
    const tokenId = random.pick([null, ...ids])
    const expected = stateAt(collection, null)
      .filter((token) => tokenId === null || token.tokenId === tokenId)
      .flatMap((token) => token.held.map((holding) => recordOf(collection, token, options, holding)))
    expect(await query.countOwners({ state, address, tokenId })).toBe(expected.length)
    const page = { state, address, tokenId, limit, ...options }
    return {
      found: await walk(limit, (after: Parameters<NftQuery['owners']>[0]['after']) => query.owners({ ...page, after })),
      expected,
    }
  },

  async token({ query, state, collection, options }) {
    const { address } = collection.seeded
    const found = await Promise.all(ids.map((id) => query.token(state, address, id, options)))
    const tokens = new Map(stateAt(collection, null).map((token) => [token.tokenId, token]))
    return {
      found: found.flatMap((record) => (record ? [shownIn(JSON.parse(record.toString()))] : [])),
      expected: ids.flatMap((id) => (tokens.has(id) ? [recordOf(collection, tokens.get(id)!, options)] : [])),
    }
  },

  async named({ query, state, collection, options: { rarity: _, spam: __, ...options } }) {
    const { address } = collection.seeded
    const named = Array.from({ length: 8 }, () => random.pick(ids))
    const records = await query.tokens(
      named.map((tokenId) => ({ state, address, tokenId })),
      options,
    )
    const tokens = new Map(stateAt(collection, null).map((token) => [token.tokenId, token]))
    return {
      found: recordsIn(records!.toBuffer('[', ']')),
      expected: [...new Set(named)].flatMap((id) =>
        tokens.has(id) ? [recordOf(collection, tokens.get(id)!, options)] : [],
      ),
    }
  },

  async held({ query, state, collection, options: { rarity: _, ...options } }) {
    const { address } = collection.seeded
    const tokens = stateAt(collection, null).filter(() => random.chance(0.5))
    const [holder, amounts] = [`0x${holders[2]}` as Address, tokens.map(() => 1 + random.int(1_000))]
    const hashes = tokens.map(({ hash }) => hash)
    const requested = await heldTokens(database.db, { state, address, holder, hashes, amounts })
    const { records } = await query.held([requested], options)
    return {
      found: recordsIn(records.toBuffer('[', ']')),
      expected: tokens.map((token, i) => recordOf(collection, token, options, [holder, amounts[i]!])),
    }
  },

  async parts({ query, state, collection, options: { rarity: _, spam: __, hex: ___, ...options } }) {
    const { address } = collection.seeded
    const { records } = await query.pageOfIds({ state, address, after: null, limit: 100, hex: false, ...options })
    const tokens = stateAt(collection, null).toSorted((a, b) => (a.tokenId < b.tokenId ? -1 : 1))
    return {
      found: records.parts().map(({ token, metadataMembers: document, failure }) => {
        const { token_uri, metadata } = JSON.parse(`{${Buffer.from(document, 'latin1').toString()}}`)
        return { id: token.token_id, amount: token.amount, minter: token.minter_address, token_uri, metadata, failure }
      }),
      expected: tokens.map((token) => {
        const { token_id, amount, minter_address, token_uri, metadata } = recordOf(collection, token, {
          ...options,
          hex: false,
        })
        const reason = collection.failures.get(token.tokenId)
        const isTried = reason !== undefined || metadata !== null
        const failure = !isTried ? 'metadata not fetched yet' : options.failures ? reason : undefined
        return {
          id: token_id,
          amount,
          minter: minter_address,
          token_uri,
          metadata,
          failure: failure ? JSON.stringify(failure) : null,
        }
      }),
    }
  },

  async earlier({ state, collection, options: { rarity: _, spam: __, ...options }, limit }) {
    const { address } = collection.seeded
    const range = random.chance(0.5) ? whole : randomRange()
    const at = earlierBlock()
    const tokens = stateAt(collection, at.block).filter((token) => within(range, token))
    expect(await asOf.count(state, range, at)).toBe(tokens.length)
    return {
      found: await walk<string>(limit, (after) =>
        asOf.page({ state, address, range, after, limit, asOf: at, ...options }),
      ),
      expected: tokens.map((token) => recordOf(collection, token, options)),
    }
  },

  async earlierOwners({ state, collection, options: { rarity: _, spam: __, ...options }, limit }) {
    const { address } = collection.seeded
    const at = earlierBlock()
    const tokenId = random.pick([null, ...ids])
    const expected = stateAt(collection, at.block)
      .filter((token) => tokenId === null || token.tokenId === tokenId)
      .flatMap((token) => token.held.map((holding) => recordOf(collection, token, options, holding)))
    expect(await asOf.countOwners({ state, address, tokenId, asOf: at })).toBe(expected.length)
    const page = { state, address, tokenId, limit, asOf: at, ...options }
    return {
      found: await walk(limit, (after: Parameters<NftQuery['owners']>[0]['after']) => asOf.owners({ ...page, after })),
      expected,
    }
  },
}

function earlierBlock(): AsOf {
  const block = random.pick(blocks.filter((one) => one !== null))
  return { block, hash: `0x${'00'.repeat(32)}` as Hex, skipped: { oversizedLogs: 0n, overLimitTransfers: 0n } }
}

/** All ways to write a record. */
const written: RecordOptions[] = ([false, 'kept', true] as const).flatMap((details) =>
  [true, false].flatMap((media) =>
    [true, false].flatMap((normalized) =>
      [true, false].flatMap((rarity) =>
        [true, false].flatMap((spam) =>
          [true, false].map((hex) => ({ details, media, normalized, rarity, spam, hex, failures: rarity !== hex })),
        ),
      ),
    ),
  ),
)

test.each(Object.keys(ways))(
  'behavior: every combination of options returns the records that transfers and metadata imply: %s',
  async (way) => {
    const readers = queries(database)
    for (const options of written)
      for (const collection of collections) {
        if (!random.chance(0.12)) continue
        await notePreviews(database, collection)
        const query = random.pick(readers)
        const state = (await query.state(1n, collection.seeded.address))!
        const { found, expected } = await ways[way]!({
          query,
          state,
          collection,
          options,
          limit: random.pick([1, 5, 100]),
        })
        expect(found, JSON.stringify(options)).toEqual(expected)
      }
  },
)
