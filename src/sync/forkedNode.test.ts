import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { createScriptedChain, type ScriptedChain } from '../../test/scriptedChain.ts'
import { seedCollection } from '../../test/seedCollection.ts'
import { seedLease, seedWorker } from '../../test/seedLease.ts'
import { knownChains } from '../chain/evm/chains.ts'
import type { ContractReader } from '../chain/evm/contracts/contract.ts'
import type { RpcLog } from '../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../chain/evm/source/source.ts'
import type { Database } from '../db/database.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { followCollections } from '../nft/index/followCollections.ts'
import { raiseVersions } from '../nft/store/collectionStore.ts'
import { storeTransfers } from '../nft/store/storeTransfers.ts'
import { decodeTransfers } from '../nft/transfers/decodeTransfers.ts'
import { historyGroup } from '../nft/transfers/transferGroup.ts'
import { noopLog } from '../util/log.ts'
import { insertChain } from './chainStore.ts'
import { createFollower } from './follow.ts'

const address = '0x00000000000000000000000000000000000000aa'
const never = new AbortController().signal
const finality = 4

/** Stores the history of the collection up to a block, like the history reader. */
async function readHistoryTo(db: Database, chain: ScriptedChain, to: bigint): Promise<void> {
  const { partition, id } = await seedCollection(db, {
    ...{ address, chainId: 1n, columns: { status: 'syncing', standard: 'ERC721', from_block: 0n, to_block: to } },
    ...{ chain: { block: (await db.rows<[bigint]>('SELECT block_number FROM chain'))[0]![0], head: to } },
  })
  const key = { partition, id, chainId: 1n, address, standard: 'ERC721', idInData: false } as const
  const { logs } = await chain.source.logs({ address, topics: [], from: 0n, to })
  await db.transaction(async (tx) => {
    const changes = await storeTransfers(tx, [historyGroup(key, [...decodeTransfers(logs, key)])])
    await raiseVersions(tx, changes)
    await tx.run(`UPDATE collection SET coverage = int8multirange(int8range(0, $1, '[]'))`, [to])
  })
}

/** Makes a chain with a follower that has not started. Unless `bare`, it also makes a collection that is being read. */
async function setUp({ bare = false } = {}) {
  const { db, drop } = await createTestDatabase()
  onTestFinished(() => drop())
  const chain = createScriptedChain(address, finality)
  const worker = await seedWorker(db)
  await seedLease(db, 'chain', 1, worker)
  await insertChain(db, 1n, (await chain.source.identity()).genesisHash, 0n, 0n)
  const columns = { status: 'syncing', standard: 'ERC721', from_block: 0n, to_block: 0n, coverage: '{[0,1)}' }
  if (!bare) await seedCollection(db, { address, chainId: 1n, columns })
  const evm = { ...knownChains[0]!, name: 'eth', configured: false }
  const common = { chain: evm, source: chain.source, db, metrics: createMetrics(), log: noopLog }
  const handler = await followCollections({
    ...common,
    contracts: {} as ContractReader,
    metadataCoolOffMs: 0,
    maxTokens: 1_000,
  })
  const follower = createFollower({ ...common, handler, worker: () => worker })
  const steps = async (most: number) => {
    for (let i = 0; i < most; i++) if ((await follower.step(never)) === 'idle') return i
    return most
  }
  const state = async () => (await db.rows<[bigint, bigint]>('SELECT block_number, finalized_number FROM chain'))[0]!
  const isLive = async () => (await db.rows("SELECT 1 FROM collection WHERE status = 'live'")).length === 1
  const owners = async () => {
    const rows = await db.rows<[string, Buffer]>('SELECT token_id, owner FROM token WHERE amount > 0')
    return Object.fromEntries(rows.map(([id, owner]) => [id, BigInt(`0x${owner.toString('hex')}`)]))
  }
  return { db, chain, steps, state, owners, isLive }
}

const truth = (chain: ScriptedChain) =>
  Object.fromEntries(chain.logs().map(({ topics }) => [String(BigInt(topics[3]!)), BigInt(topics[2]!)]))

