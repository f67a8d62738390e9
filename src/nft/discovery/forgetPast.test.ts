import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import {
  addressOf,
  blockOf,
  createDiscovery,
  followed,
  keepDays,
  readRows,
  step,
} from '../../../test/discoverySteps.ts'
import { allRowsRead } from '../../../test/rowsRead.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import type { Address } from '../../util/hex.ts'
import { insertKnown } from '../store/knownContracts.ts'
import { deleteCollection } from '../store/requeueCollections.ts'
import { mostForgotten } from './forgetPast.ts'
import { mostUndone } from './undoCounts.ts'

const chainId = 1n
const day = 86_400
const start = 1_700_000_000

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(() =>
  database.db.transaction((tx) =>
    tx.script('TRUNCATE collection, wallet, discovered_contract, discovered_hour, discovered_block'),
  ),
)

test('behavior: pruning or undoing discovery keeps a contract that a wallet needs, an operator flagged or is indexed', async () => {
  const handler = createDiscovery(database.db)
  const [needed, flagged, indexed, other] = [1, 2, 3, 4].map(addressOf) as [Address, Address, Address, Address]
  await seedCollection(database.db, { address: indexed, chainId })
  await step(database.db, handler, {
    fork: 0n,
    blocks: [blockOf(1n, start, [needed, flagged, indexed, other])],
    finalized: 0n,
  })
  await insertKnown(database.db, chainId, [{ address: needed, standard: 'ERC721' }], { discovered: false })
  await database.db.run('UPDATE collection SET spam_override = true WHERE address = $1', [
    Buffer.from(flagged.slice(2), 'hex'),
  ])
  const stays = [needed, flagged, indexed]
  expect((await readRows(database.db)).known).toEqual([...stays, other])
  await step(database.db, handler, { fork: 0n, blocks: [], finalized: 0n, reverted: true })
  expect(await readRows(database.db)).toEqual({ rows: [], hours: [], known: stays })
  await step(database.db, handler, { fork: 0n, blocks: [blockOf(1n, start, [...stays, other])], finalized: 1n })
  expect((await readRows(database.db)).known).toEqual([...stays, other])
  await step(database.db, handler, { fork: 1n, blocks: [blockOf(2n, start + (keepDays + 1) * day, [])], finalized: 1n })
  expect(await readRows(database.db)).toEqual({ rows: [], hours: [], known: stays })
})

test('behavior: a removed collection becomes known again while its discovery is kept', async () => {
  const handler = createDiscovery(database.db)
  const address = addressOf(5)
  await seedCollection(database.db, { address, chainId, columns: { name: 'Found' } })
  await step(database.db, handler, { fork: 0n, blocks: [blockOf(1n, start, [address])], finalized: 1n })
  await deleteCollection(database.db, { chainId, address, requeue: false, held: false })
  const known = () => database.db.rows('SELECT status, name, discovered FROM collection')
  expect(await known()).toEqual([['known', 'Found', true]])
  await step(database.db, handler, { fork: 1n, blocks: [blockOf(2n, start + (keepDays + 1) * day, [])], finalized: 1n })
  expect(await known()).toEqual([])
})

test('behavior: 20,000 contracts in one block are stored, and pruned in parts with a bounded number per step', {
  tags: ['system'],
}, async () => {
  const handler = createDiscovery(database.db)
  const flood = Array.from({ length: 20_000 }, (_, i) => addressOf(i + 1))
  const blocks = [1n, 2n].map((number) => blockOf(number, start, flood))
  const all = blocks.map((block) => followed(block, true))
  // The second block remains for the next transaction.
  expect(handler.fitting?.(all)).toBe(1)
  await step(database.db, handler, { fork: 0n, blocks: [blocks[0]!], finalized: 0n })
  const counted = async (table: string) =>
    Number((await database.db.rows<[bigint]>(`SELECT count(*) FROM ${table}`))[0]![0])
  const tables = ['discovered_contract', 'discovered_hour', 'discovered_block', 'collection']
  expect(await Promise.all(tables.map(counted))).toEqual(tables.map(() => flood.length))
  let number = 1n
  const later = () => blockOf(++number, start + (keepDays + 1) * day, [])
  for (let remaining = flood.length - mostForgotten; remaining >= 0; remaining -= mostForgotten) {
    await step(database.db, handler, { fork: number, blocks: [later()], finalized: 1n })
    expect(await counted('discovered_hour')).toBe(remaining)
  }
  expect(await counted('discovered_contract')).toBe(flood.length)
  while ((await counted('discovered_contract')) > 0)
    await step(database.db, handler, { fork: number, blocks: [later()], finalized: 1n })
  expect(await counted('collection')).toBe(0)
})

