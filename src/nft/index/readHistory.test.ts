import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { historySubject, readWholeHistory } from '../../../test/historySlice.ts'
import { onCluster } from '../../../test/onCluster.ts'
import { createScriptedChain } from '../../../test/scriptedChain.ts'
import { seedLease, seedWorker } from '../../../test/seedLease.ts'
import { watchTransactions } from '../../../test/watchTransactions.ts'
import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../../chain/evm/source/source.ts'
import { tokenTopic } from '../../chain/evm/source/tokenEvents.ts'
import type { Database } from '../../db/database.ts'
import { parseMultirange } from '../../sync/blockRange.ts'
import { type Hex, hexToBuffer } from '../../util/hex.ts'
import type { DueCollection } from '../store/collectionStore.ts'
import { collectionHistory, coverOf } from '../store/historyQueue.ts'
import { stageTransfers, storeTransfers } from '../store/storeTransfers.ts'
import { decodeTransfers, type TransferForm } from '../transfers/decodeTransfers.ts'
import { type CollectionKey, transferGroup } from '../transfers/transferGroup.ts'
import { type HistoryOptions, type HistoryOutcome, SliceLostError } from './history.ts'

const address = '0x00000000000000000000000000000000000000aa'
const blocks = 60
const erc721 = { standard: 'ERC721', idInData: false } as const
let database: TestDatabase
let worker: number

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  const { db } = database
  await db.transaction((tx) => tx.script('TRUNCATE collection, token, transfer, worker, lease'))
  worker = await seedWorker(db)
  await seedLease(db, 'partition', 7, worker)
})

/** Each block mints one token, and the next block moves it. */
function scripted() {
  const chain = createScriptedChain(address, 0)
  for (let token = 1; token < blocks; token++) {
    const moved = token > 1 ? [{ token: token - 1, from: 1, to: 2 }] : []
    chain.add([{ token, from: 0, to: 1 }, ...moved])
  }
  return chain
}

async function createCollection(
  form: TransferForm | null = erc721,
): Promise<DueCollection & CollectionKey & { fromBlock: bigint }> {
  const [row] = await database.db.rows<[bigint]>(
    `INSERT INTO collection (partition, chain_id, address, status, standard, from_block) VALUES (7, 1, $1, 'syncing', $2, 0) RETURNING id`,
    [hexToBuffer(address), form?.standard ?? null],
  )
  const subject = historySubject({ partition: 7, id: row![0], address, coverage: [], fromBlock: 0n } as const)
  return { ...subject, ...erc721, form }
}

function read(
  source: EvmSource,
  subject: DueCollection & { fromBlock: bigint },
  options: { workPriority?: HistoryOptions['workPriority']; db?: Database } = {},
): Promise<HistoryOutcome> {
  const settings = { rangesInFlight: 3, maxTokens: 1_000 }
  return readWholeHistory({ db: database.db, source, worker, settings, width: 4, ...options }, subject)
}

/** Runs `act` before the answer to the first request for blocks above 0. */
function actingOnce(source: EvmSource, act: (from: bigint, to: bigint) => Promise<void>): EvmSource {
  let acted = false
  return {
    ...source,
    async logs(range, signal) {
      const answer = await source.logs(range, signal)
      if (!acted && range.from > 0n) {
        acted = true
        await act(range.from, answer.to)
      }
      return answer
    },
  }
}

async function counts(): Promise<{ transfers: number; tokens: number; counted: number; doubles: number }> {
  const [row] = await database.db.rows<[bigint, bigint, bigint, bigint]>(
    `SELECT (SELECT count(*) FROM transfer), (SELECT count(*) FROM token WHERE amount > 0), (SELECT tokens FROM collection),
       (SELECT count(*) FROM (SELECT 1 FROM transfer GROUP BY position, item HAVING count(*) > 1) d)`,
  )
  const [transfers, tokens, counted, doubles] = row!.map(Number) as [number, number, number, number]
  return { transfers, tokens, counted, doubles }
}

test('default: many small ranges add up to the whole history', async () => {
  const subject = await createCollection()
  expect(await read(scripted().source, subject)).toBe('complete')
  expect(await counts()).toEqual({ transfers: 2 * blocks - 3, tokens: blocks - 1, counted: blocks - 1, doubles: 0 })
  const wrong = await database.db.rows(
    `SELECT token_id FROM token WHERE (encode(owner, 'hex') LIKE '%01') <> (token_id = $1)`,
    [blocks - 1],
  )
  expect(wrong).toEqual([])
})

