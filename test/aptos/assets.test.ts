import { expect, test } from 'vitest'
import { createRandom, freshSeed } from '../random.ts'
import { system } from '../system.ts'
import { createAptosChain } from './aptosChain.ts'
import { createAssetWorld } from './assetWorld.ts'
import { startCoinServer } from './coinServer.ts'
import { expectWorld } from './expectWorld.ts'
import { startFakeFullnode } from './fakeFullnode.ts'
import { startFakeStream } from './fakeStream.ts'
import { inventTransaction } from './inventedTransaction.ts'
import type { NodeFault } from './nodeFaults.ts'

/** A chain on which assets are created and deleted. */
function inventWorld() {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  const chain = createAptosChain({ chainId: 1 })
  chain.add(inventTransaction({ kind: 'genesis' }))
  const world = createAssetWorld(chain, random)
  world.happen(900)
  return { random, chain, world }
}

async function expectTruth(kind: 'stream' | 'fullnode' | 'both'): Promise<void> {
  const { chain, world } = inventWorld()
  const grpc = kind === 'fullnode' ? {} : { grpc: (await startFakeStream({ chain })).address, silenceMs: 300 }
  const rest = kind === 'stream' ? {} : { rest: (await startFakeFullnode({ chain })).url, pollIntervalMs: 20 }
  // Parallel ranges end in any order, so later states may arrive before earlier ones.
  await using server = await startCoinServer({
    mainnet: { ...grpc, ...rest, rangeWidth: 100, rangesInFlight: 4 },
  })
  await server.untilCovered(chain.head())
  await expectWorld(server, world)
  for (let round = 0; round < 3; round++) {
    world.happen(60)
    await server.untilCovered(chain.head())
    await expectWorld(server, world)
  }
  const [row] = await server.database.db.rows<[bigint]>(
    'SELECT count(*) FROM coin_state s WHERE NOT EXISTS (SELECT 1 FROM coin c WHERE s.subject IN (c.coin_type_hash, c.aggregator))',
  )
  // Each kind must occur, or the test would prove less.
  const all = world.expected()
  for (const kind of [
    all.some((one) => one.deleted),
    all.some((one) => one.paired_asset_type !== null && one.supply !== null),
    all.some((one) => one.maximum_supply !== null),
  ])
    expect(kind).toBe(true)
  // Objects that are no assets leave no rows.
  expect(row).toEqual([0n])
}

test.each(['stream'] as const)(
  'behavior: after any events on a chain, responses match its contents, by %s',
  expectTruth,
)
test.each(['fullnode', 'both'] as const)(
  'behavior: after any events on a chain, responses match its contents, by %s',
  system,
  expectTruth,
)

test.each(['stream', 'fullnode'] as const)(
  'error: no asset, supply or pair is lost when a %s skips versions, repeats and breaks off',
  system,
  async (kind) => {
    const { random, chain, world } = inventWorld()
    const counts = new Map<NodeFault, number>()
    const faults = { shares: { gap: 0.2, duplicate: 0.05, cut: 0.03, half: 0.03 }, random, counts }
    const source =
      kind === 'stream'
        ? { grpc: (await startFakeStream({ chain, faults })).address, silenceMs: 500 }
        : { rest: (await startFakeFullnode({ chain, faults })).url, pollIntervalMs: 20 }
    await using server = await startCoinServer({ mainnet: { ...source, rangeWidth: 100, rangesInFlight: 4 } })
    do {
      world.happen(40)
      await server.untilCovered(chain.head())
    } while ((counts.get('gap') ?? 0) < 5)
    await expectWorld(server, world)
  },
)
