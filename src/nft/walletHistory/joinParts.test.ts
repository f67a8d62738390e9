import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { createScriptedChain, type ScriptedChain } from '../../../test/scriptedChain.ts'
import { seedLease, seedWorker } from '../../../test/seedLease.ts'
import { knownChains } from '../../chain/evm/chains.ts'
import { matchesTopics } from '../../chain/evm/source/readLogs.ts'
import { tokenTopic } from '../../chain/evm/source/tokenEvents.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import { insertChain } from '../../sync/chainStore.ts'
import { createFollower, type Follower } from '../../sync/follow.ts'
import { partitionOf } from '../../sync/partition.ts'
import { type Address, type Hex, hexToBuffer } from '../../util/hex.ts'
import { noopLog } from '../../util/log.ts'
import type { Holder } from '../transfers/indexedLogs.ts'
import { followWallets } from './followWallets.ts'
import { movesOf, type WalletKey } from './movesOf.ts'

const evm = { ...knownChains[0]!, name: 'eth', configured: false }
const never = new AbortController().signal
const addressOf = (n: number): Address => `0x${String(n).padStart(40, '0')}`
/** Two wallets among the four parties of transfers. The first party is the zero address. */
const wallets = [1, 2].map((n) => ({ address: addressOf(n), holder: addressOf(n).slice(2) }))

let database: TestDatabase
let worker: number
beforeAll(async () => {
  database = await createTestDatabase()
  worker = await seedWorker(database.db)
  await seedLease(database.db, 'chain', 1, worker)
})
afterAll(() => database.drop())

async function wipe(): Promise<void> {
  await database.db.transaction((tx) =>
    tx.script('TRUNCATE chain, block, wallet, wallet_move, wallet_holding, wallet_wide_log, wallet_move_block'),
  )
}

function createChain(finality: number): ScriptedChain {
  const chain = createScriptedChain(addressOf(99), finality)
  const { logs } = chain.source
  chain.source.logs = async (range, signal) => {
    const answer = await logs(range, signal)
    return { ...answer, logs: answer.logs.filter((log) => matchesTopics(log, range.topics)) }
  }
  return chain
}

type Moved = { token: number; from: number; to: number; more: number }

/** Adds a block. A log with `more` moves this number of further tokens. */
function add(chain: ScriptedChain, moved: readonly Moved[]): void {
  const before = chain.logs().length
  chain.add(moved)
  for (const [i, log] of chain.logs().slice(before).entries()) {
    const { token, more } = moved[i]!
    if (more === 0) continue
    const [, from, to, first] = log.topics as [Hex, Hex, Hex, Hex]
    log.topics = [tokenTopic.consecutiveTransfer, first, from, to]
    log.data = `0x${(token + more).toString(16).padStart(64, '0')}`
  }
}

/** Adds wallets whose histories are read up to the first block. */
async function addWallets(): Promise<void> {
  for (const { address } of wallets)
    await database.db.run(
      `INSERT INTO wallet (partition, chain_id, address, requested_by, status, from_block, to_block, coverage)
       VALUES ($1, 1, $2, 0, 'syncing', 0, 0, '{[0,0]}')`,
      [partitionOf(1n, address), hexToBuffer(address)],
    )
}

async function follow(
  chain: ScriptedChain,
  most: number,
  maxTransfers = 1_000_000,
  { db } = database,
): Promise<Follower> {
  await insertChain(db, 1n, (await chain.source.identity()).genesisHash, 0n, 0n)
  const common = { chain: evm, source: chain.source, db, metrics: createMetrics(), log: noopLog }
  const handler = await followWallets({ ...common, maxTransfers, mostTransfers: most, onMoves: () => undefined })
  return createFollower({ ...common, handler, worker: () => worker })
}

type Row = { id: bigint; partition: number; holder: Holder; status: string; toBlock: bigint; transfers: bigint }

