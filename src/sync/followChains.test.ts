import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { onCluster } from '../../test/onCluster.ts'
import { createScriptedChain } from '../../test/scriptedChain.ts'
import { seedLease, seedWorker } from '../../test/seedLease.ts'
import { knownChains } from '../chain/evm/chains.ts'
import type { ContractReader } from '../chain/evm/contracts/contract.ts'
import type { EvmSource } from '../chain/evm/source/source.ts'
import { InconsistentResponseError } from '../chain/evm/source/sourceError.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { followCollections } from '../nft/index/followCollections.ts'
import { hexToBuffer } from '../util/hex.ts'
import { noopLog } from '../util/log.ts'
import { createWaker } from '../util/wait.ts'
import { insertChain } from './chainStore.ts'
import { followChains } from './followChains.ts'
import { createLeases, type Leases } from './leases/lease.ts'
import type { OpenChains } from './openChains.ts'
import { partitionOf } from './partition.ts'

const address = `0x${'aa'.repeat(20)}` as const
const chain = { ...knownChains[0]!, name: 'eth', configured: false }
let database: TestDatabase
/** Triggers cause the errors, and a cluster does not support them. */
const testHere = test.skipIf(onCluster)

beforeAll(async () => {
  if (onCluster) return
  database = await createTestDatabase()
  // While the table `fault` contains a statement, storing a block runs it.
  await database.db.transaction((tx) =>
    tx.script(`
CREATE TABLE fault (statement text);
CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE wanted text;
BEGIN
  SELECT statement INTO wanted FROM fault;
  IF wanted IS NOT NULL THEN EXECUTE wanted; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER fail BEFORE INSERT ON block FOR EACH ROW EXECUTE FUNCTION fail();
-- Where the statement says so, the failure of the chain cannot be recorded either.
CREATE FUNCTION fail_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM fault WHERE statement LIKE '%unrecorded%') THEN RAISE EXCEPTION 'unrecorded'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER fail_record BEFORE UPDATE ON chain FOR EACH ROW WHEN (NEW.failure IS NOT NULL) EXECUTE FUNCTION fail_record();`),
  )
})
afterAll(() => database?.drop())
beforeEach(() =>
  database?.db.transaction((tx) => tx.script('TRUNCATE chain, block, collection, token, transfer, token_undo, fault')),
)

/** The chain, read from this source. One object for all calls: for another one the handler is recreated. */
function chainOf(source: EvmSource, pollIntervalMs = 10): OpenChains {
  const open = {
    chain: { ...chain, pollIntervalMs },
    source,
    contracts: {} as ContractReader,
    close: async () => undefined,
  }
  return {
    ids: [1n],
    open: async () => open,
    distrust: () => undefined,
    endpoints: () => undefined,
    close: async () => undefined,
  }
}

const inDatabase = (statement: string) => ({
  async begin() {
    await database.db.run('INSERT INTO fault VALUES ($1)', [statement])
  },
  async end() {
    await database.db.run('DELETE FROM fault')
  },
})

testHere.each([
  ['a node that answers nothing right', undefined, false],
  ['a full disk', inDatabase(`DO $x$ BEGIN RAISE EXCEPTION USING ERRCODE = '53100'; END $x$`), false],
  [
    'a connection lost, after which nobody knows what is stored,',
    inDatabase('SELECT pg_terminate_backend(pg_backend_pid())'),
    true,
  ],
  [
    'a connection lost to a database that is unreachable then, so that nothing is recorded,',
    inDatabase('SELECT pg_terminate_backend(pg_backend_pid()) /* unrecorded */'),
    true,
  ],
])('behavior: %s causes no needless reads, and the stored data matches the chain', async (_, fault, woken) => {
  const { db } = database
  const scripted = createScriptedChain(address, 4)
  await insertChain(db, 1n, (await scripted.source.identity()).genesisHash, 0n, 0n)
  await db.run(
    `INSERT INTO collection (partition, chain_id, address, status, standard, from_block, to_block, coverage)
     VALUES ($2, 1, $1, 'syncing', 'ERC721', 0, 0, '{[0,1)}')`,
    [hexToBuffer(address), partitionOf(1n, address)],
  )
  const { blockLogs } = scripted.source
  let broken = false
  let reads = 0
  scripted.source.blockLogs = (header, ...rest) => {
    reads++
    return broken
      ? Promise.reject(new InconsistentResponseError({ chain: 'eth', question: 'logs', reason: 'none' }))
      : blockLogs(header, ...rest)
  }
  const waker = createWaker()
  const leases = await createLeases({ db, log: noopLog, keys: { chain: [1n] }, onChange: waker.wake })
  const stop = new AbortController()
  const common = { db, metrics: createMetrics(), log: noopLog }
  let made = 0
  const done = followChains({
    ...common,
    chains: chainOf(scripted.source),
    leases,
    wanted: async () => [1n],
    createHandler: (opened, onRead) => {
      made++
      return followCollections({ ...common, ...opened, metadataCoolOffMs: 0, maxTokens: 1_000, onRead })
    },
    waker,
    signal: stop.signal,
  })
  onTestFinished(async () => {
    stop.abort()
    await done
    await leases.close()
  })
  const stored = async () =>
    (
      await db.rows<[bigint, bigint]>(
        `SELECT block_number, (SELECT count(*) FROM token) FROM chain WHERE (SELECT status FROM collection) = 'live'`,
      )
    )[0]
  await expect.poll(stored).toEqual([0n, 0n])
  const before = made
  for (let i = 0; i < 3; i++) scripted.add([{ token: i, from: 0, to: 1 }])
  await expect.poll(stored).toEqual([3n, 3n])
  if (fault) await fault.begin()
  else broken = true
  reads = 0
  for (let i = 3; i < 6; i++) scripted.add([{ token: i, from: 0, to: 1 }])
  // The service reads the blocks again, so the previous step failed and its failure was handled.
  await expect.poll(() => reads).toBeGreaterThan(3)
  broken = false
  await fault?.end()
  await expect.poll(stored).toEqual([6n, 6n])
  expect(made > before).toBe(woken)
})

