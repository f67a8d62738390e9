import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { stagedRows } from '../../../test/stagedRows.ts'
import { isUniqueViolation } from '../../db/databaseError.ts'
import type { Address } from '../../util/hex.ts'
import type { Standard } from '../transfers/decodeTransfers.ts'
import { blockOfPosition, positionOf } from '../transfers/position.ts'
import { tokenHash } from '../transfers/tokenHash.ts'
import { type Transfer, zeroAddress } from '../transfers/transfer.ts'
import { type CollectionKey, historyGroup, transferGroup } from '../transfers/transferGroup.ts'
import { raiseVersions } from './collectionStore.ts'
import { revertTransfers } from './revertTransfers.ts'
import { mergeStaged, stageTransfers, storeTransfers } from './storeTransfers.ts'

const chainId = 1n
const address = '0x00000000000000000000000000000000000000aa'
const empty = 'TRUNCATE collection, token, balance, transfer, transfer_range, token_undo'
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(() => clear())
// Whatever a test stored, reverted or failed to store.
afterEach(async () => expect(await stagedRows(database.db)).toEqual([]))

const clear = () => database.db.transaction((tx) => tx.script(empty))

async function createCollection(standard: Standard, contract: Address = address): Promise<CollectionKey> {
  const [row] = await database.db.rows<[bigint]>(
    `INSERT INTO collection (partition, chain_id, address, status, standard, from_block) VALUES (7, $1, $2, 'live', $3, 0) RETURNING id`,
    [chainId, Buffer.from(contract.slice(2), 'hex'), standard],
  )
  return { partition: 7, id: row![0], chainId, address: contract, standard, idInData: false }
}

const hash = 'ab'.repeat(32)
const place = { operator: null, transactionHash: hash, transactionIndex: 0, blockHash: hash, blockTime: null }

const holders = [zeroAddress, ...['11', '22', '33'].map((digits) => digits.repeat(20))]

/** Transfers of few tokens among few holders, in the order of their positions, of a contract that keeps the standard or one that does not. */
const history = fc
  .array(
    fc.record({
      blocks: fc.nat(2),
      token: fc.nat(4),
      from: fc.nat(3),
      to: fc.nat(3),
      amount: fc.nat(3),
      items: fc.nat(1),
    }),
    { maxLength: 40 },
  )
  .map((steps) => {
    let block = 10
    let index = 0
    return steps.flatMap(({ blocks, token, from, to, amount, items }): Transfer[] => {
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
      })
      return Array.from({ length: items + 1 }, (_, item) => transfer(item))
    })
  })

type Expected = {
  id: string
  owner: string | null
  minter: string | null
  /** null: nothing moved. */
  last: number | null
  first: number | null
  minted: number | null
  amount: bigint
  holders: number
  transfers: number
}

/** The tokens that must be stored, computed from the rules. */
function truth(standard: Standard, transfers: readonly Transfer[]): Expected[] {
  return [...Map.groupBy(transfers, (t) => t.tokenId)]
    .map(([id, own]): Expected => {
      const moves = own.filter(({ amount }) => amount !== '0')
      const mint = moves.find(({ from }) => from === zeroAddress)
      const [first, last] = [moves[0]?.position ?? null, moves.at(-1)?.position ?? null]
      const base = { id, minter: mint?.to ?? null, last, first, minted: mint?.position ?? first, transfers: own.length }
      if (standard === 'ERC721') {
        const last = own.at(-1)!
        const held = last.to !== zeroAddress
        return { ...base, owner: held ? last.to : null, amount: held ? 1n : 0n, holders: held ? 1 : 0 }
      }
      const holding = [...balancesOf(own)].filter(([, balance]) => balance > 0n)
      const amount = holding.reduce((sum, [, balance]) => sum + balance, 0n)
      return { ...base, owner: holding.length === 1 ? holding[0]![0] : null, amount, holders: holding.length }
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** The balances of one token; where the contract breaks the standard, some are below zero. */
function balancesOf(own: readonly Transfer[]): Map<string, bigint> {
  const balances = new Map<string, bigint>()
  for (const t of own) {
    if (t.from !== zeroAddress) balances.set(t.from, (balances.get(t.from) ?? 0n) - BigInt(t.amount))
    if (t.to !== zeroAddress) balances.set(t.to, (balances.get(t.to) ?? 0n) + BigInt(t.amount))
  }
  return balances
}

/** Token hash, holder and amount of every balance that is not zero, computed from the rules. */
function trueBalances(standard: Standard, transfers: readonly Transfer[]): string[] {
  if (standard === 'ERC721') return []
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
    [string, string, Buffer | null, Buffer | null, bigint | null, bigint | null, bigint | null, string, number, number]
  >(
    `SELECT token_hash, token_id, owner, minter, last_position, first_position, coalesce(minted_position, first_position), amount, holders, transfers
     FROM token ORDER BY token_id::text COLLATE "C"`,
  )
  return rows.map(([hash, id, owner, minter, last, first, minted, amount, count, transfers]) => {
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
    }
  })
}

async function expectCounts(): Promise<void> {
  const [row] = await database.db.rows(
    `SELECT tokens, transfers, (SELECT count(*) FROM token WHERE amount > 0), (SELECT count(*) FROM transfer) FROM collection`,
  )
  expect(row!.slice(0, 2), 'the collection’s counters').toEqual(row!.slice(2))
}

/** ERC-721 has one owner a token whatever a contract's logs claim of amounts. */
function lawful(standard: Standard, transfers: readonly Transfer[]): Transfer[] {
  if (standard === 'ERC1155') return [...transfers]
  return transfers.filter((t) => t.item === 0).map((t) => ({ ...t, amount: '1' }))
}

/** Items of one log stay together: a log is read once or not at all. */
function split(transfers: readonly Transfer[], parts: number): Transfer[][] {
  const blocks = [...Map.groupBy(transfers, (t) => blockOfPosition(BigInt(t.position))).values()]
  return Array.from({ length: parts }, (_, part) => blocks.filter((_, i) => i % parts === part).flat())
}

const standards = ['ERC721', 'ERC1155'] as const

test.each(standards)('behavior: %s: the tables are the same in whatever order ranges are stored', async (standard) => {
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
        for (const batch of backwards ? batches.reverse() : batches)
          await database.db.transaction(async (tx) =>
            raiseVersions(tx, await storeTransfers(tx, [groupOf(collection, batch)])),
          )
        expect(await stored()).toEqual(truth(standard, transfers))
        await expectCounts()
        expect(await storedBalances()).toEqual(trueBalances(standard, transfers))
      },
    ),
    { numRuns: 60 },
  )
})

