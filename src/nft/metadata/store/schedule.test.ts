import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { laterBy } from '../../../../test/laterBy.ts'
import { seedLeasedCollection } from '../../../../test/seedLease.ts'
import { createNftQuery } from '../../pages/createNftQuery.ts'
import type { Outcome } from '../parse/outcome.ts'
import { tokenMetadata } from '../parse/tokenMetadata.ts'
import { createMetadataDemand } from './createMetadataDemand.ts'
import { createDueTokens } from './dueTokens.ts'
import { markChanged } from './markChanged.ts'
import { settleMetadata } from './settleMetadata.ts'
import { sweepPart } from './sweep.ts'

const worker = 7
const coolOffMs = 10_000
const hour = 3_600
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

/** Makes a collection of one token, with its contract, its host and a clock. */
async function openStorm() {
  const { db } = database
  const seeded = await seedLeasedCollection(db, { tokens: [1n], worker })
  const { id, address } = seeded
  const collection = { ...seeded, chainId: 1n, standard: 'ERC721' as const, idInData: false }
  const storm = {
    reads: 0,
    outcome: ok('as it was'),
    /** `started` runs after the block's transaction began and before it stores anything. */
    async announce(started?: () => Promise<void>): Promise<void> {
      const changed = [{ collection, tokenId: '1' }]
      await db.transaction(async (tx) => {
        await tx.rows('SELECT now()')
        await started?.()
        await markChanged(tx, { received: [], changed, burned: [], ranges: [], contracts: [] }, coolOffMs)
      })
    },
    /** Reads the due metadata; `meanwhile` runs during the fetch. */
    async read(meanwhile?: () => Promise<void>): Promise<void> {
      const [token] = await createDueTokens(db, collection).next(10)
      if (!token) return
      storm.reads++
      await meanwhile?.()
      const settled = [{ token, outcome: storm.outcome, at: new Date() }]
      expect(await settleMetadata(db, { collection, worker, settled, coolOffMs })).toBe(true)
    },
    /** Moves all stored times back by `seconds`. */
    async pass(seconds: number): Promise<void> {
      for (const [table, columns] of [
        ['token_metadata', ['tried_at', 'fetched_at']],
        ['metadata_due', ['due_at', 'announced_at']],
      ] as const)
        await db.run(
          `UPDATE ${table} SET ${columns.map((c) => `${c} = ${laterBy(c, 'make_interval(secs => $2)')}`)} WHERE collection_id = $1`,
          [id, -seconds],
        )
    },
    /** Announces once in each of `count` blocks, `seconds` apart. Returns how often the token was read. */
    async blocks(count: number, seconds: number): Promise<number> {
      const before = storm.reads
      for (let block = 0; block < count; block++) {
        await storm.announce()
        await storm.read()
        await storm.pass(seconds)
      }
      return storm.reads - before
    },
    /** Returns in how many seconds the token is due. */
    async resync(): Promise<number> {
      const state = await createNftQuery({ db }).state(1n, address)
      const [token] = await createMetadataDemand({ db }).resync([{ state: state!, address, tokenId: 1n }])
      return (token!.nextAt!.getTime() - Date.now()) / 1_000
    },
    /** Makes the token due by a request of all tokens. */
    async resyncAll(): Promise<void> {
      const state = await createNftQuery({ db }).state(1n, address)
      await createMetadataDemand({ db }).resyncAll(state!)
      await db.transaction((tx) => sweepPart(tx, collection, coolOffMs))
    },
    /** The version of its row in `metadata_due`, which changes with each write; undefined: there is no row. */
    rowVersion: async () =>
      (await db.rows<[string]>('SELECT xmin::text FROM metadata_due WHERE collection_id = $1', [id]))[0]?.[0],
  }
  return storm
}

function ok(name: string): Outcome {
  const value = { name }
  return { state: 'ok', uri: 'https://example.org/1', metadata: tokenMetadata(JSON.stringify(value), value, 1n) }
}

test('behavior: a token announced in every block is read less and less often while its metadata is unchanged', async () => {
  const storm = await openStorm()
  // The pauses are 10 s, 20 s, 40 s … with a block every minute.
  expect(await storm.blocks(60, 60)).toBeLessThan(10)
  // Later pauses are longer, up to an hour.
  const reads = await storm.blocks(30, 600)
  expect(reads).toBeGreaterThan(3)
  expect(reads).toBeLessThan(8)
})

