// @module-tag system

import { expect, test } from 'vitest'
import { resetChain } from '../../src/service/resetChain.ts'
import { readStreamHistory } from '../../src/stream/follow/readStreamHistory.ts'
import { recountLedger } from '../../src/stream/ledger/recountLedger.ts'
import { insertChain } from '../../src/sync/chainStore.ts'
import type { OpenChain } from '../../src/sync/openChains.ts'
import { noopLog } from '../../src/util/log.ts'
import { createWaker } from '../../src/util/wait.ts'
import { createWorkPriority } from '../../src/util/workPriority.ts'
import { evmChain } from '../evmChain.ts'
import { patience } from '../patience.ts'
import { seedCollection } from '../seedCollection.ts'
import { confirmations, openScriptedStreams, type ScriptedStreams } from './scriptedStreams.ts'
import { mintBlocks } from './scriptedTruth.ts'

const chainId = 31_337n

/** Resets the chain. Its follower detects the removal and reloads everything. */
async function reset(t: ScriptedStreams): Promise<void> {
  await resetChain(t.db, chainId)
  t.handler.committed({ fork: 0n, blocks: [], finalized: 0n, released: true })
  await insertChain(t.db, chainId, (await t.chain.source.identity()).genesisHash, 0n, 0n)
}

/** Blocks with confirmed webhooks of a stream, by number and hash. */
const confirmedOf = (t: ScriptedStreams) =>
  t.db.rows<[bigint, string, bigint]>(
    `SELECT block_number, '0x' || encode(block_hash, 'hex'), count(*) FROM webhook WHERE kind = 'confirmed' AND NOT retracted
     GROUP BY 1, 2 ORDER BY 1, 2`,
  )

test('behavior: after a chain reset below a final block, unchanged blocks are not sent again, and the stream continues', async () => {
  await using t = await openScriptedStreams(4)
  const id = await t.create({ from: 0n, all: true })
  mintBlocks(t, 12)
  await t.settle()
  // The chain was restored from a backup: some final blocks are the same, others are new.
  t.chain.drop(6)
  await reset(t)
  await t.settle()
  mintBlocks(t, 10)
  await t.settle()
  expect(await t.demand.get(id)).toMatchObject({ status: 'active', statusMessage: '' })
  expect([await t.states(), (await t.demand.get(id)).statusMessage]).toEqual([{ [id]: 'live' }, ''])
  const hashes = new Set((await confirmedOf(t)).map(([, hash]) => hash))
  const confirmed = t.chain
    .logs()
    .filter(({ blockNumber }) => Number(blockNumber) <= Number(t.chain.head()) - confirmations)
  for (const { blockHash } of confirmed) expect(hashes).toContain(blockHash)
  expect((await confirmedOf(t)).every(([, , count]) => count === 1n)).toBe(true)
  expect((await recountLedger(t.db)).mismatches).toEqual([])
})

test('behavior: an unnecessary chain reset does not stop streams, and no final block is sent twice', async () => {
  await using t = await openScriptedStreams(4)
  const id = await t.create({ from: 0n, all: true })
  mintBlocks(t, 12)
  await t.settle()
  await reset(t)
  await t.settle()
  mintBlocks(t, 6)
  await t.settle()
  expect([await t.states(), (await t.demand.get(id)).statusMessage]).toEqual([{ [id]: 'live' }, ''])
  const confirmed = await confirmedOf(t)
  const last = Number(t.chain.head()) - confirmations
  expect(confirmed.map(([number]) => Number(number))).toEqual(Array.from({ length: last }, (_, i) => i + 1))
  expect((await recountLedger(t.db)).mismatches).toEqual([])
})

test('behavior: a stream gets only confirmed webhooks of the history of a restarted chain, and both at its head', async () => {
  await using t = await openScriptedStreams(4)
  await t.settle()
  const id = await t.create({ all: true })
  mintBlocks(t, 12)
  await t.settle()
  t.chain.drop(12)
  mintBlocks(t, 30)
  await reset(t)
  const last = (await t.db.rows<[bigint]>('SELECT max(position) FROM webhook'))[0]![0]
  await t.settle()
  mintBlocks(t, 2)
  await t.settle()
  expect([await t.states(), (await t.demand.get(id)).statusMessage]).toEqual([{ [id]: 'live' }, ''])
  const unconfirmed = await t.db.rows<[bigint]>(
    `SELECT block_number FROM webhook WHERE position > $1 AND kind = 'unconfirmed' ORDER BY 1`,
    [last],
  )
  // The follower starts at the finalized block, 26. Three blocks are unconfirmed at that time.
  expect(unconfirmed.map(([number]) => Number(number)).filter((number) => number < 24 || number > 28)).toEqual([
    29, 30, 31, 32,
  ])
})

