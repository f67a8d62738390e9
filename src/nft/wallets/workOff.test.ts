import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import { seedPartitionLeases, seedWorker } from '../../../test/seedLease.ts'
import { expectWalletTruth } from '../../../test/walletTruth.ts'
import type { Database, Sql } from '../../db/database.ts'
import type { Address } from '../../util/hex.ts'
import { removeRows } from '../store/removals.ts'
import { takeCollectionAway } from '../store/requeueCollections.ts'
import { revertTransfers } from '../store/revertTransfers.ts'
import { storeTransfers } from '../store/storeTransfers.ts'
import type { Standard } from '../transfers/decodeTransfers.ts'
import { positionOf } from '../transfers/position.ts'
import { type Transfer, zeroAddress } from '../transfers/transfer.ts'
import { type CollectionKey, historyGroup, transferGroup } from '../transfers/transferGroup.ts'
import { nextDue } from './walletDue.ts'
import { workOff } from './workOff.ts'

let database: TestDatabase
let worker: number

beforeAll(async () => {
  database = await createTestDatabase()
  worker = await seedWorker(database.db)
  await seedPartitionLeases(database.db, worker)
})
afterAll(() => database.drop())

const partitions = Array.from({ length: 256 }, (_, i) => BigInt(i))
const allDue = (atHead: boolean) => nextDue(database.db, { atHead, partitions, except: [], most: 1e9 })

async function workOffDue(choose: (place: number) => boolean = () => true, as = worker): Promise<number> {
  const due = [...(await allDue(true)), ...(await allDue(false))].filter((_, place) => choose(place))
  return workOff(database.db, due, as)
}

const hash = 'ab'.repeat(32)
const place = { operator: null, transactionHash: hash, transactionIndex: 0, blockHash: hash, blockTime: null }

/** Each test, and each run of one, has a chain of its own. */
let chainId = 700n
let addresses = 0

async function createCollection(standard: Standard): Promise<CollectionKey> {
  const address: Address = `0x${String(++addresses).padStart(40, '0')}`
  const key = await seedCollection(database.db, { address, chainId, columns: { standard } })
  return { ...key, chainId, address, standard, idInData: false }
}

const holders = [zeroAddress, ...['11', '22', '33', '44'].map((digits) => digits.repeat(20))]

/** A block's transfers by collection, of contracts that keep the standard or that do not: who gives a token may never have had it. */
const moves = fc.array(
  fc.record({
    of: fc.nat(3),
    token: fc.nat(3),
    from: fc.nat(4),
    to: fc.nat(4),
    amount: fc.nat(3),
    pieces: fc.boolean(),
  }),
  { maxLength: 6 },
)
type Moves = typeof moves extends fc.Arbitrary<infer T> ? T : never

const work = fc.record({ do: fc.constant('work' as const), rows: fc.nat(2 ** 16 - 1) })
const past = fc.record({ do: fc.constant('history' as const), moves })
const block = fc.record({ do: fc.constant('block' as const), moves })
const undo = fc.record({ do: fc.constant('undo' as const), blocks: fc.integer({ min: 1, max: 4 }) })
/** Ranges of history in any order, then blocks and reorganisations; meanwhile any rows of the queue are worked off. */
const steps = fc
  .tuple(fc.array(fc.oneof(past, work), { maxLength: 8 }), fc.array(fc.oneof(block, undo, work), { maxLength: 12 }))
  .map((phases) => phases.flat())

/** The collections from the third one on emit the events of both standards. */
function transfersIn(block: number, all: Moves, { standard }: CollectionKey, of: number): Transfer[] {
  return all.flatMap(({ token, from, to, amount, pieces, of: collection }, index): Transfer[] => {
    if (collection !== of) return []
    const base = { ...place, position: positionOf(block, index), item: 0, tokenId: String(token) }
    const moved = { ...base, from: holders[from]!, to: holders[to]! }
    const ofPieces = of < 2 ? standard === 'ERC1155' : pieces
    return [ofPieces ? { ...moved, amount: String(amount), operator: holders[1]! } : { ...moved, amount: '1' }]
  })
}

test('behavior: wallets are what tokens, balances and transfers say, whatever is stored, undone and worked off in whichever order', async () => {
  const { db } = database
  await fc.assert(
    fc.asyncProperty(steps, fc.infiniteStream(fc.nat(1_000)), async (all, order) => {
      chainId++
      const collections = [
        await createCollection('ERC721'),
        await createCollection('ERC1155'),
        await createCollection('ERC721'),
        await createCollection('ERC1155'),
      ]
      const groups = (number: number, moved: Moves, make: typeof transferGroup) =>
        collections
          .map((key, of) => make(key, transfersIn(number, moved, key, of)))
          .filter(({ transfers }) => transfers.length > 0)
      const free = Array.from({ length: 10 }, (_, i) => i + 1)
      let head = 1_000
      for (const step of all) {
        if (step.do === 'history') {
          const [number] = free.splice(order.next().value! % free.length, 1)
          await db.transaction((tx) => storeTransfers(tx, groups(number!, step.moves, historyGroup)))
        } else if (step.do === 'block') {
          const undoable = { chainId, number: BigInt(++head) }
          await db.transaction((tx) => storeTransfers(tx, groups(head, step.moves, transferGroup), undoable))
        } else if (step.do === 'undo') {
          head = Math.max(1_000, head - step.blocks)
          await db.transaction((tx) => revertTransfers(tx, chainId, BigInt(head)))
        } else await workOffDue((place) => ((step.rows >> (place % 16)) & 1) === 1)
      }
      await workOffDue()
      await expectWalletTruth(db)
    }),
    { numRuns: 30 },
  )
})

