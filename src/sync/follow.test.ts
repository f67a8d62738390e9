import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { createScriptedChain, type ScriptedChain } from '../../test/scriptedChain.ts'
import { knownChains } from '../chain/evm/chains.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { followCollections } from '../nft/index/followCollections.ts'
import { createNftQuery } from '../nft/pages/createNftQuery.ts'
import { hexToBuffer } from '../util/hex.ts'
import { noopLog } from '../util/log.ts'
import { insertChain, noteChainFailure } from './chainStore.ts'
import { DeepReorgError } from './findNext.ts'
import { createFollower, type Follower } from './follow.ts'
import { partitionOf } from './partition.ts'

const address = '0x00000000000000000000000000000000000000aa'
const evm = { ...knownChains[0]!, name: 'eth', configured: false }
const never = new AbortController().signal
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await database.db.run(`INSERT INTO worker (host, pid) VALUES ('test', 1)`)
  await database.db.run(`INSERT INTO lease (kind, key, worker_id) SELECT 'chain', 1, id FROM worker`)
})
afterAll(() => database.drop())
beforeEach(wipe)

async function wipe(): Promise<void> {
  await database.db.transaction((tx) =>
    tx.script('TRUNCATE chain, block, collection, token, balance, transfer, token_undo'),
  )
}

/** Adds a collection without tokens whose history is read up to `toBlock`. */
async function addCollection(toBlock: bigint): Promise<void> {
  await database.db.run(
    `INSERT INTO collection (partition, chain_id, address, status, standard, from_block, to_block, coverage)
     VALUES ($3, 1, $1, 'syncing', 'ERC721', 0, $2, int8multirange(int8range(0, $2, '[]')))`,
    [hexToBuffer(address), toBlock, partitionOf(1n, address)],
  )
}

async function follow(chain: ScriptedChain): Promise<Follower> {
  const { db } = database
  await insertChain(db, 1n, (await chain.source.identity()).genesisHash, 0n, 0n)
  const [[worker] = [0]] = await db.rows<[number]>('SELECT id FROM worker')
  const common = { chain: evm, source: chain.source, db, metrics: createMetrics(), log: noopLog }
  const handler = await followCollections({ ...common, contracts: {} as never, metadataCoolOffMs: 0, maxTokens: 1_000 })
  return createFollower({ ...common, handler, worker: () => worker })
}

/** Steps until the follower is idle and no collection that could join is still being read. `joinsFirst`: in two of three steps. */
async function settle(follower: Follower, joinsFirst = false): Promise<void> {
  for (let steps = 0; steps < 1_000; steps++)
    if ((await follower.step(never, joinsFirst && steps % 3 > 0)) === 'idle' && (await joinable()) === 0n) return
  throw new Error('the follower does not come to rest')
}

async function joinable(): Promise<bigint> {
  const [row] = await database.db.rows<[bigint]>(
    `SELECT count(*) FROM collection WHERE status = 'syncing' AND reason IS NULL AND upper(coverage) = to_block + 1`,
  )
  return row![0]
}

async function owners(): Promise<Record<string, string>> {
  const sql = `SELECT token_id, encode(owner, 'hex') FROM token WHERE amount > 0`
  return Object.fromEntries(await database.db.rows<[string, string]>(sql))
}

function truth(chain: ScriptedChain): Record<string, string> {
  const owner = new Map<string, string>()
  for (const { topics } of chain.logs()) owner.set(String(BigInt(topics[3]!)), topics[2]!.slice(26))
  return Object.fromEntries([...owner].filter(([, holder]) => holder !== '0'.repeat(40)))
}

const transfers = fc.array(fc.record({ token: fc.nat(5), from: fc.nat(3), to: fc.nat(3) }), { maxLength: 3 })
const script = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ add: fc.array(transfers, { minLength: 1, maxLength: 6 }) }) },
    { weight: 2, arbitrary: fc.record({ drop: fc.nat(12), add: fc.array(transfers, { maxLength: 14 }) }) },
  ),
  { minLength: 1, maxLength: 8 },
)

