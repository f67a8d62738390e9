import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { partitionOf } from '../../../sync/partition.ts'
import { type Address, hexToBuffer } from '../../../util/hex.ts'
import type { CollectionState } from '../../query.ts'
import { deleteCollection } from '../../store/requeueCollections.ts'
import { storeTransfers } from '../../store/storeTransfers.ts'
import type { TransferSource } from '../../transferQuery.ts'
import { positionOf, rangeOf } from '../../transfers/position.ts'
import { type CollectionKey, transferGroup } from '../../transfers/transferGroup.ts'
import { countTransfers, mostCounted } from './countTransfers.ts'

const chainId = 1n
const [giver, wallet]: [string, string] = ['2'.repeat(40), '1'.repeat(40)]
const hashOf = (block: number) => block.toString(16).padStart(64, '0')

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** A collection with a transfer to the wallet in each of these blocks. */
async function seed(address: Address, blocks: readonly number[]): Promise<CollectionKey> {
  const { db } = database
  const key = await seedCollection(db, { address, chainId, columns: { standard: 'ERC1155', from_block: 0n } })
  const collection: CollectionKey = { ...key, chainId, address, standard: 'ERC1155', idInData: false }
  const transfers = blocks.map((block) => ({
    ...{ position: positionOf(block, 0), item: 0, tokenId: '1', amount: '2', from: giver, to: wallet, operator: giver },
    ...{ transactionHash: 'ab'.repeat(32), transactionIndex: 0, blockHash: hashOf(block), blockTime: 1_600_000_000 },
  }))
  await db.transaction((tx) => storeTransfers(tx, [transferGroup(collection, transfers)]))
  for (const { position, item } of transfers)
    await db.run('INSERT INTO wallet_transfer VALUES ($1, $2, $3, $4, $5, $6, $7)', [
      ...[partitionOf(chainId, `0x${wallet}`), chainId, hexToBuffer(`0x${wallet}`), position, item],
      ...[key.id, key.partition],
    ])
  return collection
}

test('behavior: the transfer total excludes a collection that is being removed', async () => {
  const { db } = database
  const removed = await seed(`0x${'a1'.repeat(20)}`, [20, 22])
  const kept = await seed(`0x${'b2'.repeat(20)}`, [21, 23, 24])
  // Other rows are removed in steps, which may take minutes.
  await deleteCollection(db, { chainId, address: removed.address, requeue: true, held: false })
  const count = (source: TransferSource, from: bigint | null, to: bigint | null) =>
    countTransfers(db, source, { from, to })
  const chain = { of: 'chain', chainId } as const
  const ofWallet: TransferSource = { of: 'wallet', chainId, wallet: `0x${wallet}` }
  for (const source of [chain, ofWallet, { ...ofWallet, only: [kept] }, { ...ofWallet, only: [kept, removed] }]) {
    expect(await count(source, 0n, 30n)).toBe(3)
    expect(await count(source, null, 22n)).toBe(1)
  }
  expect(await count(ofWallet, null, null)).toBe(3)
  expect(await count({ ...ofWallet, only: [removed] }, null, null)).toBe(0)
  expect(await count({ ...chain, hash: `0x${hashOf(20)}` }, 20n, 20n)).toBe(0)
  expect(await count({ ...chain, hash: `0x${hashOf(23)}` }, 23n, 23n)).toBe(1)
})

test('behavior: a block not yet final counts transfers by hash, a final block counts them by number', async () => {
  const { db } = database
  await seed(`0x${'c3'.repeat(20)}`, [40])
  const of = (hash: number) =>
    countTransfers(db, { of: 'chain', chainId, hash: `0x${hashOf(hash)}` }, { from: 40n, to: 40n })
  await db.run('UPDATE chain SET finalized_number = 39')
  expect([await of(40), await of(41)]).toEqual([1, 0])
  await db.run('UPDATE chain SET finalized_number = 40')
  expect([await of(40), await of(41)]).toEqual([1, 1])
})

test('behavior: the transfer total is counted up to the limit and no further', async () => {
  const { db } = database
  const many = 2n
  const address: Address = `0x${'d4'.repeat(20)}`
  const key = await seedCollection(db, { address, chainId: many, columns: { standard: 'ERC1155', from_block: 0n } })
  const first = positionOf(50, 0)
  const add = async (from: number, to: number) => {
    await db.run(
      `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, block_hash)
       SELECT $1, $2, $3::int8 + i, 0, 1, $4, $5, 1, '\\x01', $6 FROM generate_series($7::int8, $8::int8) i`,
      [
        ...[key.partition, key.id, first],
        ...[giver, wallet, hashOf(50)].map((digits) => Buffer.from(digits, 'hex')),
        ...[from, to],
      ],
    )
    await db.run(
      'INSERT INTO wallet_transfer SELECT $1, $2, $3, $4::int8 + i, 0, $5, $6 FROM generate_series($7::int8, $8::int8) i',
      [
        ...[partitionOf(many, `0x${wallet}`), many, hexToBuffer(`0x${wallet}`), first],
        ...[key.id, key.partition, from, to],
      ],
    )
  }
  await db.run('INSERT INTO transfer_range (partition, chain_id, range, collection_id) VALUES ($1, $2, $3, $4)', [
    ...[key.partition, many, rangeOf(first), key.id],
  ])
  await add(1, mostCounted)
  await db.run('UPDATE chain SET finalized_number = 1000 WHERE id = $1', [many])
  const ofWallet: TransferSource = { of: 'wallet', chainId: many, wallet: `0x${wallet}` }
  const state = { ...key } as CollectionState
  const sources: TransferSource[] = [
    ofWallet,
    { ...ofWallet, only: [key] },
    { of: 'chain', chainId: many },
    { of: 'chain', chainId: many, hash: `0x${hashOf(50)}` },
    { of: 'contract', chainId: many, state, address },
    { of: 'contract', chainId: many, state, address, tokenId: 1n },
  ]
  const counts = () => Promise.all(sources.map((source) => countTransfers(db, source, { from: 50n, to: 50n })))
  expect(await counts()).toEqual(sources.map(() => mostCounted))
  await add(mostCounted + 1, mostCounted + 1)
  expect(await counts()).toEqual(sources.map(() => null))
})
