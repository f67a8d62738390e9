import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { scriptedEth as chain, historySubject, readWholeHistory } from '../../../test/historySlice.ts'
import { rowsRead } from '../../../test/rowsRead.ts'
import { createScriptedChain } from '../../../test/scriptedChain.ts'
import { seedLease, seedWorker } from '../../../test/seedLease.ts'
import { system } from '../../../test/system.ts'
import { indexHeaders } from '../../api/nft/collections/indexHeaders.ts'
import type { ContractReader } from '../../chain/evm/contracts/contract.ts'
import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../../chain/evm/source/source.ts'
import { tokenTopic } from '../../chain/evm/source/tokenEvents.ts'
import { describeIncomplete } from '../../cli/report/collectionReport.ts'
import type { Transaction } from '../../db/database.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import type { BlockHandler } from '../../sync/blockHandler.ts'
import { partitionOf } from '../../sync/partition.ts'
import { type Hex, hexToBuffer } from '../../util/hex.ts'
import { noopLog } from '../../util/log.ts'
import { followCollections } from '../index/followCollections.ts'
import { createNftQuery } from '../pages/createNftQuery.ts'
import { describeSkipped } from '../query.ts'

const address = `0x${'aa'.repeat(20)}` as const
const partition = partitionOf(chain.id, address)
let database: TestDatabase
let worker: number

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  const { db } = database
  await db.transaction((tx) =>
    tx.script('TRUNCATE collection, token, transfer, token_undo, left_out, metadata_due, worker, lease'),
  )
  worker = await seedWorker(db)
  await seedLease(db, 'partition', partition, worker)
})

const word = (n: number | bigint): Hex => `0x${n.toString(16).padStart(64, '0')}`

/** The events of a block: `[from, to, id]` is a Transfer, `[from, to, first, last]` a ConsecutiveTransfer. */
type Move = [from: number, to: number, first: number, last?: number | bigint]

function logsOf(blocks: readonly Move[][]): RpcLog[][] {
  return blocks.map((moves, number) =>
    moves.map(
      ([from, to, first, last], index): RpcLog => ({
        address,
        topics:
          last === undefined
            ? [tokenTopic.transfer, word(from), word(to), word(first)]
            : [tokenTopic.consecutiveTransfer, word(first), word(from), word(to)],
        data: last === undefined ? '0x' : word(last),
        blockNumber: `0x${number.toString(16)}`,
        blockHash: word(number),
        transactionHash: word(number * 1_000 + index),
        transactionIndex: '0x0',
        logIndex: `0x${index.toString(16)}`,
      }),
    ),
  )
}

async function createCollection(status: 'syncing' | 'live'): Promise<{ partition: number; id: bigint }> {
  const [row] = await database.db.rows<[bigint]>(
    `INSERT INTO collection (partition, chain_id, address, status, standard, from_block) VALUES ($1, $2, $3, $4, 'ERC721', 0)
     RETURNING id`,
    [partition, chain.id, hexToBuffer(address), status],
  )
  return { partition, id: row![0] }
}

/** Reads blocks as history. The first ranges have `width` blocks. */
async function readAsHistory(
  blocks: readonly RpcLog[][],
  options: { maxTokens: number; width: number },
): Promise<void> {
  const key = await createCollection('syncing')
  const scripted = createScriptedChain(address, 0)
  for (let i = 1; i < blocks.length; i++) scripted.add([])
  const source: EvmSource = {
    ...scripted.source,
    async logs(range, signal) {
      const { logs: _, ...answer } = await scripted.source.logs(range, signal)
      return { ...answer, logs: blocks.slice(Number(range.from), Number(answer.to) + 1).flat() }
    },
  }
  const settings = { rangesInFlight: 3, maxTokens: options.maxTokens }
  const subject = historySubject({ ...key, address, coverage: [], fromBlock: 0n })
  const outcome = await readWholeHistory({ db: database.db, source, worker, settings, width: options.width }, subject)
  expect(outcome).toBe('complete')
}

async function openFollower(maxTokens: number): Promise<BlockHandler> {
  const { source } = createScriptedChain(address, 8)
  const common = { chain, source, db: database.db, metrics: createMetrics(), log: noopLog }
  return followCollections({ ...common, contracts: {} as ContractReader, metadataCoolOffMs: 0, maxTokens })
}

async function followAll(handler: BlockHandler, blocks: readonly RpcLog[][], from = 0): Promise<void> {
  for (const [i, logs] of blocks.entries()) {
    if (i < from) continue
    await database.db.transaction((tx) => follow(tx, handler, i, logs))
  }
}

async function follow(tx: Transaction, handler: BlockHandler, i: number, logs: RpcLog[]): Promise<void> {
  const header = { number: BigInt(i), hash: word(i), parentHash: word(i), timestamp: BigInt(i), transactionCount: 1 }
  const nothing = async () => []
  const parts = { transactions: nothing, receipts: nothing, internalTransfers: nothing, balances: nothing }
  await handler.apply(tx, { header: { ...header, logsBloom: null }, logs, undoable: true, ...parts })
}

/** Returns a summary of all stored data of the collection. */
async function stored() {
  const [row] = await database.db.rows(
    `SELECT (SELECT count(*) FROM token), (SELECT count(*) FROM transfer), c.tokens, c.range_moves, c.wide_logs, c.surplus_transfers,
       (SELECT md5(string_agg(concat_ws(' ', token_id, owner, minter, last_position, first_position, amount, transfers), ',' ORDER BY token_hash)) FROM token),
       (SELECT md5(string_agg(concat_ws(' ', position, item, token_id, from_address, to_address), ',' ORDER BY position, item)) FROM transfer),
       (SELECT json_agg(concat_ws(' ', position, reason, transfers, transaction_hash) ORDER BY position) FROM left_out),
       c.transfers
     FROM collection c`,
  )
  expect(row!.at(-1), 'the counter of transfers').toBe(row![1])
  return row!
}

