import { toHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LogToEmit, transferLogs } from '../../../../test/contracts/transferLogs.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { laterBy } from '../../../../test/laterBy.ts'
import { createScriptedChain } from '../../../../test/scriptedChain.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { knownChains } from '../../../chain/evm/chains.ts'
import type { ContractReader } from '../../../chain/evm/contracts/contract.ts'
import { tokenTopic } from '../../../chain/evm/source/tokenEvents.ts'
import { createMetrics } from '../../../metrics/metrics.ts'
import type { Address, Hex } from '../../../util/hex.ts'
import { noopLog } from '../../../util/log.ts'
import { followCollections } from '../../index/followCollections.ts'
import type { Standard } from '../../transfers/decodeTransfers.ts'
import { sweepPart } from './sweep.ts'

const chain = { ...knownChains[0]!, name: 'eth', configured: false }
const holder: Address = `0x${'11'.repeat(20)}`
let database: TestDatabase
let collections = 0
let block = 0

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const word = (n: bigint | number): Hex => toHex(n, { size: 32 })

/** Makes a live collection, and blocks that contain only its logs. */
async function follow(standard: Standard, tokens: readonly bigint[] = []) {
  const { db } = database
  const address: Address = `0x${toHex(++collections, { size: 20 }).slice(2)}`
  const key = await seedCollection(db, { address, chainId: chain.id, tokens, columns: { standard } })
  const { source } = createScriptedChain(address, 8)
  const handler = await followCollections({
    ...{ chain, source, db, metrics: createMetrics(), log: noopLog },
    ...{ contracts: {} as ContractReader, metadataCoolOffMs: 0, maxTokens: 100_000 },
  })
  const ids = [key.partition, key.id]
  /** Whether a sweep of the collection is requested. */
  async function isUnswept(): Promise<boolean> {
    const sql = 'SELECT metadata_unswept FROM collection WHERE partition = $1 AND id = $2'
    const [row] = await db.rows<[boolean]>(sql, ids)
    return row![0]
  }
  return {
    key,
    async apply(logs: readonly LogToEmit[]): Promise<void> {
      const number = BigInt(++block)
      const place = { blockNumber: toHex(number), blockHash: word(number), transactionIndex: '0x0' as const }
      const header = {
        number,
        hash: word(number),
        parentHash: word(number - 1n),
        timestamp: number,
        transactionCount: 1,
      }
      const nothing = async () => []
      const parts = { transactions: nothing, receipts: nothing, internalTransfers: nothing, balances: nothing }
      const rpcLogs = logs.map(({ topics, data }, i) => ({
        ...{ address, topics: [...topics], data, ...place },
        ...{ transactionHash: word(number * 1_000n + BigInt(i)), logIndex: toHex(i) },
      }))
      await db.transaction((tx) =>
        handler.apply(tx, { header: { ...header, logsBloom: null }, logs: rpcLogs, undoable: true, ...parts }),
      )
    },
    /** Undoes the last `depth` blocks. */
    async undo(depth: number): Promise<void> {
      block -= depth
      await db.transaction((tx) => handler.revert(tx, BigInt(block)))
    },
    finalize: () => db.transaction((tx) => handler.finalize(tx, BigInt(block))),
    /** Returns the ids that are due now, in order. */
    async readDue(): Promise<string[]> {
      const rows = await db.rows<[string]>(
        'SELECT token_id FROM metadata_due WHERE partition = $1 AND collection_id = $2 AND due_at <= now() ORDER BY token_id',
        ids,
      )
      return rows.flat()
    },
    /** Marks every token as read, and those of `failed` as failed with a long pause. */
    async read(failed: readonly string[] = []): Promise<void> {
      await db.run('DELETE FROM metadata_due WHERE partition = $1 AND collection_id = $2', ids)
      await db.run(
        `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, record, tried_at)
         SELECT partition, collection_id, token_hash, 'ok', 0, '', now() FROM token WHERE partition = $1 AND collection_id = $2
         ON CONFLICT DO NOTHING`,
        ids,
      )
      await db.run(
        `INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at, attempts)
         SELECT partition, collection_id, token_hash, token_id, now() + interval '7 days', 7 FROM token
         WHERE partition = $1 AND collection_id = $2 AND token_id = ANY($3::numeric[])`,
        [...ids, failed],
      )
    },
    isUnswept,
    /** Sweeps to the end, as `readMetadata` does. */
    async sweep(): Promise<void> {
      while (await isUnswept()) await db.transaction((tx) => sweepPart(tx, key, 0))
    },
  }
}