/** Undoes three blocks and adds six, so that two of the three are final. Returns the source of a node that stays on the three blocks. */
async function leaveBehind(chain: ScriptedChain): Promise<EvmSource> {
  for (let i = 0; i < 3; i++) chain.add([{ token: 100 + i, from: 0, to: 2 }])
  const own = { ...chain.source }
  const { head, finalizedUnderHead } = await own.head()
  const headers = await own.headers(0n, chain.head())
  const logs = new Map<string, RpcLog[]>()
  const all = { topics: [], watched: () => true, watchedList: () => [] }
  for (const header of headers) logs.set(header.hash, await own.blockLogs(header, all))
  chain.drop(3)
  for (let i = 0; i < 6; i++) chain.add([{ token: 200 + i, from: 0, to: 3 }])
  return {
    ...own,
    // Other nodes have reported the last final block.
    head: async () => ({ head, finalized: (await own.head()).finalized, finalizedUnderHead }),
    headers: async (from, to) => headers.slice(Number(from), Number(to) + 1),
    headerUnder: async (top, number) => (top.hash === head.hash ? headers[Number(number)] : undefined),
    blockLogs: async (header, wanted, signal) => logs.get(header.hash) ?? own.blockLogs(header, wanted, signal),
  }
}

test('behavior: blocks of a node stuck on an undone fork are never stored as final', async () => {
  const { chain, steps, state, owners, isLive } = await setUp()
  while (!(await isLive())) await steps(1)
  for (let i = 0; i < 20; i++) chain.add([{ token: i, from: 0, to: 1 }])
  await steps(20)
  const own = { ...chain.source }
  const behind = await leaveBehind(chain)
  // First only the head is from an up-to-date node and the blocks below are from the lagging one. Then both are from the lagging one.
  for (const answers of [{ headers: behind.headers, blockLogs: behind.blockLogs }, behind]) {
    Object.assign(chain.source, own, answers)
    await steps(3)
    expect((await state())[1]).toBeLessThanOrEqual(20n)
  }
  Object.assign(chain.source, own)
  await steps(20)
  expect(await state()).toEqual([chain.head(), chain.head() - BigInt(finality)])
  expect(await owners()).toEqual(truth(chain))
})

test('behavior: following does not start at a block of a node stuck on an undone fork', async () => {
  const { db, chain, steps, state, owners } = await setUp()
  for (let i = 0; i < 20; i++) chain.add([{ token: i, from: 0, to: 1 }])
  const own = { ...chain.source }
  const behind = await leaveBehind(chain)
  await db.run('UPDATE chain SET finalized_number = $1', [(await own.head()).finalized])
  for (const answers of [behind, { ...behind, head: own.head }]) {
    Object.assign(chain.source, own, answers)
    expect(await steps(3)).toBe(0)
  }
  Object.assign(chain.source, own)
  await steps(20)
  expect(await state()).toEqual([chain.head(), chain.head() - BigInt(finality)])
  expect(await owners()).toEqual({})
})

test('behavior: a history that is final on the chain does not join an undone fork that is still followed', async () => {
  const { db, chain, steps, state, owners } = await setUp({ bare: true })
  for (let i = 0; i < 20; i++) chain.add([{ token: i, from: 0, to: 1 }])
  const own = { ...chain.source }
  const behind = await leaveBehind(chain)
  const { head } = await behind.head()
  const noLogs = async () => ({ logs: [], to: head.number, toHash: head.hash })
  Object.assign(chain.source, behind, { logs: noLogs })
  await steps(20)
  expect(await state()).toEqual([head.number, head.number - BigInt(finality)])
  const { finalized } = await own.head()
  await readHistoryTo(db, { ...chain, source: own }, finalized)
  expect(finalized).toBeLessThan(head.number)
  for (let i = 0; i < 5; i++) {
    expect(await steps(1)).toBe(0)
    await wait(10)
  }
  Object.assign(chain.source, own)
  const settled = async () => {
    await steps(20)
    return db.rows('SELECT status, transfers FROM collection')
  }
  await expect.poll(settled).toEqual([['live', BigInt(chain.logs().length)]])
  expect(await owners()).toEqual(truth(chain))
})