test('behavior: while urgent work is overdue, ranges are narrow, and each range is scheduled together with its commit', async () => {
  const requested: bigint[] = []
  const chain = scripted().source
  const source: EvmSource = {
    ...chain,
    logs(range, signal) {
      requested.push(range.to - range.from + 1n)
      return chain.logs(range, signal)
    },
  }
  let slices = 0
  let last = Promise.resolve()
  const workPriority = {
    size: () => 8,
    /** Runs one task at a time. A range that waited for another one inside its task would never be stored. */
    async schedule<T>(_work: string, _signal: AbortSignal, task: () => Promise<T>): Promise<T> {
      slices += 1
      const result = last.then(task)
      last = result.then(() => undefined)
      return result
    },
  }
  expect(await read(source, await createCollection(), { workPriority })).toBe('complete')
  expect(await counts()).toEqual({ transfers: 2 * blocks - 3, tokens: blocks - 1, counted: blocks - 1, doubles: 0 })
  expect(slices).toBeGreaterThanOrEqual(requested.length)
  // Each block has two logs, and a read wants 8. Without that limit history would double its ranges until the end.
  expect(requested.every((width) => width <= 4n)).toBe(true)
  await database.db.run('TRUNCATE collection, token, transfer')
  requested.length = 0
  expect(await read(source, await createCollection())).toBe('complete')
  expect(requested.some((width) => width > 4n)).toBe(true)
})

test('behavior: while the chain is followed, history ends at the block that is final here, though nodes report a later one', async () => {
  const { db } = database
  await seedChain(40n)
  const subject = await createCollection()
  expect(await read(scripted().source, subject)).toBe('complete')
  const coverage = async () => (await db.rows<[string]>('SELECT coverage::text FROM collection'))[0]![0]
  expect(await coverage()).toBe('{[0,41)}')
  // The chain is not followed, so nothing else reads the missing blocks.
  await db.run('UPDATE chain SET block_number = NULL, block_hash = NULL')
  expect(await read(scripted().source, { ...subject, coverage: parseMultirange(await coverage()) })).toBe('complete')
  expect(await coverage()).toBe(`{[0,${blocks})}`)
  await db.run('DELETE FROM chain')
})

const seedChain = (finalized: bigint) =>
  database.db.run(
    `INSERT INTO chain (id, genesis_hash, block_number, block_hash, head_number, finalized_number) VALUES (1, '\\x00', $1, '\\x00', $1, $1)`,
    [finalized],
  )

test('error: a range that another worker stored first ends the time slice, and nothing is counted twice', async () => {
  const subject = await createCollection()
  const chain = scripted()
  const source = actingOnce(chain.source, async (from, to) => {
    const logs = chain.logs().filter((log) => BigInt(log.blockNumber) >= from && BigInt(log.blockNumber) <= to)
    const group = transferGroup(subject, [...decodeTransfers(logs, subject)])
    await database.db.transaction(async (tx) => {
      expect(await coverOf(tx, collectionHistory, subject, { from, to }, worker)).toBe(true)
      await storeTransfers(tx, [group])
    })
  })
  await expect(read(source, subject)).rejects.toBeInstanceOf(SliceLostError)
  expect((await counts()).doubles).toBe(0)
})

const signal = () => Promise.withResolvers<void>()

// On a cluster the transactions wait on a node. test/citus/lockTimeout.test.ts and src/db/databaseError.test.ts test the results.
test.skipIf(onCluster)(
  'behavior: gives up a range that another transaction is storing, as that one may wait for the next range',
  async () => {
    const { db } = database
    const subject = await createCollection()
    const chain = scripted()
    const groupOf = (from: number, to: number) => {
      const within = ({ blockNumber }: RpcLog) => Number(blockNumber) >= from && Number(blockNumber) <= to
      return transferGroup(subject, [...decodeTransfers(chain.logs().filter(within), subject)])
    }
    const undone = new Error('undone')
    const [staged, firstStarted, firstCopies, secondStaged] = [signal(), signal(), signal(), signal()]
    const other = db.transaction(async (tx) => {
      await stageTransfers(tx, [groupOf(0, 3)])
      staged.resolve()
      await secondStaged.promise
      firstCopies.resolve()
      // This waits for the second range, which waits for its turn after the first one, which waits for this transaction.
      await stageTransfers(tx, [groupOf(4, 30)])
      throw undone
    })
    await staged.promise
    const source: EvmSource = {
      ...chain.source,
      async logs(range, signal) {
        if (range.from > 0n) await firstStarted.promise
        return chain.source.logs(range, signal)
      },
    }
    const ordered = watchTransactions(db, (tx, place) => ({
      ...tx,
      async copy(text, rows) {
        firstStarted.resolve()
        if (place === 1) await firstCopies.promise
        await tx.copy(text, rows)
      },
      async script(text) {
        await tx.script(text)
        if (text.endsWith('DEFAULT')) secondStaged.resolve()
      },
    }))
    const reading = read(source, subject, { db: ordered }).finally(secondStaged.resolve)
    await expect(reading).rejects.toBeInstanceOf(SliceLostError)
    await expect(other).rejects.toBe(undone)
    const [row] = await db.rows<[string]>('SELECT coverage::text FROM collection')
    expect(await read(chain.source, { ...subject, coverage: parseMultirange(row![0]) })).toBe('complete')
    expect(await counts()).toEqual({ transfers: 2 * blocks - 3, tokens: blocks - 1, counted: blocks - 1, doubles: 0 })
  },
)