/** BatchMetadataUpdate of ERC-4906, both ends included. */
const changed = (from: bigint, to: bigint): LogToEmit => ({
  topics: [tokenTopic.batchMetadataUpdate],
  data: `0x${word(from).slice(2)}${word(to).slice(2)}`,
})

const idsFrom = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => String(from + i))

const mint721 = (id: bigint) => transferLogs.erc721(zeroAddress, holder, id)
const burn721 = (id: bigint) => transferLogs.erc721(holder, zeroAddress, id)
const mint1155 = (id: bigint) => transferLogs.single(holder, zeroAddress, holder, id, 1n)

test('default: tokens minted in a block become due, and moved ones do not', async () => {
  const { apply, readDue } = await follow('ERC721', [1n])
  await apply([mint721(2n), mint721(3n), transferLogs.erc721(holder, `0x${'22'.repeat(20)}`, 1n)])
  expect(await readDue()).toEqual(['2', '3'])
})

test('behavior: more mints of a known ERC-1155 id do not make it due, but an unknown id beside it', async () => {
  const { apply, readDue, read } = await follow('ERC1155')
  await apply([mint1155(1n)])
  expect(await readDue()).toEqual(['1'])
  await read()
  for (let i = 0; i < 3; i++) await apply([mint1155(1n), mint1155(1n)])
  expect(await readDue()).toEqual([])
  await apply([mint1155(1n), transferLogs.batch(holder, zeroAddress, holder, [1n, 2n], [5n, 5n])])
  expect(await readDue()).toEqual(['2'])
})

test('behavior: a mint of a failed ERC-1155 id neither ends its pause nor resets its attempts', async () => {
  const { apply, readDue, read, key } = await follow('ERC1155')
  await apply([mint1155(1n)])
  await read(['1'])
  await apply([mint1155(1n)])
  expect(await readDue()).toEqual([])
  expect(await database.db.rows('SELECT attempts FROM metadata_due WHERE collection_id = $1', [key.id])).toEqual([[7]])
})

test('behavior: a mint of an id that is already due keeps its due time', async () => {
  const { apply, key } = await follow('ERC1155')
  const place = () => database.db.rows('SELECT due_at FROM metadata_due WHERE collection_id = $1', [key.id])
  await apply([mint1155(1n)])
  const earlier = laterBy('due_at', "interval '-1 hour'")
  await database.db.run(`UPDATE metadata_due SET due_at = ${earlier} WHERE collection_id = $1`, [key.id])
  const before = await place()
  await apply([mint1155(1n)])
  expect(await place()).toEqual(before)
})

test('behavior: a fully burned id is deleted, and is read when it is minted again', async () => {
  const { apply, readDue, read } = await follow('ERC1155')
  await apply([mint1155(1n)])
  await read()
  await apply([transferLogs.single(holder, holder, zeroAddress, 1n, 1n)])
  await apply([mint1155(1n)])
  expect(await readDue()).toEqual(['1'])
})

test('behavior: an ERC-721 token that is burned and minted again in one block is read again', async () => {
  const { apply, readDue, read } = await follow('ERC721')
  await apply([mint721(1n), mint721(2n)])
  await read()
  await apply([burn721(1n), mint721(1n)])
  expect(await readDue()).toEqual(['1'])
})

test('behavior: a URI event beside the mint of a known id triggers a metadata read', async () => {
  const { apply, readDue, read } = await follow('ERC1155')
  await apply([mint1155(1n), mint1155(2n)])
  await read(['2'])
  const uri = (id: bigint): LogToEmit => ({ topics: [tokenTopic.uri, word(id)], data: '0x' })
  await apply([mint1155(1n), uri(1n), mint1155(2n), uri(2n)])
  expect(await readDue()).toEqual(['1', '2'])
})

const update = (id: bigint) => ({ topics: [tokenTopic.metadataUpdate], data: word(id) })
const updateAll = { topics: [tokenTopic.batchMetadataUpdate], data: `${word(0n)}${word(2n ** 200n).slice(2)}` } as const

