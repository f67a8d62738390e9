import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { expectHolderTruth } from '../../../test/holderTruth.ts'
import { seedPartitionLeases, seedWorker } from '../../../test/seedLease.ts'
import { stagedRows } from '../../../test/stagedRows.ts'
import { expectWalletTruth } from '../../../test/walletTruth.ts'
import type { Address } from '../../util/hex.ts'
import { holdingAt, stateAt } from '../asOf/stateAt.ts'
import { buildNextPart, requestHolders } from '../holders/buildHolders.ts'
import type { Standards } from '../transfers/decodeTransfers.ts'
import { blockOfPosition, lastPositionOf, positionOf } from '../transfers/position.ts'
import { mintAt } from '../transfers/tokenFacts.ts'
import { type Transfer, zeroAddress } from '../transfers/transfer.ts'
import { type CollectionKey, transferGroup } from '../transfers/transferGroup.ts'
import { updateWallets } from '../wallets/updateWallets.ts'
import { nextUpdates } from '../wallets/walletUpdates.ts'
import { raiseVersions } from './collectionStore.ts'
import { storeTransfers } from './storeTransfers.ts'
import { beginUndo, undoNextPart } from './undoInParts.ts'

const chainId = 1n
const address: Address = '0x00000000000000000000000000000000000000aa'
let database: TestDatabase
let worker: number

beforeAll(async () => {
  database = await createTestDatabase()
  worker = await seedWorker(database.db)
  await seedPartitionLeases(database.db, worker)
})
afterAll(() => database.drop())
afterEach(async () => expect(await stagedRows(database.db)).toEqual([]))

const empty = `TRUNCATE collection, token, balance, transfer, transfer_range, token_undo, metadata_due,
  wallet_due, wallet_transfer, wallet_token, wallet_collection, owner_count, holder_index, holder`

type Stored = CollectionKey & { standards: Standards }

/** A contract with tokens of both standards reports ERC-721. */
async function createCollection(standards: Standards): Promise<Stored> {
  const standard = standards === 'both' ? 'ERC721' : standards
  await database.db.transaction((tx) => tx.script(empty))
  const [row] = await database.db.rows<[bigint]>(
    `INSERT INTO collection (partition, chain_id, address, status, standard, from_block) VALUES (7, $1, $2, 'live', $3, 0) RETURNING id`,
    [chainId, Buffer.from(address.slice(2), 'hex'), standard],
  )
  await requestHolders(database.db, { partition: 7, id: row![0] })
  return { partition: 7, id: row![0], chainId, address, standard, standards, idInData: false }
}

const hash = 'ab'.repeat(32)
const place = { transactionHash: hash, transactionIndex: 0, blockHash: hash, blockTime: null }
const holders = [zeroAddress, ...['11', '22', '33'].map((digits) => digits.repeat(20))]

/** Transfers of few tokens, many in a block, of a standard or non-standard contract. An ERC-1155 log may contain a token twice. */
const history = (standards: Standards) =>
  fc
    .array(
      fc.record({
        begins: fc.nat(6).map((n) => n === 0),
        tokens: fc.array(fc.nat(3), { minLength: 1, maxLength: standards === 'ERC721' ? 1 : 3 }),
        from: fc.nat(3),
        to: fc.nat(3),
        amount: fc.nat(3),
        byErc1155: standards === 'both' ? fc.boolean() : fc.constant(standards === 'ERC1155'),
      }),
      { minLength: 15, maxLength: 40 },
    )
    .map((steps) => {
      let block = 10
      let index = 0
      return steps.flatMap(({ begins, tokens, from, to, amount, byErc1155 }) => {
        if (begins) block++
        index = begins ? 0 : index + 1
        const by = byErc1155 ? { amount: String(amount), operator: holders[1]! } : { amount: '1', operator: null }
        const moved = { from: holders[from]!, to: holders[to]!, ...by, ...place }
        const position = positionOf(block, index)
        return tokens.map((token, item): Transfer => ({ position, item, tokenId: String(token), ...moved }))
      })
    })

const blockOf = ({ position }: Transfer) => Number(blockOfPosition(BigInt(position)))

/** Stores the transfers as for a live collection: blocks above `final` can be undone. */
async function store(collection: CollectionKey, transfers: readonly Transfer[], final: number): Promise<void> {
  for (const [block, own] of Map.groupBy(transfers, blockOf)) {
    const undo = block > final ? { chainId, number: BigInt(block) } : undefined
    await database.db.transaction(async (tx) =>
      raiseVersions(tx, await storeTransfers(tx, [transferGroup(collection, own)], undo)),
    )
  }
}

const { minter, mintedPosition } = mintAt('$3')