test('behavior: the stored state matches the chain after any changes above the finalized block', async () => {
  await fc.assert(
    fc.asyncProperty(script, fc.integer({ min: 12, max: 15 }), async (steps, finality) => {
      await wipe()
      const chain = createScriptedChain(address, finality)
      for (let i = 0; i < 5; i++) chain.add([])
      await addCollection(0n)
      const follower = await follow(chain)
      await settle(follower)
      let final = chain.head() - BigInt(finality)
      for (const step of steps) {
        const deepest = Number(chain.head() - (final > 0n ? final : 0n))
        const drop = Math.min('drop' in step ? step.drop : 0, deepest)
        chain.drop(drop)
        for (const block of step.add) chain.add(block)
        // A chain that only lost blocks looks like a lagging node until it continues.
        if (drop >= step.add.length) for (let i = step.add.length; i <= drop; i++) chain.add([])
        await settle(follower, true)
        const now = chain.head() - BigInt(finality)
        if (now > final) final = now
        expect(await owners()).toEqual(truth(chain))
        const [row] = await database.db.rows<[bigint, bigint, bigint, bigint]>(
          `SELECT block_number, (SELECT tokens FROM collection), (SELECT count(*) FROM transfer),
             (SELECT count(*) FROM token_undo u JOIN chain h ON h.id = u.chain_id WHERE u.block_number <= h.finalized_number) FROM chain`,
        )
        expect(row).toEqual([chain.head(), BigInt(Object.keys(truth(chain)).length), BigInt(chain.logs().length), 0n])
      }
    }),
    { numRuns: 15 * inject('rounds') },
  )
})

/** Makes a followed chain with a live collection, and `blocks` blocks on top that each mint a token. */
async function liveChain(finality: number, blocks: number): Promise<{ chain: ScriptedChain; follower: Follower }> {
  const chain = createScriptedChain(address, finality)
  await addCollection(0n)
  const follower = await follow(chain)
  await settle(follower)
  for (let i = 0; i < blocks; i++) chain.add([{ token: i, from: 0, to: 1 }])
  await settle(follower)
  expect(Object.keys(await owners())).toHaveLength(blocks)
  return { chain, follower }
}

test('error: a reorganisation below the finalized block changes nothing and is reported', async () => {
  const { chain, follower } = await liveChain(4, 20)
  const before = await owners()
  chain.drop(10)
  for (let i = 0; i < 12; i++) chain.add([{ token: 100 + i, from: 0, to: 2 }])
  await expect(follower.step(never)).rejects.toBeInstanceOf(DeepReorgError)
  expect(await owners()).toEqual(before)
})

test('behavior: the follower waits for a node that lags behind', async () => {
  const { chain, follower } = await liveChain(8, 10)
  const before = await owners()
  chain.drop(3)
  expect(await follower.step(never)).toBe('idle')
  expect(await owners()).toEqual(before)
})

test('behavior: far behind the finalized block, the follower switches to history and counts nothing twice', async () => {
  const { chain, follower } = await liveChain(4, 10)
  // Two followed blocks are replaced while no process follows the chain.
  chain.drop(2)
  for (let i = 0; i < 1_100; i++) chain.add([{ token: 200 + i, from: 0, to: 1 }])
  await follower.step(never)
  const [row] = await database.db.rows('SELECT status, coverage::text, to_block FROM collection')
  expect(row).toEqual(['syncing', '{[0,9)}', 8n])
  const [counted] = await database.db.rows('SELECT (SELECT count(*) FROM transfer), (SELECT count(*) FROM token_undo)')
  expect(counted).toEqual([8n, 0n])
})

test('behavior: with many collections, missed blocks are followed, which costs less than reading their history', async () => {
  const { chain } = await liveChain(4, 10)
  await database.db.run(
    `INSERT INTO collection (partition, chain_id, address, status, standard, from_block)
     SELECT n % 256, 1, decode(lpad(to_hex(n), 40, '0'), 'hex'), 'live', 'ERC721', 0 FROM generate_series(1000, 2000) n`,
  )
  const follower = await follow(chain)
  chain.drop(2)
  for (let i = 0; i < 1_100; i++) chain.add([{ token: 200 + i, from: 0, to: 1 }])
  await follower.step(never)
  const [row] = await database.db.rows(
    `SELECT block_number, (SELECT count(*) FROM collection WHERE status = 'live'), (SELECT count(*) FROM transfer) FROM chain`,
  )
  expect(row).toEqual([72n, 1_002n, 72n])
})

test('behavior: a head seen on one node is kept when another node lags, so nothing is reported synced too early', async () => {
  const { chain, follower } = await liveChain(8, 10)
  const state = async () =>
    (await database.db.rows<[bigint, bigint]>('SELECT block_number, head_number FROM chain'))[0]!
  const { head } = chain.source
  const { head: lagging } = await head()
  const above = { ...lagging, number: 25n, hash: `0x${'f'.repeat(64)}` } as const
  chain.source.head = async () => ({ head: above, finalized: 2n, finalizedUnderHead: 2n })
  await follower.step(never)
  expect(await state()).toEqual([10n, 25n])
  chain.source.head = head
  expect([await follower.step(never), await state()]).toEqual(['idle', [10n, 25n]])
})