async function read(): Promise<Row[]> {
  const rows = await database.db.rows<[bigint, number, Holder, string, bigint, bigint]>(
    `SELECT id, partition, encode(address, 'hex'), status, to_block, transfers FROM wallet ORDER BY address`,
  )
  return rows.map(([id, partition, holder, status, toBlock, transfers]) => ({
    ...{ id, partition, holder, status, toBlock, transfers },
  }))
}

async function settle(follower: Follower): Promise<void> {
  for (let steps = 0; steps < 1_000; steps++) {
    if ((await follower.step(never)) !== 'idle') continue
    if ((await read()).every(({ status }) => status !== 'syncing')) return
  }
  throw new Error('the follower does not come to rest')
}

/** Returns the expected data of a wallet up to a block, from the chain's logs. */
function truthOf(chain: ScriptedChain, wallet: WalletKey & { holder: Holder }, to: bigint) {
  const upTo = chain.logs().filter(({ blockNumber }) => BigInt(blockNumber) <= to)
  const { moves } = movesOf(upTo, new Map([[wallet.holder, wallet]]))
  const owners = new Map(moves.map(({ transfer }) => [transfer.tokenId, transfer.to]))
  const held = [...owners].filter(([, owner]) => owner === wallet.holder).map(([token]) => token)
  return { moves: moves.map(({ transfer }) => `${transfer.position} ${transfer.item}`), held: held.toSorted() }
}

async function storedOf({ partition, id }: WalletKey) {
  const key = [partition, id]
  const moves = await database.db.rows<[string]>(
    `SELECT position || ' ' || item FROM wallet_move WHERE partition = $1 AND wallet_id = $2 ORDER BY position, item`,
    key,
  )
  const held = await database.db.rows<[string]>(
    `SELECT token_id::text FROM wallet_holding WHERE partition = $1 AND wallet_id = $2`,
    key,
  )
  return { moves: moves.flat(), held: held.flat().toSorted() }
}

async function expectTruth(chain: ScriptedChain): Promise<Row[]> {
  const rows = await read()
  for (const wallet of rows) {
    const truth = truthOf(chain, wallet, wallet.status === 'full' ? wallet.toBlock : chain.head())
    expect(await storedOf(wallet)).toEqual(truth)
    expect(wallet.transfers).toBe(BigInt(truth.moves.length))
  }
  return rows
}

const party = fc.nat(3)
const course = fc.array(
  fc.record({
    drop: fc.nat(8),
    add: fc.array(
      fc.array(fc.record({ token: fc.nat(5), from: party, to: party, more: fc.constantFrom(0, 0, 0, 7) }), {
        maxLength: 6,
      }),
      { minLength: 1, maxLength: 6 },
    ),
    /** Steps of the follower before the chain continues, and whether another process follows it afterwards. */
    steps: fc.nat(9),
    dies: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
)

/** Runs a chain that a follower follows only at times. */
async function take(
  chain: ScriptedChain,
  all: ReturnType<typeof course.generate>['value'],
  open: () => Promise<Follower>,
) {
  let follower = await open()
  // The follower starts at the block up to which the wallets are covered.
  await follower.step(never)
  let final = 0n
  for (const { drop, add: blocks, steps, dies } of all) {
    chain.drop(Math.min(drop, Number(chain.head() - final)))
    for (const block of blocks) add(chain, block)
    for (let i = blocks.length; i <= drop; i++) chain.add([])
    for (let i = 0; i < steps; i++) await follower.step(never)
    if (dies) follower = await open()
    const now = chain.head() - BigInt(chain.finalityDepth)
    if (now > final) final = now
  }
  await settle(follower)
}

test('behavior: wallets that catch up in parts end in the state of the chain, despite reorganisations and crashes', async () => {
  await fc.assert(
    fc.asyncProperty(
      course,
      fc.integer({ min: 9, max: 12 }),
      fc.integer({ min: 1, max: 6 }),
      async (all, finality, most) => {
        await wipe()
        const chain = createChain(finality)
        for (let i = 0; i < 3; i++) add(chain, [{ token: i, from: 0, to: 1, more: 4 }])
        await addWallets()
        await take(chain, all, () => follow(chain, most))
        const rows = await expectTruth(chain)
        expect(rows.map(({ status }) => status)).toEqual(['live', 'live'])
      },
    ),
    { numRuns: 5 * inject('rounds') },
  )
})

test('behavior: a wallet over its transfer limit keeps the blocks that fit, matching the chain through reorganisations', async () => {
  await fc.assert(
    fc.asyncProperty(
      course,
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 3, max: 15 }),
      async (all, most, max) => {
        await wipe()
        const chain = createChain(12)
        await addWallets()
        await take(chain, all, () => follow(chain, most, max))
        for (const { status, transfers } of await expectTruth(chain)) {
          expect(['live', 'full']).toContain(status)
          expect(transfers).toBeLessThanOrEqual(BigInt(max))
        }
      },
    ),
    { numRuns: 5 * inject('rounds') },
  )
})

