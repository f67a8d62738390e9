import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createRandom, freshSeed } from '../random.ts'
import { system } from '../system.ts'
import { createAptosChain } from './aptosChain.ts'
import { type AssetWorld, createAssetWorld, type ExpectedCoin } from './assetWorld.ts'
import { type CoinClient, startCoinServer } from './coinServer.ts'
import { startFakeFullnode } from './fakeFullnode.ts'
import { startFakeStream } from './fakeStream.ts'
import { inventTransaction } from './inventedTransaction.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

type Full = ExpectedCoin & { coin_type_hash: string; asset_type: string }

async function walk(client: CoinClient, standard: string, limit: number): Promise<Full[]> {
  const all: Full[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await client.page(`limit=${limit}&standard=${standard}&cursor=${encodeURIComponent(cursor)}`)
    all.push(...(page.result as unknown as Full[]))
    cursor = page.cursor
  }
  return all
}

/** That answers are what the chain holds: the lists of each standard, coins by hash, and supplies at versions. */
async function expectWorld(client: CoinClient, world: AssetWorld): Promise<void> {
  const expected = world.expected()
  const answers = async () => {
    const given = await walk(client, 'all', 13)
    return given.map((one) => Object.fromEntries(Object.keys(expected[0]!).map((key) => [key, one[key as keyof Full]])))
  }
  // A state of the network is kept for a moment.
  await expect.poll(answers, { interval: 50 }).toEqual(expected)
  for (const standard of ['v1', 'v2'] as const)
    expect((await walk(client, standard, 17)).map((one) => one.coin_type)).toEqual(
      expected.filter((one) => one.token_standard === standard).map((one) => one.coin_type),
    )
  const plain = await client.walk(17)
  expect(plain.map((one) => one.coin_type)).toEqual(
    expected.filter((one) => one.token_standard === 'v1').map((one) => one.coin_type),
  )
  for (let i = 0; i < 150; i++) {
    const { coin, version, supply } = world.someSupply()
    const response = await client.get(`/coins/${hashOf(coin)}/supply?version=${version}`)
    expect(await response.json(), `${coin} at ${version}`).toMatchObject({ supply })
  }
}

async function expectTruth(kind: 'stream' | 'fullnode' | 'both'): Promise<void> {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  const chain = createAptosChain({ chainId: 1 })
  chain.add(inventTransaction({ kind: 'genesis' }))
  const world = createAssetWorld(chain, random)
  world.happen(900)
  const grpc = kind === 'fullnode' ? {} : { grpc: (await startFakeStream({ chain })).address, silenceMs: 300 }
  const rest = kind === 'stream' ? {} : { rest: (await startFakeFullnode({ chain })).url, pollIntervalMs: 20 }
  // Ranges side by side end in any order, so that later states come before earlier ones.
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
  // Without each of these the test would say less.
  const all = world.expected()
  for (const kind of [
    all.some((one) => one.deleted),
    all.some((one) => one.paired_asset_type !== null && one.supply !== null),
    all.some((one) => one.maximum_supply !== null),
  ])
    expect(kind).toBe(true)
  // Nothing is kept of objects that are no assets.
  expect(row).toEqual([0n])
}

test.each(['stream'] as const)('behavior: whatever happens on a chain, answers are what it holds, by %s', expectTruth)
test.each(['fullnode', 'both'] as const)(
  'behavior: whatever happens on a chain, answers are what it holds, by %s',
  system,
  expectTruth,
)