const clear = () =>
  database.db.transaction((tx) => tx.script('TRUNCATE collection, token, transfer, token_undo, left_out'))

test('behavior: logs of 5,000 tokens each are stored completely, in one range and in one block', system, async () => {
  // The logs need more than one chunk. Sixty such logs would take a minute on a busy machine.
  const blocks = logsOf([Array.from({ length: 11 }, (_, i): Move => [0, 1, i * 5_000, i * 5_000 + 4_999])])
  await readAsHistory(blocks, { maxTokens: 1_000_000, width: 1_000 })
  const history = await stored()
  expect(history.slice(0, 6)).toEqual([55_000n, 55_000n, 55_000n, 11n * 4_999n, 0n, 0n])
  await clear()
  await createCollection('live')
  await followAll(await openFollower(1_000_000), blocks)
  expect(await stored()).toEqual(history)
})

/** Blocks for a limit of thirty tokens: mints, moves and burns of single tokens and of ranges. Some exceed the limit. */
const crowded = logsOf([
  [[0, 1, 1, 10]],
  [[1, 2, 3]],
  [[0, 1, 1_000, 2n ** 255n]],
  [[0, 1, 11, 22]],
  [[2, 0, 3]],
  [
    [0, 3, 23],
    [0, 3, 24],
  ],
  [],
  [[0, 1, 25, 35]],
  [[1, 4, 30]],
  [
    [0, 1, 36],
    [1, 5, 5],
    [1, 5, 36],
  ],
  [[1, 6, 28, 33]],
  [[5, 7, 5]],
  [[0, 1, 200_000, 400_000]],
])
const maxTokens = 30

test.each([1, 2, 3, 5, 1_000])(
  'behavior: history in ranges of %i blocks skips the same transfers as following',
  async (width) => {
    await createCollection('live')
    await followAll(await openFollower(maxTokens), crowded)
    const followed = await stored()
    expect(followed.slice(0, 1)).toEqual([30n])
    await clear()
    await readAsHistory(crowded, { maxTokens, width })
    expect(await stored()).toEqual(followed)
  },
)

test('behavior: the collection shows what was skipped and why, and keeps its status', async () => {
  await createCollection('live')
  await followAll(await openFollower(maxTokens), crowded)
  const state = await createNftQuery({ db: database.db }).state(chain.id, address)
  expect(state?.skipped).toEqual({ oversizedLogs: 2n, overLimitTransfers: 13n })
  expect(state?.status).toBe('live')
  expect(describeSkipped(state!.skipped)).toBe(
    'omitted: 2 logs with more than 100000 tokens each, 13 transfers beyond sync.maxTokens',
  )
  const headers = indexHeaders(state)
  expect(headers[headers.indexOf('x-index-incomplete') + 1]).toBe(describeSkipped(state!.skipped))
  expect(describeIncomplete(state!)).toEqual([`incomplete: ${describeSkipped(state!.skipped)}`])
})

test('behavior: a reorganisation also reverts the skipped counts, and later blocks have the same limits', async () => {
  for (let fork = crowded.length - 1; fork >= 0; fork--) {
    await clear()
    await createCollection('live')
    const own = await openFollower(maxTokens)
    await followAll(own, crowded.slice(0, fork + 1))
    const before = await stored()
    await followAll(own, crowded, fork + 1)
    const after = await stored()
    await database.db.transaction((tx) => own.revert(tx, BigInt(fork)))
    expect(await stored(), `back to block ${fork}`).toEqual(before)
    await followAll(own, crowded, fork + 1)
    expect(await stored(), `from block ${fork} again`).toEqual(after)
  }
})

test('behavior: a reorganisation keeps the skipped counts of the history, whose blocks are final', async () => {
  await readAsHistory(crowded, { maxTokens, width: 2 })
  const before = await stored()
  const handler = await openFollower(maxTokens)
  await database.db.transaction((tx) => handler.revert(tx, 0n))
  expect(await stored()).toEqual(before)
  expect(before[8]).not.toBeNull()
})

test('behavior: the token limit also bounds logs that move the same tokens repeatedly', async () => {
  const blocks = logsOf(Array.from({ length: 12 }, (_, i): Move[] => [[i, i + 1, 1, 10]]))
  await createCollection('live')
  await followAll(await openFollower(50), blocks)
  const followed = await stored()
  expect(followed.slice(0, 6)).toEqual([10n, 50n, 10n, 45n, 0n, 70n])
  await clear()
  await readAsHistory(blocks, { maxTokens: 50, width: 2 })
  expect(await stored()).toEqual(followed)
})

test('behavior: the first block followed after a start does not count the tokens of a collection below its limit', async () => {
  const { db } = database
  const { partition, id } = await createCollection('live')
  await db.run(
    `INSERT INTO token (partition, collection_id, token_hash, token_id, last_position, first_position, amount, holders)
     SELECT $1, $2, md5(n::text)::uuid, 1000000 + n, 1, 1, 1, 1 FROM generate_series(1, 5000) n`,
    [partition, id],
  )
  await db.run('UPDATE collection SET tokens = 5000, transfers = 5000')
  const handler = await openFollower(1_000_000)
  const [, logs] = logsOf([[], [[0, 1, 5]]])
  const read = await db.transaction((tx) => rowsRead(tx, 'token', () => follow(tx, handler, 1, logs!)))
  expect(read).toBeLessThan(500)
})