test('behavior: a wallet with many non-final transfers catches up in parts, while the chain and other wallets continue', async () => {
  await wipe()
  const chain = createChain(20)
  await addWallets()
  const follower = await follow(chain, 4)
  add(chain, [{ token: 0, from: 0, to: 1, more: 9 }])
  add(chain, [{ token: 20, from: 0, to: 2, more: 0 }])
  let stored = 0n
  for (let blocks = 1; ; blocks++) {
    await follower.step(never)
    const [large, small] = await read()
    if (small!.status === 'live') expect(small!.transfers).toBe(1n)
    expect(large!.transfers - stored).toBeLessThanOrEqual(4n)
    stored = large!.transfers
    if (large!.status === 'live') break
    expect(stored).toBeLessThan(10n)
    if (blocks < 19) chain.add([])
  }
  expect((await expectTruth(chain)).map(({ status }) => status)).toEqual(['live', 'live'])
})

test('behavior: a block with more wallet transfers than one transaction stores is undone in as many parts', async () => {
  await wipe()
  const chain = createChain(20)
  await addWallets()
  /** Number of transfers after each transaction. */
  const counts: number[] = []
  const { db } = database
  const counting: typeof db = {
    ...db,
    async transaction(work, settings) {
      const result = await db.transaction(work, settings)
      counts.push(Number((await db.rows<[bigint]>('SELECT count(*) FROM wallet_move'))[0]![0]))
      return result
    },
  }
  const follower = await follow(chain, 4, undefined, { ...database, db: counting })
  await follower.step(never)
  add(chain, [{ token: 0, from: 0, to: 1, more: 0 }])
  add(chain, [
    { token: 1, from: 0, to: 1, more: 9 },
    { token: 20, from: 0, to: 2, more: 2 },
  ])
  await settle(follower)
  expect(counts.at(-1)).toBe(14)
  chain.drop(1)
  for (let i = 0; i < 2; i++) chain.add([])
  await follower.step(never)
  expect(counts.at(-1)).toBe(1)
  for (const [i, count] of counts.entries()) expect(Math.abs(count - (counts[i - 1] ?? 0))).toBeLessThanOrEqual(4)
  await settle(follower)
  expect((await expectTruth(chain)).map(({ status }) => status)).toEqual(['live', 'live'])
})

test('behavior: a wallet with too many transfers is followed again when the block that exceeded the limit is undone', async () => {
  await wipe()
  const chain = createChain(20)
  await addWallets()
  const follower = await follow(chain, 100, 5)
  add(chain, [{ token: 0, from: 0, to: 1, more: 2 }])
  await settle(follower)
  const statuses = async () => (await expectTruth(chain)).map(({ status, transfers }) => `${status} ${transfers}`)
  expect(await statuses()).toEqual(['live 3', 'live 0'])
  add(chain, [{ token: 10, from: 0, to: 1, more: 4 }])
  await settle(follower)
  expect(await statuses()).toEqual(['full 3', 'live 0'])
  chain.drop(1)
  add(chain, [{ token: 10, from: 0, to: 1, more: 1 }])
  chain.add([])
  await settle(follower)
  expect(await statuses()).toEqual(['live 5', 'live 0'])
})
