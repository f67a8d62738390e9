import { expect, inject, onTestFinished, vi } from 'vitest'
import { knownChains } from '../../src/chain/evm/chains.ts'
import type { ContractReader } from '../../src/chain/evm/contracts/contract.ts'
import { CommitUnseenError } from '../../src/db/databaseError.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { followCollections } from '../../src/nft/index/followCollections.ts'
import { deleteCollection } from '../../src/nft/store/requeueCollections.ts'
import { insertChain } from '../../src/sync/chainStore.ts'
import { followChains } from '../../src/sync/followChains.ts'
import { createLeases } from '../../src/sync/leases/lease.ts'
import { partitionOf, streamPartition } from '../../src/sync/partition.ts'
import { type Address, hexToBuffer } from '../../src/util/hex.ts'
import { noopLog } from '../../src/util/log.ts'
import { createWaker } from '../../src/util/wait.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { lockWaits } from '../lockWaits.ts'
import { patience } from '../patience.ts'
import { createScriptedChain, type ScriptedChain } from '../scriptedChain.ts'
import { end, logsOf, reportedLogs, transferBlocks } from '../stream/scriptedLogs.ts'
import { openScriptedStreams } from '../stream/scriptedStreams.ts'
import { stepAll } from '../stream/scriptedTruth.ts'
import { connectWorkers, holdCommit } from './inDoubt.ts'
import { collectionOn, workersOfPartitions } from './nodes.ts'
import { testOnTwoNodes } from './onTwoNodes.ts'

const chain = { ...knownChains[0]!, name: 'eth', configured: false, pollIntervalMs: 10 }

/** Follows a scripted chain. `failures`: errors of transactions; `made`: how often the collections were loaded. */
async function follow(database: TestDatabase, scripted: ScriptedChain) {
  const failures: unknown[] = []
  const db: typeof database.db = {
    ...database.db,
    transaction: (work, settings) =>
      database.db.transaction(work, settings).catch((error: unknown) => {
        failures.push(error)
        throw error
      }),
  }
  let made = 0
  const waker = createWaker()
  const leases = await createLeases({ db: database.db, log: noopLog, keys: { chain: [1n] }, onChange: waker.wake })
  const stop = new AbortController()
  const opened = { chain, source: scripted.source, contracts: {} as ContractReader, close: async () => undefined }
  const common = { db, metrics: createMetrics(), log: noopLog }
  const done = followChains({
    ...{ ...common, leases, waker, signal: stop.signal },
    chains: {
      ids: [1n],
      open: async () => opened,
      distrust: () => undefined,
      endpoints: () => undefined,
      close: async () => undefined,
    },
    wanted: async () => [1n],
    createHandler: (open, onRead) => {
      made++
      return followCollections({ ...common, ...open, metadataCoolOffMs: 0, maxTokens: 1_000, onRead })
    },
  })
  onTestFinished(async () => {
    stop.abort()
    await done
    await leases.close()
  })
  const cursor = async () => (await database.db.rows<[bigint]>('SELECT block_number FROM chain'))[0]?.[0]
  return { failures, made: () => made, until: (block: bigint) => expect.poll(cursor, patience).toBe(block) }
}

