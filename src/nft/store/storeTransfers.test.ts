import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { expectHolderTruth } from '../../../test/holderTruth.ts'
import { seedPartitionLeases, seedWorker } from '../../../test/seedLease.ts'
import { stagedRows } from '../../../test/stagedRows.ts'
import { system } from '../../../test/system.ts'
import type { Address } from '../../util/hex.ts'
import { buildNextPart, requestHolders } from '../holders/buildHolders.ts'
import type { Standards } from '../transfers/decodeTransfers.ts'
import { blockOfPosition, positionOf } from '../transfers/position.ts'
import { tokenHash } from '../transfers/tokenHash.ts'
import { type Transfer, zeroAddress } from '../transfers/transfer.ts'
import { type CollectionKey, historyGroup, transferGroup } from '../transfers/transferGroup.ts'
import { raiseVersions } from './collectionStore.ts'
import { revertTransfers } from './revertTransfers.ts'
import { storeTransfers } from './storeTransfers.ts'

const chainId = 1n
const address = '0x00000000000000000000000000000000000000aa'
const empty = 'TRUNCATE collection, token, balance, transfer, transfer_range, token_undo, holder_index, holder'
let database: TestDatabase
let worker: number

beforeAll(async () => {
  database = await createTestDatabase()
  worker = await seedWorker(database.db)
  await seedPartitionLeases(database.db, worker)
})
afterAll(() => database.drop())
beforeEach(() => clear())
// No test may leave staged rows, even if its transaction failed.
afterEach(async () => expect(await stagedRows(database.db)).toEqual([]))

const clear = () => database.db.transaction((tx) => tx.script(empty))

/** A contract with tokens of both standards reports ERC-721. */
async function createCollection(standards: Standards, contract: Address = address): Promise<CollectionKey> {
  const standard = standards === 'both' ? 'ERC721' : standards
  const [row] = await database.db.rows<[bigint]>(
    `INSERT INTO collection (partition, chain_id, address, status, standard, from_block) VALUES (7, $1, $2, 'live', $3, 0) RETURNING id`,
    [chainId, Buffer.from(contract.slice(2), 'hex'), standard],
  )
  await requestHolders(database.db, { partition: 7, id: row![0] })
  return { partition: 7, id: row![0], chainId, address: contract, standard, idInData: false }
}

/** Counts the next two tokens or balances for the stored holders; with `all`, it counts all remaining ones. */
async function countHolders(collection: CollectionKey, all = false): Promise<void> {
  while ((await buildNextPart(database.db, collection, worker, 2)) === 'moved') if (!all) return
  if (all) await expectHolderTruth(database.db)
}

const hash = 'ab'.repeat(32)
const place = { operator: null, transactionHash: hash, transactionIndex: 0, blockHash: hash, blockTime: null }

const holders = [zeroAddress, ...['11', '22', '33'].map((digits) => digits.repeat(20))]