/** A database whose transactions call `then` before the statement of this number that changes something. */
function pausedBefore(number: number, then: () => Promise<unknown>): Database {
  const { db } = database
  let statements = 0
  return {
    ...db,
    transaction: (work, settings) =>
      db.transaction(async (tx) => {
        const run: Sql['run'] = async (text, values) => {
          if (++statements === number) await then()
          return tx.fresh.run(text, values)
        }
        return work({ ...tx, fresh: { ...tx.fresh, run } })
      }, settings),
  }
}

const transfer = (block: number, tokenId: string, from: string, to: string): Transfer => ({
  ...place,
  ...{ position: positionOf(block, 0), item: 0, tokenId, from, to, amount: '1' },
})
const [alice, bob] = holders.slice(1) as [string, string]

test('behavior: a block that has the place of an undone one may move another collection', async () => {
  const { db } = database
  chainId++
  const [one, other] = [await createCollection('ERC721'), await createCollection('ERC721')]
  const store = (key: CollectionKey) =>
    db.transaction((tx) =>
      storeTransfers(tx, [transferGroup(key, [transfer(1_001, '1', zeroAddress, alice)])], { chainId, number: 1_001n }),
    )
  await store(one)
  await workOffDue()
  await db.transaction((tx) => revertTransfers(tx, chainId, 1_000n))
  await store(other)
  // The later row first, as another process may.
  await workOffDue((place) => place === 1)
  await workOffDue()
  await expectWalletTruth(db)
})

test.each([1, 2, 3, 4])(
  'behavior: a merge that commits before statement %i of a turn is worked off by its own row',
  async (statement) => {
    const { db } = database
    chainId++
    const key = await createCollection('ERC721')
    const store = (number: number, from: string, to: string) =>
      db.transaction((tx) => storeTransfers(tx, [transferGroup(key, [transfer(number, '1', from, to)])]))
    await store(5, zeroAddress, alice)
    const paused = pausedBefore(statement, () => store(6, alice, bob))
    expect(await workOff(paused, await allDue(false), worker)).toBe(1)
    expect(await allDue(false)).toMatchObject([{ collectionId: key.id, transfers: 1 }])
    await workOffDue()
    await expectWalletTruth(db)
  },
)

test('behavior: nobody works on a collection that another transaction works on, and none without the lease', async () => {
  const { db } = database
  chainId++
  const key = await createCollection('ERC721')
  await db.transaction((tx) => storeTransfers(tx, [transferGroup(key, [transfer(5, '1', zeroAddress, alice)])]))
  expect(await workOffDue(undefined, worker + 1)).toBe(0)
  const paused = pausedBefore(1, async () => void expect(await workOffDue()).toBe(0))
  expect(await workOff(paused, await allDue(false), worker)).toBe(1)
  await expectWalletTruth(db)
})

test('behavior: a removed collection leaves nothing with wallets, worked off or not, and others keep theirs', async () => {
  const { db } = database
  chainId++
  const [gone, kept] = [await createCollection('ERC721'), await createCollection('ERC721')]
  for (const key of [gone, kept]) {
    await db.transaction((tx) => storeTransfers(tx, [transferGroup(key, [transfer(5, '1', zeroAddress, alice)])]))
    const undoable = { chainId, number: 1_001n }
    const at = transfer(1_001, '2', zeroAddress, bob)
    await db.transaction((tx) => storeTransfers(tx, [transferGroup(key, [at])], undoable))
    await workOffDue()
  }
  // What bob got is undone, and what alice gives is stored, but wallets do not have it yet.
  await db.transaction((tx) => revertTransfers(tx, chainId, 1_000n))
  await db.transaction((tx) => storeTransfers(tx, [transferGroup(gone, [transfer(6, '1', alice, bob)])]))
  const removed = await takeCollectionAway(db, { chainId, address: gone.address, requeue: false, held: true })
  await removeRows(db, removed!)
  await workOffDue()
  await expectWalletTruth(db)
  for (const table of ['wallet_token', 'wallet_collection', 'wallet_transfer'])
    expect(await db.rows(`SELECT collection_id FROM ${table} WHERE chain_id = $1`, [chainId])).toEqual([[kept.id]])
  expect(await db.rows('SELECT 1 FROM owner_count WHERE collection_id = $1', [gone.id])).toEqual([])
})

test('behavior: a collection that is removed between two statements of a turn leaves nothing with wallets', async () => {
  const { db } = database
  chainId++
  const key = await createCollection('ERC721')
  const undoable = { chainId, number: 1_001n }
  const minted = transferGroup(key, [transfer(1_001, '1', zeroAddress, alice)])
  await db.transaction((tx) => storeTransfers(tx, [minted], undoable))
  await workOffDue()
  await db.transaction((tx) => revertTransfers(tx, chainId, 1_000n))
  const away = { chainId, address: key.address, requeue: false, held: true }
  const paused = pausedBefore(1, () => takeCollectionAway(db, away))
  expect(await workOff(paused, await allDue(true), worker)).toBe(0)
  await removeRows(db, key)
  await expectWalletTruth(db)
})