test('behavior: a token that was read because of an event is read again if the block of the event is undone', async () => {
  const { apply, readDue, read, undo } = await follow('ERC721', [1n, 2n, 3n])
  await apply([update(3n)])
  await apply([update(1n)])
  await apply([update(2n), update(9n)])
  await read()
  await undo(2)
  expect(await readDue()).toEqual(['1', '2'])
  // A reorganisation makes the tokens due only once; the next one does not do it again.
  await read()
  await apply([])
  await undo(1)
  expect(await readDue()).toEqual([])
})

test('behavior: if the block of a collection-wide update is undone, the collection is swept again', async () => {
  const { apply, readDue, isUnswept, read, sweep, undo } = await follow('ERC721', [1n, 2n])
  await apply([update(1n)])
  await apply([updateAll])
  expect(await isUnswept()).toBe(true)
  await sweep()
  await read()
  await undo(1)
  expect(await isUnswept()).toBe(true)
  await sweep()
  expect(await readDue()).toEqual(['1', '2'])
})

test('behavior: if the block of an update of a wide range is undone, the tokens of the range are read again', async () => {
  const { apply, readDue, read, sweep, undo } = await follow('ERC721', [1n, 2n, 5_000n, 9_999n])
  await apply([changed(2n, 5_000n), update(9_999n)])
  await sweep()
  await read()
  await undo(1)
  await sweep()
  expect(await readDue()).toEqual(['2', '5000', '9999'])
})

test('behavior: a token burned and minted again in undone blocks is read again as the old token', async () => {
  const { apply, readDue, read, undo } = await follow('ERC721')
  await apply([mint721(1n), mint721(2n)])
  await read()
  await apply([burn721(1n)])
  await apply([mint721(1n), mint721(3n)])
  await read()
  await undo(2)
  expect(await readDue()).toEqual(['1'])
})

test('behavior: finalizing a block deletes the undo records of its metadata updates', async () => {
  const { apply, finalize, key } = await follow('ERC721', [1n])
  await apply([update(1n)])
  await apply([updateAll])
  const kept = () => database.db.rows('SELECT 1 FROM metadata_undo WHERE collection_id = $1', [key.id])
  expect(await kept()).toHaveLength(2)
  await finalize()
  expect(await kept()).toEqual([])
})

test('behavior: an event that lists 101 ids triggers their reads without a sweep', async () => {
  const { apply, readDue, read, isUnswept } = await follow('ERC721', idsFrom(0, 299).map(BigInt))
  await read()
  await apply([changed(100n, 200n)])
  expect(await readDue()).toEqual(idsFrom(100, 200))
  expect(await isUnswept()).toBe(false)
})

test('behavior: a sweep finds the ids over a thousand of one block, and only these are read again', async () => {
  const ids = [...idsFrom(0, 40), ...idsFrom(1_000_000, 1_000_040)]
  const { apply, readDue, read, sweep } = await follow('ERC721', ids.map(BigInt))
  await read()
  await apply([changed(30n, 39n), changed(40n, 1_000_009n), changed(1_000_020n, 1_000_029n)])
  expect(await readDue()).toEqual([...idsFrom(30, 39), ...idsFrom(1_000_020, 1_000_029)])
  await read()
  await sweep()
  expect(await readDue()).toEqual(['40', ...idsFrom(1_000_000, 1_000_009)])
})

test('behavior: reads the greatest possible id, and ignores a range that ends before it begins', async () => {
  const last = 2n ** 256n - 1n
  const { apply, readDue, read, sweep, isUnswept } = await follow('ERC721', [1n, 7n, last])
  await read()
  await apply([changed(7n, 1n)])
  expect(await isUnswept()).toBe(false)
  await apply([changed(2n, last)])
  await sweep()
  expect(await readDue()).toEqual(['7', String(last)])
})

test.each([
  ['a named update', 1n, 1n],
  ['an update of a few', 0n, 50n],
  ['an update of many', 0n, 5_000n],
  ['an update of all', 0n, 2n ** 256n - 1n],
])('behavior: %s ends the pause of a failed token and resets its attempts', async (_, from, to) => {
  const { apply, readDue, read, sweep, key } = await follow('ERC721', [1n, 2n])
  await read(['1'])
  await apply([changed(from, to)])
  await sweep()
  expect(await readDue()).toContain('1')
  expect(
    await database.db.rows('SELECT attempts FROM metadata_due WHERE collection_id = $1 AND token_id = 1', [key.id]),
  ).toEqual([[0]])
})