test('behavior: the chain holder reads history while the partition holder is not configured for the chain', async () => {
  const { db } = database
  const takes = (...chains: string[]) => JSON.stringify({ partition: ['7'], chain: chains })
  const [holder] = await db.rows<[number]>(
    `INSERT INTO worker (host, pid, takes) VALUES ('other', 1, $1) RETURNING id`,
    [takes('137')],
  )
  await db.run(`UPDATE lease SET worker_id = $1 WHERE kind = 'partition'`, [holder![0]])
  const subject = await createCollection()
  await expect(read(scripted().source, subject)).rejects.toBeInstanceOf(SliceLostError)
  await db.run(`INSERT INTO lease (kind, key, worker_id) VALUES ('chain', 1, $1)`, [worker])
  const source = actingOnce(scripted().source, async () => {
    await db.run('UPDATE worker SET takes = $2 WHERE id = $1', [holder![0], takes('137', '1')])
  })
  await expect(read(source, subject)).rejects.toBeInstanceOf(SliceLostError)
  await db.run('UPDATE worker SET takes = $2 WHERE id = $1', [holder![0], takes('137')])
  const [row] = await db.rows<[string]>('SELECT coverage::text FROM collection')
  const covered = { ...subject, coverage: parseMultirange(row![0]) }
  expect(await read(scripted().source, covered)).toBe('complete')
  expect(await counts()).toEqual({ transfers: 2 * blocks - 3, tokens: blocks - 1, counted: blocks - 1, doubles: 0 })
})

test('error: nothing of a range is stored if the lease is lost while the range is read', async () => {
  const subject = await createCollection()
  const source = actingOnce(scripted().source, async () => {
    await database.db.run('UPDATE lease SET worker_id = NULL')
  })
  await expect(read(source, subject)).rejects.toBeInstanceOf(SliceLostError)
  const [row] = await database.db.rows<[bigint]>(
    `SELECT count(*) FROM transfer t JOIN collection c ON c.partition = t.partition AND c.id = t.collection_id
     WHERE NOT c.coverage @> (t.position / 1048576)`,
  )
  expect(row).toEqual([0n])
})

test('error: transfers that are stored but not covered fail with the original database error', async () => {
  const subject = await createCollection()
  const chain = scripted()
  await database.db.transaction((tx) =>
    storeTransfers(tx, [transferGroup(subject, [...decodeTransfers(chain.logs().slice(-1), subject)])]),
  )
  await expect(read(chain.source, subject)).rejects.toMatchObject({ code: '23505' })
})

/** Returns the same log as a TransferSingle of ERC-1155, with an amount of ten. */
function asMulti(log: RpcLog): RpcLog {
  const [, from, to, id] = log.topics as [Hex, Hex, Hex, Hex]
  return { ...log, topics: [tokenTopic.transferSingle, from, from, to], data: `${id}${'a'.padStart(64, '0')}` }
}

test.each([
  { first: 'ERC721', isMulti: (block: bigint) => block > 3n },
  { first: 'ERC1155', isMulti: (block: bigint) => block <= 3n },
] as const)(
  'behavior: a contract with logs of both standards takes that of its first log, $first, and keeps both, in any order',
  async ({ first, isMulti }) => {
    const subject = await createCollection(null)
    const { source } = scripted()
    const late: EvmSource = {
      ...source,
      async logs(range, signal) {
        const { logs, ...answer } = await source.logs(range, signal)
        // The response for the first range comes last.
        if (range.from === 0n) for (let round = 0; round < 200; round++) await new Promise(setImmediate)
        return { ...answer, logs: logs.map((log) => (isMulti(BigInt(log.blockNumber)) ? asMulti(log) : log)) }
      },
    }
    expect(await read(late, subject)).toBe('complete')
    const rows = await database.db.rows(
      `SELECT DISTINCT c.standard, c.mixed, (t.position / 1048576) > 3 AS is_late, t.operator IS NULL FROM transfer t
       JOIN collection c ON c.partition = t.partition AND c.id = t.collection_id ORDER BY is_late`,
    )
    expect(rows).toEqual([false, true].map((isLate) => [first, true, isLate, isLate !== (first === 'ERC721')]))
    const [wrong] = await database.db.rows(
      `SELECT count(*) FROM token t WHERE erc1155 <> EXISTS (
         SELECT 1 FROM transfer x WHERE x.partition = t.partition AND x.collection_id = t.collection_id AND x.token_id = t.token_id AND x.operator IS NOT NULL)`,
    )
    expect(wrong).toEqual([0n])
  },
)