test.each(standards)(
  'behavior: %s: after a reorganisation the tables are as before the undone blocks',
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
        for (const [block, own] of Map.groupBy(above, blockOf))
          await database.db.transaction(async (tx) =>
            raiseVersions(
              tx,
              await storeTransfers(tx, [transferGroup(collection, own)], { chainId, number: BigInt(block) }),
            ),
          )
        expect(await stored()).toEqual(truth(standard, transfers))
        await database.db.transaction(async (tx) =>
          raiseVersions(tx, await revertTransfers(tx, chainId, BigInt(forkBlock))),
        )
        const left = transfers.filter((t) => blockOf(t) <= forkBlock)
        expect(await stored()).toEqual(truth(standard, left))
        expect(await storedBalances()).toEqual(trueBalances(standard, left))
        await expectCounts()
        const [rest] = await database.db.rows<[bigint, bigint]>(
          'SELECT (SELECT count(*) FROM transfer), (SELECT count(*) FROM balance WHERE amount = 0)',
        )
        expect(rest).toEqual([BigInt(left.length), 0n])
      }),
      { numRuns: 60 },
    )
  },
)

test('error: a transfer stored twice fails and changes nothing', async () => {
  const collection = await createCollection('ERC1155')
  const transfer: Transfer = {
    position: positionOf(1, 0),
    item: 0,
    tokenId: '1',
    from: zeroAddress,
    to: holders[1]!,
    amount: '5',
    ...place,
  }
  const store = () => database.db.transaction((tx) => storeTransfers(tx, [transferGroup(collection, [transfer])]))
  await store()
  const before = await stored()
  expect(isUniqueViolation(await store().catch((error: unknown) => error))).toBe(true)
  expect(await stored()).toEqual(before)
})

test.each(standards)(
  'behavior: of two merges of %s at once each takes its own rows, and neither waits',
  async (standard) => {
    const one = await createCollection(standard)
    const two = await createCollection(standard, `0x${'bb'.repeat(20)}`)
    const mint = (block: number, token: number): Transfer => ({
      ...{ position: positionOf(block, 0), item: 0, tokenId: String(token), from: zeroAddress, to: holders[1]! },
      ...{ amount: '1', ...place },
    })
    const groups = [transferGroup(one, [mint(1, 1), mint(2, 2)]), transferGroup(two, [mint(3, 7)])] as const
    const listed = await database.db.transaction(async (tx) => {
      await stageTransfers(tx, [groups[0]])
      const beside = await database.db.transaction(async (next) => {
        await next.script(`SET LOCAL lock_timeout = '5s'`)
        await stageTransfers(next, [groups[1]])
        // The first one ends while the second one's rows are staged.
        return [await mergeStaged(tx, [groups[0]]), await mergeStaged(next, [groups[1]])]
      })
      expect(await stagedRows(tx)).toEqual([])
      return beside
    })
    expect(listed).toEqual([
      [{ partition: 7, id: one.id, listed: 2n, transfers: 2n }],
      [{ partition: 7, id: two.id, listed: 1n, transfers: 1n }],
    ])
    const tokens = await database.db.rows('SELECT collection_id, token_id, amount FROM token ORDER BY token_id')
    expect(tokens).toEqual([
      [one.id, '1', '1'],
      [one.id, '2', '1'],
      [two.id, '7', '1'],
    ])
  },
)