/** Returns tokens and holders at the end of a block, as on pages of an earlier state. */
async function stateOf({ partition, id, standards }: Stored, block: number): Promise<unknown[]> {
  const values = [partition, id, lastPositionOf(BigInt(block))]
  const tokens = await database.db.rows(
    `SELECT * FROM (
       SELECT w.token_id, s.owner, ${minter}, s.last_position, w.first_position, ${mintedPosition}, s.amount, s.erc1155
       FROM token w CROSS JOIN LATERAL (${stateAt[standards]}) s (owner, last_position, amount, erc1155)
       WHERE w.partition = $1 AND w.collection_id = $2 AND w.first_position <= $3 AND s.amount > 0
     ) t ORDER BY token_id`,
    values,
  )
  const held = await database.db.rows(
    `SELECT w.token_id, h.owner, h.amount FROM token w CROSS JOIN LATERAL (${holdingAt[standards]}) h
     WHERE w.partition = $1 AND w.collection_id = $2 AND w.first_position <= $3 ORDER BY w.token_id, h.owner`,
    values,
  )
  return [tokens, held]
}

/** Returns all rows of the collection, without its id. */
async function rowsOf(): Promise<unknown[]> {
  const all: unknown[] = []
  for (const [table, key, skipped] of [
    ['token', 'token_hash', 'was_listed'],
    ['balance', 'token_hash, holder', 'was_held,was_below'],
    ['transfer', 'position, item', ''],
    ['transfer_range', 'range', ''],
  ])
    all.push(
      await database.db.rows(
        `SELECT to_jsonb(t) - 'collection_id' - string_to_array($1, ',') FROM ${table} t ORDER BY ${key}`,
        [skipped],
      ),
    )
  return all
}

/** Expects the counts of the collection's row and its tokens to match the rows. */
async function expectCounts(): Promise<void> {
  const [row] = await database.db.rows(
    `SELECT tokens, transfers, (SELECT count(*) FROM token WHERE amount > 0), (SELECT count(*) FROM transfer) FROM collection`,
  )
  expect(row!.slice(0, 2)).toEqual(row!.slice(2))
  // An ERC-1155 id may be removed before the last transfers of its balances.
  const wrong = await database.db.rows(
    `SELECT 1 FROM token t WHERE t.transfers <> (
       SELECT count(*) FROM transfer x WHERE x.partition = t.partition AND x.collection_id = t.collection_id AND x.token_id = t.token_id
     )`,
  )
  expect(wrong).toEqual([])
}

/** Processes this number of queue rows, or all of them. */
async function updateQueued(rows = Number.POSITIVE_INFINITY): Promise<void> {
  const partitions = Array.from({ length: 256 }, (_, i) => BigInt(i))
  const all = { partitions, except: [], most: 1e9 }
  for (;;) {
    const updates = [
      ...(await nextUpdates(database.db, { ...all, atHead: true })),
      ...(await nextUpdates(database.db, { ...all, atHead: false })),
    ]
    await updateWallets(database.db, updates.slice(0, rows), worker)
    if (updates.length === 0 || rows < Number.POSITIVE_INFINITY) return
  }
}

test.each(['ERC721', 'ERC1155', 'both'] as const)(
  'behavior: %s: blocks undone in parts are never half covered, and leave the data of a freshly indexed collection',
  async (standards) => {
    const undo = fc.record({
      all: history(standards),
      final: fc.nat(2),
      above: fc.nat(2),
      most: fc.integer({ min: 1, max: 6 }),
      deeper: fc.nat(3),
      wallets: fc.array(fc.nat(3), { minLength: 3, maxLength: 8 }),
    })
    await fc.assert(
      fc.asyncProperty(undo, async ({ all, final: before, above, most, deeper, wallets }) => {
        const final = 10 + before
        const fresh = await createCollection(standards)
        let fork = final + above
        const kept = () => all.filter((transfer) => blockOf(transfer) <= fork)
        await store(fresh, kept(), final)
        const states = new Map([
          [fork, await stateOf(fresh, fork)],
          [fork - 1, await stateOf(fresh, fork - 1)],
        ])

        const collection = await createCollection(standards)
        await store(collection, all, final)
        const { db } = database
        await db.transaction((tx) => beginUndo(tx, collection, BigInt(fork)))
        for (let parts = 0; ; parts++) {
          await buildNextPart(db, collection, worker, 3)
          await updateQueued(wallets[parts % wallets.length]!)
          const part = await db.transaction((tx) => undoNextPart(tx, collection, most))
          await expectCounts()
          await expectHolderTruth(db)
          expect(await stateOf(collection, fork)).toEqual(states.get(fork))
          expect(part!.transfers).toBeLessThanOrEqual(most)
          if (part!.next) break
          // A deeper reorganisation happens meanwhile.
          if (parts !== deeper || fork === final) continue
          fork--
          await db.transaction((tx) => beginUndo(tx, collection, BigInt(fork)))
        }
        expect(await db.transaction((tx) => undoNextPart(tx, collection, most))).toBeUndefined()
        while ((await buildNextPart(db, collection, worker, 3)) === 'moved');
        await expectHolderTruth(db)
        const undone = await rowsOf()
        await updateQueued()
        await expectWalletTruth(db)
        expect(await db.rows('SELECT 1 FROM token_undo WHERE block_number > $1', [fork])).toEqual([])
        expect(await stateOf(collection, fork)).toEqual(states.get(fork))
        await store(await createCollection(standards), kept(), final)
        expect(undone).toEqual(await rowsOf())
      }),
      { numRuns: 4 * inject('rounds') },
    )
  },
)
