import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { hexToBuffer } from '../../util/hex.ts'
import { blockOfPosition, positionOf, positionsPerBlock } from '../transfers/position.ts'
import { type Transfer, zeroAddress } from '../transfers/transfer.ts'
import { type CollectionKey, transferGroup } from '../transfers/transferGroup.ts'
import { revertTransfers } from './revertTransfers.ts'
import { storeTransfers } from './storeTransfers.ts'

const chainId = 1n
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(clear)

function clear(): Promise<void> {
  return database.db.transaction((tx) =>
    tx.script('TRUNCATE collection, token, balance, transfer, transfer_range, token_undo'),
  )
}

async function createCollection(digit: string): Promise<CollectionKey> {
  const address = `0x${digit.repeat(40)}` as const
  const [row] = await database.db.rows<[bigint]>(
    `INSERT INTO collection (partition, chain_id, address, status, standard, from_block) VALUES (7, $1, $2, 'live', 'ERC1155', 0) RETURNING id`,
    [chainId, hexToBuffer(address)],
  )
  return { partition: 7, id: row![0], chainId, address, standard: 'ERC1155', idInData: false }
}

/** Returns the transaction and block of a transfer. Every third block has no time. */
const placeIn = (block: number) => ({
  operator: block % 2 === 0 ? 'cd'.repeat(20) : null,
  transactionHash: 'ab'.repeat(32),
  transactionIndex: block % 5 === 0 ? null : block,
  blockHash: block.toString(16).padStart(64, '0'),
  blockTime: block % 3 === 0 ? null : 1_000 + block,
})

const mint = (block: number, index: number): Transfer => ({
  ...{ position: positionOf(block, index), item: 0, tokenId: '1', from: zeroAddress, to: '11'.repeat(20), amount: '2' },
  ...placeIn(block),
})

const blockOf = ({ position }: Transfer) => Number(blockOfPosition(BigInt(position)))

/** Transfers in the order of their positions. */
const minted = fc.array(fc.oneof(fc.nat(2), fc.nat(200)), { maxLength: 40 }).map((steps) => {
  let block = 10
  return steps.map((blocks, index) => {
    block += blocks
    return mint(block, index)
  })
})

/** Returns number, hash and time of every block of the collection with a transfer. */
async function storedBlocks({ id }: CollectionKey): Promise<unknown[]> {
  return database.db.rows(
    `SELECT DISTINCT (position / ${positionsPerBlock})::int4, encode(block_hash, 'hex'), block_time::int4 FROM transfer
     WHERE collection_id = $1 ORDER BY 1`,
    [id],
  )
}

function trueBlocks(transfers: readonly Transfer[]): unknown[] {
  return [...new Set(transfers.map(blockOf))].map((block) => {
    const { blockHash, blockTime } = placeIn(block)
    return [block, blockHash, blockTime]
  })
}

async function storedRanges({ id }: CollectionKey): Promise<number[]> {
  const rows = await database.db.rows<[number]>(
    'SELECT range::int4 FROM transfer_range WHERE partition = 7 AND chain_id = $1 AND collection_id = $2 ORDER BY range',
    [chainId, id],
  )
  return rows.map(([range]) => range)
}

const trueRanges = (transfers: readonly Transfer[]) => [
  ...new Set(transfers.map((transfer) => Math.floor(blockOf(transfer) / 128))),
]

test('default: transfers have their blocks, and each block range with transfers is recorded once, however they are split', async () => {
  await fc.assert(
    fc.asyncProperty(minted, fc.array(fc.nat(40), { maxLength: 4 }), async (transfers, cuts) => {
      await clear()
      const collection = await createCollection('a')
      const ends = [...cuts.toSorted((a, b) => a - b), transfers.length]
      await database.db.transaction(async (tx) => {
        for (const [i, end] of ends.entries())
          await storeTransfers(tx, [transferGroup(collection, transfers.slice(ends[i - 1] ?? 0, end))])
      })
      expect(await storedBlocks(collection)).toEqual(trueBlocks(transfers))
      expect(await storedRanges(collection)).toEqual(trueRanges(transfers))
      const places = await database.db.rows(
        `SELECT transaction_index, encode(operator, 'hex') FROM transfer ORDER BY position`,
      )
      expect(places).toEqual(transfers.map(({ transactionIndex, operator }) => [transactionIndex, operator]))
    }),
    { numRuns: 40 },
  )
})

test('behavior: a reorganisation removes only the block ranges in which a collection no longer has transfers', async () => {
  const [one, two] = [await createCollection('a'), await createCollection('b')]
  const kept = [mint(1, 0), mint(130, 0)]
  await database.db.transaction((tx) => storeTransfers(tx, [transferGroup(one, kept), transferGroup(two, kept)]))
  for (const block of [140, 255, 256, 900])
    await database.db.transaction((tx) =>
      storeTransfers(tx, [transferGroup(one, [mint(block, 0)]), transferGroup(two, [mint(block, 1)])], {
        ...{ chainId, number: BigInt(block) },
      }),
    )
  await database.db.transaction((tx) => revertTransfers(tx, chainId, 140n))
  const remaining = [...kept, mint(140, 0)]
  for (const collection of [one, two]) {
    expect(await storedBlocks(collection)).toEqual(trueBlocks(remaining))
    expect(await storedRanges(collection)).toEqual([0, 1])
  }
})