/** Blocks retracted so far. */
const retractedOf = async (t: ScriptedStreams) =>
  (await t.db.rows<[bigint]>(`SELECT block_number FROM webhook WHERE kind = 'retraction' ORDER BY 1`)).map(Number)

test('behavior: two resets before a node responds retract no webhook of a final block', async () => {
  await using t = await openScriptedStreams(4)
  await t.create({ from: 0n, all: true })
  mintBlocks(t, 12)
  await t.settle()
  await seedCollection(t.db, { address: `0x${'ab'.repeat(20)}`, chainId })
  await resetChain(t.db, chainId)
  const retracted = await retractedOf(t)
  await resetChain(t.db, chainId)
  expect(await retractedOf(t)).toEqual(retracted)
  expect(retracted).not.toContain(1)
})

test('behavior: a reorganisation of a restarted chain retracts no webhook of the former chain', async () => {
  await using t = await openScriptedStreams(4)
  const id = await t.create({ from: 0n, all: true })
  mintBlocks(t, 40)
  await t.settle()
  t.chain.drop(40)
  mintBlocks(t, 12)
  await reset(t)
  const retracted = await retractedOf(t)
  await t.settle()
  t.chain.drop(2)
  mintBlocks(t, 3)
  await t.settle()
  expect([await t.states(), (await t.demand.get(id)).statusMessage]).toEqual([{ [id]: 'live' }, ''])
  const since = (await retractedOf(t)).length - retracted.length
  expect([since, await retractedOf(t)]).toEqual([2, [...retracted, 11, 12].toSorted((a, b) => a - b)])
  expect((await recountLedger(t.db)).mismatches).toEqual([])
})

test('behavior: history of a reopened chain has the current contract names', async () => {
  await using t = await openScriptedStreams(4)
  const chain = evmChain(['http://127.0.0.1:1'], { confirmations })
  const opened = (name: string): OpenChain => ({
    chain,
    source: t.chain.source,
    contracts: {
      identify: async () => ({
        hasCode: true,
        standard: 'ERC721',
        name,
        symbol: 'A',
      }),
      hasToken: async () => false,
      deploymentBlock: async () => 0n,
      wasContract: async () => true,
      tokenUris: async () => [],
      contractUri: async () => ({ lasting: true, reason: '' }),
    },
    close: async () => undefined,
  })
  const nothing = () => undefined
  let open = opened('Before')
  const stop = new AbortController()
  const { signal } = stop
  const waker = createWaker()
  const partitions = Array.from({ length: 256 }, (_, i) => BigInt(i))
  const done = readStreamHistory({
    workPriority: createWorkPriority(),
    chains: {
      ids: [chainId],
      open: async () => open,
      distrust: nothing,
      endpoints: nothing,
      close: async () => undefined,
    },
    leases: {
      workerId: () => t.worker,
      held: () => new Set(partitions),
      holds: () => true,
      served: () => ({ chains: [chainId], partitions, lent: new Map() }),
      serving: () => t.worker,
      retire: async () => undefined,
      close: async () => undefined,
    },
    db: t.db,
    settings: { concurrentStreams: 1, maxAhead: 1_000, maxBytes: 1_000_000, sliceMs: 1_000 },
    log: noopLog,
    waker,
    onComplete: nothing,
    signal,
  })
  const names = () =>
    t.db.rows<[string]>(
      `SELECT DISTINCT b.body::json #>> '{nftTransfers,0,tokenName}' FROM webhook w JOIN webhook_body b USING (partition, position)
       WHERE NOT w.retracted AND w.kind = 'confirmed' ORDER BY 1`,
    )
  try {
    mintBlocks(t, 12)
    while ((await t.follower.step(signal)) !== 'idle');
    await t.create({ from: 0n, all: true })
    waker.wake()
    await expect.poll(names, patience).toContainEqual(['Before'])
    open = opened('Now')
    t.chain.drop(12)
    mintBlocks(t, 12)
    await reset(t)
    while ((await t.follower.step(signal)) !== 'idle');
    waker.wake()
    await expect.poll(names, patience).toContainEqual(['Now'])
  } finally {
    stop.abort()
    await done
  }
})