/** Transfers of few tokens among few holders, in the order of their positions, of a standard or non-standard contract. */
const history = fc
  .array(
    fc.record({
      blocks: fc.nat(2),
      token: fc.nat(4),
      from: fc.nat(3),
      to: fc.nat(3),
      amount: fc.nat(3),
      items: fc.nat(1),
      byErc1155: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  .map((steps) => {
    let block = 10
    let index = 0
    return steps.flatMap(({ blocks, token, from, to, amount, items, byErc1155 }): Transfer[] => {
      block += blocks
      index = blocks > 0 ? 0 : index + 1
      const transfer = (item: number): Transfer => ({
        position: positionOf(block, index),
        item,
        tokenId: String((token + item) % 5),
        from: holders[from]!,
        to: holders[to]!,
        amount: String(amount),
        ...place,
        operator: byErc1155 ? holders[1]! : null,
      })
      return Array.from({ length: items + 1 }, (_, item) => transfer(item))
    })
  })

type Expected = {
  id: string
  owner: string | null
  minter: string | null
  /** null: no transfer. */
  last: number | null
  first: number | null
  minted: number | null
  amount: bigint
  holders: number
  transfers: number
  erc1155: boolean
}

/** Returns the tokens that must be stored, computed from the rules. */
function truth(transfers: readonly Transfer[]): Expected[] {
  return [...Map.groupBy(transfers, (t) => t.tokenId)]
    .map(([id, own]): Expected => {
      const moves = own.filter(({ amount }) => amount !== '0')
      const mint = moves.find(({ from }) => from === zeroAddress)
      const [first, last] = [moves[0]?.position ?? null, moves.at(-1)?.position ?? null]
      const base = { id, minter: mint?.to ?? null, last, first, minted: mint?.position ?? first, transfers: own.length }
      const erc1155 = isErc1155(own)
      if (!erc1155) {
        const owner = own.findLast(({ operator }) => operator === null)?.to ?? zeroAddress
        const held = owner !== zeroAddress
        return { ...base, erc1155, owner: held ? owner : null, amount: held ? 1n : 0n, holders: held ? 1 : 0 }
      }
      const holding = [...balancesOf(own)].filter(([, balance]) => balance > 0n)
      const amount = holding.reduce((sum, [, balance]) => sum + balance, 0n)
      return { ...base, erc1155, owner: holding.length === 1 ? holding[0]![0] : null, amount, holders: holding.length }
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** A token is ERC-1155 once a transfer of that standard moved a non-zero amount of it. */
const isErc1155 = (own: readonly Transfer[]) => own.some(({ operator, amount }) => operator !== null && amount !== '0')

/** Returns the balances of one token. Some are below zero if the contract violates the standard. */
function balancesOf(own: readonly Transfer[]): Map<string, bigint> {
  const balances = new Map<string, bigint>()
  for (const t of own) {
    if (t.operator === null) continue
    if (t.from !== zeroAddress) balances.set(t.from, (balances.get(t.from) ?? 0n) - BigInt(t.amount))
    if (t.to !== zeroAddress) balances.set(t.to, (balances.get(t.to) ?? 0n) + BigInt(t.amount))
  }
  return balances
}

/** Returns token hash, holder and amount of every non-zero balance, computed from the rules. */
function trueBalances(transfers: readonly Transfer[]): string[] {
  return [...Map.groupBy(transfers, (t) => t.tokenId)]
    .flatMap(([id, own]) =>
      [...balancesOf(own)]
        .filter(([, amount]) => amount !== 0n)
        .map(([holder, amount]) => `${tokenHash(address, id)} ${holder} ${amount}`),
    )
    .sort()
}

async function storedBalances(): Promise<string[]> {
  const rows = await database.db.rows<[string]>(
    `SELECT replace(token_hash::text, '-', '') || ' ' || encode(holder, 'hex') || ' ' || amount FROM balance`,
  )
  return rows.map(([row]) => row).sort()
}

const numberOf = (position: bigint | null) => (position === null ? null : Number(position))
async function stored(): Promise<Expected[]> {
  const rows = await database.db.rows<
    [
      string,
      string,
      Buffer | null,
      Buffer | null,
      bigint | null,
      bigint | null,
      bigint | null,
      string,
      number,
      number,
      boolean,
    ]
  >(
    `SELECT token_hash, token_id, owner, minter, last_position, first_position, coalesce(minted_position, first_position), amount, holders, transfers, erc1155
     FROM token ORDER BY token_id::text COLLATE "C"`,
  )
  return rows.map(([hash, id, owner, minter, last, first, minted, amount, count, transfers, erc1155]) => {
    expect(hash.replaceAll('-', '')).toBe(tokenHash(address, id))
    const hex = (bytes: Buffer | null) => bytes?.toString('hex') ?? null
    return {
      id,
      owner: hex(owner),
      minter: hex(minter),
      ...{ last: numberOf(last), first: numberOf(first), minted: numberOf(minted) },
      amount: BigInt(amount),
      holders: count,
      transfers,
      erc1155,
    }
  })
}

async function expectCounts(): Promise<void> {
  const [row] = await database.db.rows(
    `SELECT tokens, transfers, (SELECT count(*) FROM token WHERE amount > 0), (SELECT count(*) FROM transfer) FROM collection`,
  )
  expect(row!.slice(0, 2), 'the collection’s counters').toEqual(row!.slice(2))
}

/** Returns the transfers as tokens of these standards have them. An ERC-721 token has one owner, whatever amounts a contract's logs claim. */
function lawful(standards: Standards, transfers: readonly Transfer[]): Transfer[] {
  if (standards === 'ERC1155') return transfers.map((t) => ({ ...t, operator: holders[1]! }))
  const tokens = transfers.map((t) =>
    standards === 'ERC721' || t.operator === null ? { ...t, operator: null, amount: '1' } : t,
  )
  return standards === 'both' ? tokens : tokens.filter((t) => t.item === 0)
}

/** Splits the transfers. Items of one log stay together, as a log is read once or not at all. */
function split(transfers: readonly Transfer[], parts: number): Transfer[][] {
  const blocks = [...Map.groupBy(transfers, (t) => blockOfPosition(BigInt(t.position))).values()]
  return Array.from({ length: parts }, (_, part) => blocks.filter((_, i) => i % parts === part).flat())
}

const standards = ['ERC721', 'ERC1155', 'both'] as const

test.each(standards)(
  'behavior: %s: the tables are the same for any order in which block ranges are stored',
  async (standard) => {
    await fc.assert(
      fc.asyncProperty(
        history,
        fc.integer({ min: 1, max: 5 }),
        fc.boolean(),
        fc.boolean(),
        async (all, parts, backwards, apart) => {
          const groupOf = apart ? historyGroup : transferGroup
          await clear()
          const collection = await createCollection(standard)
          const transfers = lawful(standard, all)
          const batches = split(transfers, parts)
          for (const batch of backwards ? batches.reverse() : batches) {
            await database.db.transaction(async (tx) =>
              raiseVersions(tx, await storeTransfers(tx, [groupOf(collection, batch)])),
            )
            await countHolders(collection)
          }
          await countHolders(collection, true)
          expect(await stored()).toEqual(truth(transfers))
          await expectCounts()
          expect(await storedBalances()).toEqual(trueBalances(transfers))
        },
      ),
      { numRuns: 25 * inject('rounds') },
    )
  },
)

test.each(standards)(
  'behavior: %s: a reorganisation restores the tables to their state before the undone blocks',
  system,
  async (standard) => {
    await fc.assert(
      fc.asyncProperty(history, fc.nat(20), fc.nat(30), async (all, final, fork) => {
        await clear()
        const collection = await createCollection(standard)
        const transfers = lawful(standard, all)
        const finalBlock = 10 + final
        const forkBlock = finalBlock + fork
        const blockOf = (t: Transfer) => Number(blockOfPosition(BigInt(t.position)))
        const before = transfers.filter((t) => blockOf(t) <= finalBlock)
        if (before.length > 0)
          await database.db.transaction(async (tx) =>
            raiseVersions(tx, await storeTransfers(tx, [transferGroup(collection, before)])),
          )
        const above = transfers.filter((t) => blockOf(t) > finalBlock)
        for (const [block, own] of Map.groupBy(above, blockOf)) {
          await database.db.transaction(async (tx) =>
            raiseVersions(
              tx,
              await storeTransfers(tx, [transferGroup(collection, own)], { chainId, number: BigInt(block) }),
            ),
          )
          await countHolders(collection)
        }
        expect(await stored()).toEqual(truth(transfers))
        await database.db.transaction(async (tx) =>
          raiseVersions(tx, await revertTransfers(tx, chainId, BigInt(forkBlock))),
        )
        await countHolders(collection, true)
        const kept = transfers.filter((t) => blockOf(t) <= forkBlock)
        expect(await stored()).toEqual(truth(kept))
        expect(await storedBalances()).toEqual(trueBalances(kept))
        await expectCounts()
        const [rest] = await database.db.rows<[bigint, bigint]>(
          'SELECT (SELECT count(*) FROM transfer), (SELECT count(*) FROM balance WHERE amount = 0)',
        )
        expect(rest).toEqual([BigInt(kept.length), 0n])
      }),
      { numRuns: 25 * inject('rounds') },
    )
  },
)