test('behavior: changed metadata resets the pause to the shortest one', async () => {
  const storm = await openStorm()
  await storm.blocks(40, 60)
  expect(await storm.blocks(1, 12)).toBe(0)
  storm.outcome = ok('revealed')
  await storm.pass(hour)
  expect(await storm.blocks(1, 12)).toBe(1)
  // The cool-off of 10 s is over. The metadata did not change, so the next pause is 20 s.
  expect(await storm.blocks(1, 12)).toBe(1)
  expect(await storm.blocks(1, 12)).toBe(0)
})

test('behavior: a client request skips the pause after announcements, and its response ends no pause', async () => {
  const storm = await openStorm()
  await storm.blocks(40, 60)
  const before = storm.reads
  await storm.pass(60)
  await storm.resync()
  // A block arrives before the token is read.
  await storm.announce()
  await storm.read()
  expect(storm.reads).toBe(before + 1)
  expect(await storm.blocks(5, 60)).toBe(0)
})

test('behavior: a client request delays neither an announced token nor the next attempt of a failed one', async () => {
  const storm = await openStorm()
  await storm.announce()
  await storm.read()
  await storm.announce()
  // Due 10 s after the read by its announcement, and a minute after it by the request.
  expect(await storm.resync()).toBeLessThan(11)
  await storm.pass(11)
  // Due now: first before its read begins, then during it.
  expect(await storm.resync()).toBeLessThan(0)
  await storm.read(async () => {
    expect(await storm.resync()).toBeLessThan(0)
  })
  expect(storm.reads).toBe(2)
  // The second request came too late for this read.
  expect(await storm.rowVersion()).toBeDefined()
  await storm.pass(60)
  storm.outcome = { state: 'failed', uri: null, reason: 'HTTP 500', retryAt: new Date(Date.now() + 30_000) }
  await storm.read()
  expect(await storm.resync()).toBeLessThan(31)
})

test.each([
  ['', false],
  [', after an announcement too', true],
])(
  'behavior: a token that a client requests while it is read is read again a minute later%s',
  async (_, isAnnounced) => {
    const storm = await openStorm()
    await storm.blocks(40, 60)
    await storm.pass(hour)
    await storm.announce()
    await storm.read()
    const before = storm.reads
    await storm.resyncAll()
    await storm.read(async () => {
      await storm.resync()
      if (isAnnounced) await storm.announce()
    })
    expect(storm.reads).toBe(before + 1)
    await storm.pass(55)
    await storm.read()
    expect(storm.reads).toBe(before + 1)
    await storm.pass(6)
    await storm.read()
    expect(storm.reads).toBe(before + 2)
    expect(await storm.rowVersion()).toBeUndefined()
  },
)

test('behavior: a token announced while it is read is read again after its pause', async () => {
  const storm = await openStorm()
  await storm.announce()
  await storm.read(storm.announce)
  await storm.read()
  expect(storm.reads).toBe(1)
  await storm.pass(11)
  await storm.read()
  expect(storm.reads).toBe(2)
  await storm.pass(11)
  await storm.read()
  expect(storm.reads).toBe(2)
})

test('behavior: a repeated failure also lengthens the pause, and an announcement after a long pause triggers a read', async () => {
  const storm = await openStorm()
  storm.outcome = { state: 'permanent', uri: null, reason: 'tokenURI reverts' }
  expect(await storm.blocks(60, 60)).toBeLessThan(10)
  await storm.pass(3 * hour)
  const before = storm.reads
  await storm.announce()
  await storm.read()
  expect(storm.reads).toBe(before + 1)
})

test('behavior: an announcement of a token that is already due later writes nothing', async () => {
  const storm = await openStorm()
  await storm.announce()
  await storm.read()
  await storm.announce()
  const version = await storm.rowVersion()
  expect(version).toBeDefined()
  await storm.announce()
  expect(await storm.rowVersion()).toBe(version)
})

test('behavior: an announcement stored while its token is being taken triggers one more read', async () => {
  const storm = await openStorm()
  await storm.announce()
  const [started, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const stored = storm.announce(async () => {
    started.resolve()
    await taken.promise
  })
  await started.promise
  await storm.read(async () => {
    taken.resolve()
    await stored
  })
  expect(await storm.rowVersion()).toBeDefined()
  await storm.pass(60)
  await storm.read()
  expect(storm.reads).toBe(2)
  expect(await storm.rowVersion()).toBeUndefined()
})

test('behavior: a token announced while it waits for a dead host is read once when the host is back', async () => {
  const storm = await openStorm()
  storm.outcome = { state: 'parked', reason: 'example.org cannot be reached', host: 'example.org' }
  await storm.announce()
  await storm.read()
  await storm.announce()
  storm.outcome = ok('as it was')
  await storm.pass(hour)
  await storm.read()
  expect(storm.reads).toBe(2)
  expect(await storm.rowVersion()).toBeUndefined()
})