test('behavior: a large reorg is undone from its last block down, and undo data of final blocks is pruned in parts', {
  tags: ['system'],
}, async () => {
  const handler = createDiscovery(database.db)
  const many = Array.from({ length: Math.ceil(mostUndone * 0.7) }, (_, i) => addressOf(i + 1))
  const blocks = [1n, 2n, 3n].map((number) => blockOf(number, start, many))
  for (const block of blocks)
    await step(database.db, handler, { fork: block.number - 1n, blocks: [block], finalized: 0n })
  const all = await readRows(database.db)
  const backTo = []
  for (let cursor = 3n; cursor > 1n; ) {
    cursor = await handler.undoTo!(1n, { number: cursor, hash: '0x', finalized: 0n, worker: 1 })
    backTo.push(cursor)
    await step(database.db, handler, { fork: cursor, blocks: [], finalized: 0n, reverted: true })
  }
  expect(backTo).toEqual([2n, 1n])
  expect((await readRows(database.db)).rows.map(([, , , seen]) => seen)).toEqual(many.map(() => 1n))
  for (const block of blocks.slice(1))
    await step(database.db, handler, { fork: block.number - 1n, blocks: [block], finalized: 0n })
  expect(await readRows(database.db)).toEqual(all)

  const remaining = async () =>
    (await database.db.rows<[bigint]>('SELECT DISTINCT block_number FROM discovered_block ORDER BY 1')).flat()
  const kept = []
  for (let number = 4n; (await remaining()).length > 0; number++) {
    const quiet = blockOf(number, start, [])
    await step(database.db, handler, { fork: number - 1n, blocks: [quiet], finalized: 3n })
    kept.push(await remaining())
  }
  expect(kept).toEqual([[3n], []])
  expect(await readRows(database.db)).toEqual(all)
})

test('behavior: a quiet block reads few rows, even if many contracts are known', async () => {
  const handler = createDiscovery(database.db)
  const contracts = Array.from({ length: 1_000 }, (_, i) => addressOf(i + 1))
  await step(database.db, handler, { fork: 0n, blocks: [blockOf(1n, start, contracts)], finalized: 1n })
  await database.db.run('ANALYZE discovered_contract, discovered_hour, discovered_block, collection')
  await step(database.db, handler, { fork: 1n, blocks: [blockOf(2n, start, [])], finalized: 1n })
  const quiet = followed(blockOf(3n, start, [contracts[0]!]), true)
  await handler.prepare?.({ fork: 2n, blocks: [quiet] })
  const read = await database.db.transaction((tx) =>
    allRowsRead(tx, async () => {
      await handler.apply(tx, quiet)
      await handler.finalize(tx, 2n)
    }),
  )
  for (const [table, rows] of Object.entries(read)) expect(rows, table).toBeLessThan(20)
})

test('behavior: a chain without discovery stores nothing, and undoes what it stored before', async () => {
  const address = addressOf(1)
  await step(database.db, createDiscovery(database.db), {
    fork: 0n,
    blocks: [blockOf(1n, start, [address])],
    finalized: 0n,
  })
  const off = createDiscovery(database.db, false)
  expect(off.topics).toEqual([])
  await step(database.db, off, { fork: 1n, blocks: [blockOf(2n, start, [addressOf(2)])], finalized: 0n })
  expect((await readRows(database.db)).known).toEqual([address])
  await step(database.db, off, { fork: 0n, blocks: [], finalized: 0n, reverted: true })
  expect((await readRows(database.db)).known).toEqual([])
})