testOnTwoNodes(
  'behavior: a collection that joins while a node is lost during a commit gets the logs of that block (skipped without a cluster of two workers)',
  async () => {
    const database = await createTestDatabase()
    onTestFinished(database.drop)
    const { db } = database
    const workers = await connectWorkers(database.connection.database!)
    const address: Address = `0x${'aa'.repeat(20)}`
    const scripted = createScriptedChain(address, 4)
    await insertChain(db, 1n, (await scripted.source.identity()).genesisHash, 0n, 0n)
    await db.run(
      `INSERT INTO collection (partition, chain_id, address, status, standard, from_block, to_block, coverage)
       VALUES ($2, 1, $1, 'syncing', 'ERC721', 0, 0, '{[0,1)}')`,
      [hexToBuffer(address), partitionOf(1n, address)],
    )
    // The node reads the logs at the time of the query, but responds late.
    const late = Promise.withResolvers<void>()
    onTestFinished(() => late.resolve())
    const { logs } = scripted.source
    const requested = vi.fn()
    scripted.source.logs = async (range, signal) => {
      requested()
      const answer = await logs(range, signal)
      await late.promise
      return answer
    }
    for (const token of [1, 2, 3]) scripted.add([{ token, from: 0, to: 1 }])
    const following = await follow(database, scripted)
    await following.until(3n)
    await vi.waitUntil(() => requested.mock.calls.length > 0, patience)

    const held = await holdCommit(workers)
    scripted.add([{ token: 4, from: 0, to: 1 }])
    await held.arrive()
    held.lose()
    await vi.waitUntil(() => following.failures.some((error) => error instanceof CommitUnseenError), patience)
    late.resolve()
    // Citus does this automatically every minute.
    await vi.waitUntil(async () => {
      await db.rows('SELECT recover_prepared_transactions()')
      return (
        (await workers[0]!.query('SELECT 1 FROM pg_prepared_xacts WHERE database = current_database()')).rowCount === 0
      )
    }, patience)
    scripted.add([{ token: 5, from: 0, to: 1 }])
    const status = async () => (await db.rows<[string]>('SELECT status FROM collection'))[0]?.[0]
    await expect.poll(status, patience).toBe('live')
    scripted.add([{ token: 6, from: 0, to: 1 }])
    await following.until(6n)
    const tokens = await db.rows<[string]>('SELECT token_id::text FROM token ORDER BY token_id')
    expect(tokens.flat()).toEqual(['1', '2', '3', '4', '5', '6'])
  },
)

testOnTwoNodes(
  'behavior: a removed collection is no longer followed, even before its node has committed the removal (skipped without a cluster of two workers)',
  async () => {
    const database = await createTestDatabase()
    onTestFinished(database.drop)
    const { db } = database
    const workers = await connectWorkers(database.connection.database!)
    const nodes = await workersOfPartitions(database.connection, inject('postgres').workers)
    const { address, id } = await collectionOn(db, { nodes, node: 0, chainId: 1n })
    const scripted = createScriptedChain(address, 4)
    await db.run('DELETE FROM chain')
    await insertChain(db, 1n, (await scripted.source.identity()).genesisHash, 0n, 0n)
    for (const token of [1, 2, 3]) scripted.add([{ token, from: 0, to: 1 }])
    const following = await follow(database, scripted)
    await following.until(3n)

    const held = await holdCommit(workers)
    const taking = deleteCollection(db, { chainId: 1n, address, requeue: false, held: true })
    await held.arrive()
    // The follower detects the removal on the coordinator.
    await vi.waitUntil(async () => following.made() > 1 || (await lockWaits(db)) > 0, patience)
    held.end()
    expect((await taking)?.id).toBe(id)
    scripted.add([{ token: 4, from: 0, to: 1 }])
    await following.until(4n)
    expect(await db.rows('SELECT position FROM transfer WHERE position >> 20 > 3')).toEqual([])
  },
)

testOnTwoNodes(
  'behavior: following a stream applies a change in doubt on a node, and no later change is seen before it (skipped without a cluster of two workers)',
  async () => {
    await using t = await openScriptedStreams(6)
    const [[name] = ['']] = await t.db.rows<[string]>('SELECT current_database()::text')
    const server = inject('postgres')
    const nodes = await workersOfPartitions({ ...server.connection, database: name }, server.workers)
    const workers = await connectWorkers(name)
    const streamOn = async (node: number) => {
      for (;;) {
        const id = await t.create({ all: true })
        if (nodes[streamPartition(id)] === node) return id
      }
    }
    const [first, second] = [await streamOn(0), await streamOn(1)]
    transferBlocks(t)
    await stepAll(t)
    const held = await holdCommit(workers)
    const pausing = t.demand.setStatus(first, 'paused')
    await held.arrive()
    const other = t.demand.setStatus(second, 'paused')
    await expect.poll(() => lockWaits(t.db), patience).toBeGreaterThan(0)
    held.end()
    await Promise.all([pausing, other])
    const from = t.chain.head() + 1n
    transferBlocks(t)
    await stepAll(t)
    await end(t)
    const all = logsOf(t, [1, 2, 3, 4], from)
    for (const id of [first, second]) expect((await reportedLogs(t, id)).filter((log) => all.includes(log))).toEqual([])
  },
)