testHere(
  'behavior: a process that regains a chain knows the collections that joined under another process',
  async () => {
    const { db } = database
    const scripted = createScriptedChain(address, 4)
    await insertChain(db, 1n, (await scripted.source.identity()).genesisHash, 0n, 0n)
    const waker = createWaker()
    const [before, after] = [await seedWorker(db), await seedWorker(db)]
    await seedLease(db, 'chain', 1, before)
    let own = before
    const stop = new AbortController()
    const common = { db, metrics: createMetrics(), log: noopLog }
    const done = followChains({
      ...common,
      chains: chainOf(scripted.source),
      leases: { held: () => new Set([1n]), workerId: () => own } as unknown as Leases,
      wanted: async () => [1n],
      createHandler: (opened, onRead) =>
        followCollections({ ...common, ...opened, metadataCoolOffMs: 0, maxTokens: 1_000, onRead }),
      waker,
      signal: stop.signal,
    })
    onTestFinished(async () => {
      stop.abort()
      await done
    })
    await expect.poll(async () => (await db.rows('SELECT block_number FROM chain'))[0]).toEqual([0n])
    await seedLease(db, 'chain', 1, after)
    await db.run(
      `INSERT INTO collection (partition, chain_id, address, status, standard, from_block, to_block, coverage)
     VALUES ($2, 1, $1, 'live', 'ERC721', 0, NULL, '{[0,1)}')`,
      [hexToBuffer(address), partitionOf(1n, address)],
    )
    own = after
    scripted.add([{ token: 7, from: 0, to: 1 }])
    await expect.poll(async () => (await db.rows('SELECT block_number FROM chain'))[0]).toEqual([1n])
    expect(await db.rows('SELECT token_id::text FROM token')).toEqual([['7']])
  },
)

testHere('behavior: the head of an unchanged chain is requested as often as its setting specifies', async () => {
  const { db } = database
  const scripted = createScriptedChain(address, 4)
  await insertChain(db, 1n, (await scripted.source.identity()).genesisHash, 0n, 0n)
  const { head } = scripted.source
  let heads = 0
  scripted.source.head = (signal) => {
    heads++
    return head(signal)
  }
  const own = await seedWorker(db)
  await seedLease(db, 'chain', 1, own)
  const stop = new AbortController()
  const common = { db, metrics: createMetrics(), log: noopLog }
  let looks = 0
  const done = followChains({
    ...common,
    chains: chainOf(scripted.source, 600_000),
    leases: { held: () => new Set([1n]), workerId: () => own } as unknown as Leases,
    async wanted() {
      looks++
      return [1n]
    },
    createHandler: (opened, onRead) =>
      followCollections({ ...common, ...opened, metadataCoolOffMs: 0, maxTokens: 1_000, onRead }),
    waker: createWaker(),
    signal: stop.signal,
  })
  onTestFinished(async () => {
    stop.abort()
    await done
  })
  await expect.poll(async () => (await db.rows('SELECT block_number FROM chain'))[0]).toEqual([0n])
  await expect.poll(() => looks).toBeGreaterThan(3)
  // The head was requested at the start and once more afterwards.
  expect(heads).toBe(2)
})