test('behavior: a collection whose history has a gap joins only once the gap is read', async () => {
  const chain = createScriptedChain(address, 8)
  for (let i = 0; i < 6; i++) chain.add([{ token: i, from: 0, to: 1 }])
  await addCollection(0n)
  // History has read blocks 3 to 5 before 1 and 2, so their transfers are stored.
  await database.db.run(`UPDATE collection SET coverage = '{[0,1),[3,6)}'`)
  const follower = await follow(chain)
  await settle(follower)
  const [row] = await database.db.rows('SELECT status, reason FROM collection')
  expect(row).toEqual(['syncing', null])
  await database.db.run(`UPDATE collection SET coverage = '{[0,1)}'`)
  await settle(follower)
  expect(await owners()).toEqual(truth(chain))
})

test('behavior: a collection that cannot join blocks neither the chain nor other collections', async () => {
  const chain = createScriptedChain(address, 8)
  const other = '0x00000000000000000000000000000000000000bb'
  await addCollection(0n)
  await database.db.run(
    `INSERT INTO collection (partition, chain_id, address, status, standard, from_block, to_block, coverage)
     VALUES (255, 1, $1, 'syncing', 'ERC721', 0, 0, '{[0,1)}')`,
    [hexToBuffer(other)],
  )
  for (let i = 0; i < 3; i++) chain.add([{ token: i, from: 0, to: 1 }])
  const logs = chain.source.logs
  chain.source.logs = (range) =>
    range.address === other ? Promise.reject(new RangeError('too many logs in one block')) : logs(range)
  const follower = await follow(chain)
  await settle(follower)
  chain.add([{ token: 9, from: 0, to: 1 }])
  await settle(follower)
  expect(await owners()).toEqual(truth(chain))
  const rows = await database.db.rows('SELECT status, reason FROM collection ORDER BY address')
  expect(rows).toEqual([
    ['live', null],
    ['syncing', 'internal error, see the log'],
  ])
})

/** Delays the logs of a collection's join until it is opened. */
function gate(chain: ScriptedChain): { requested: Promise<void>; open(): void } {
  const { logs } = chain.source
  const requested = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  let first = true
  chain.source.logs = async (range) => {
    const answer = await logs(range)
    requested.resolve()
    if (first) await opened.promise
    first = false
    return answer
  }
  return { requested: requested.promise, open: opened.resolve }
}

test('behavior: while a node hangs on the logs of one collection, the chain continues, and finally no transfer is missing', async () => {
  const chain = createScriptedChain(address, 4)
  await addCollection(0n)
  const { requested, open } = gate(chain)
  for (let i = 0; i < 3; i++) chain.add([{ token: i, from: 0, to: 1 }])
  const follower = await follow(chain)
  while ((await follower.step(never)) === 'moved');
  await requested
  for (let i = 3; i < 30; i++) {
    chain.add([{ token: i, from: 0, to: 1 }])
    await follower.step(never)
  }
  // Some of the blocks followed meanwhile are undone. They are above the block where reading began.
  chain.drop(3)
  for (let i = 0; i < 5; i++) chain.add([{ token: 50 + i, from: 0, to: 2 }])
  await follower.step(never)
  const state = async () =>
    (await database.db.rows('SELECT block_number, (SELECT status FROM collection) FROM chain'))[0]
  expect(await state()).toEqual([chain.head(), 'syncing'])
  open()
  await settle(follower)
  expect(await state()).toEqual([chain.head(), 'live'])
  expect(await owners()).toEqual(truth(chain))
  // A reorganisation undoes blocks of the collection that has joined.
  chain.drop(3)
  for (let i = 0; i < 5; i++) chain.add([{ token: 70 + i, from: 0, to: 3 }])
  await settle(follower)
  expect(await owners()).toEqual(truth(chain))
})

test('behavior: a reorganisation below the first block of a running join restarts the join', async () => {
  const chain = createScriptedChain(address, 8)
  await addCollection(0n)
  const { requested, open } = gate(chain)
  for (let i = 0; i < 6; i++) chain.add([{ token: i, from: 0, to: 1 }])
  const follower = await follow(chain)
  while ((await follower.step(never)) === 'moved');
  await requested
  chain.drop(4)
  for (let i = 0; i < 6; i++) chain.add([{ token: 100 + i, from: 0, to: 2 }])
  await follower.step(never)
  open()
  await settle(follower)
  expect(await owners()).toEqual(truth(chain))
})

test('error: pages of a chain whose node contradicts the stored data are not synced', async () => {
  const { chain, follower } = await liveChain(4, 20)
  const query = createNftQuery({ db: database.db })
  expect((await query.state(1n, address))?.synced).toBe(true)
  chain.drop(10)
  for (let i = 0; i < 12; i++) chain.add([])
  const [row] = await database.db.rows<[number]>('SELECT id FROM worker')
  const error = await follower.step(never).catch((error) => error)
  const reported = { failure: String(error), contradicted: error instanceof DeepReorgError }
  await noteChainFailure(database.db, { chainId: 1n, worker: row![0], ...reported })
  const reason = expect.stringContaining('no data was changed')
  expect(await query.state(1n, address)).toMatchObject({ synced: false, reason })
})
