// @module-tag system

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { createTestDatabase } from '../database.ts'
import { testApiKey } from '../mintmark.ts'
import { builtProgram } from '../program.ts'
import { createRandom, freshSeed, type Random } from '../random.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { type AptosChain, createAptosChain } from './aptosChain.ts'
import { createAssetWorld } from './assetWorld.ts'
import { type CoinTruth, makeCoins } from './coinActivity.ts'
import { type CoinClient, createCoinClient, expectCoins } from './coinServer.ts'
import { expectWorld } from './expectWorld.ts'
import { startFakeFullnode } from './fakeFullnode.ts'
import { startFakeStream } from './fakeStream.ts'
import { inventTransaction } from './inventedTransaction.ts'
import type { NodeFault } from './nodeFaults.ts'

/** The last kill but one happens after the chain has grown. */
const deaths = inject('rounds') > 1 ? 5 : 3

/** Starts the service as an operator does. */
async function startProcess(configFile: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [await builtProgram(), 'start', '--config', configFile], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let text = ''
  for await (const chunk of child.stderr!) {
    text += chunk
    const url = /"url":"(http:[^"]+)"/.exec(text)?.[1]
    if (!url) continue
    child.stderr!.resume()
    return { child, url }
  }
  throw new Error(`the service did not start: ${text}`)
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Coins alone, or coins and assets with their supplies and pairs. `rows`: number of stored coins. */
type Happenings = { happen(times: number): void; expect(client: CoinClient): Promise<void>; rows(): number }

const happenings: Record<'coins' | 'assets', (chain: AptosChain, random: Random) => Happenings> = {
  coins(chain, random) {
    const truth: CoinTruth = new Map()
    return {
      happen: (times) => makeCoins(chain, truth, random, times),
      expect: (client) => expectCoins(client, truth),
      rows: () => truth.size,
    }
  },
  assets(chain, random) {
    chain.add(inventTransaction({ kind: 'genesis' }))
    const world = createAssetWorld(chain, random)
    return {
      happen: world.happen,
      expect: (client) => expectWorld(client, world),
      rows: () => world.expected().length,
    }
  },
}

// The world of assets contains coins as well, so one source is enough for coins alone.
test.each([
  ['coins', 'fullnode'],
  ['assets', 'stream'],
  ['assets', 'fullnode'],
] as const)(
  'behavior: killed repeatedly while it reads %s of a %s, the server ends in the state of the chain, without duplicates',
  async (what, kind) => {
    const random = createRandom(freshSeed())
    process.stdout.write(`seed ${random.seed}\n`)
    const chain = createAptosChain({ chainId: 1 })
    const happening = happenings[what](chain, random)
    happening.happen(deaths * 800)
    const faults = { shares: { cut: 0.02, half: 0.02 }, random, counts: new Map<NodeFault, number>() }
    const source =
      kind === 'stream'
        ? { grpc: (await startFakeStream({ chain, faults, pastHead: 'refuse' })).address, silenceMs: 500 }
        : { rest: (await startFakeFullnode({ chain, faults })).url, pollIntervalMs: 20 }
    const database = await createTestDatabase()
    try {
      const configFile = join(await temporaryFolder(), 'mintmark.config.json')
      const config = {
        ...{ port: 0, apiKey: testApiKey, databaseUrl: database.url, logLevel: 'info' },
        aptos: { mainnet: { ...source, rangeWidth: 100, rangesInFlight: 3 } },
      }
      await writeFile(configFile, JSON.stringify(config))
      const covered: number[] = []
      for (let death = 0; death < deaths; death++) {
        const { child } = await startProcess(configFile)
        // Each kill happens a little further on, so that kills hit both history and the head.
        const goal = (death + 1) * 900 + random.int(200)
        const coverage = async () => {
          const [row] = await database.db.rows<[bigint | null]>(
            'SELECT (SELECT sum(upper(r) - lower(r))::int8 FROM unnest(coverage) r) FROM coin_network',
          )
          return Number(row?.[0] ?? 0)
        }
        if (death === deaths - 2) happening.happen(deaths * 300)
        await expect.poll(coverage, { interval: 2 }).toBeGreaterThan(goal)
        await kill(child)
        covered.push(await coverage())
      }
      expect(covered).toEqual(covered.toSorted((a, b) => a - b))
      const { child, url } = await startProcess(configFile)
      const client = createCoinClient(url)
      await client.untilCovered(chain.head())
      await happening.expect(client)
      const [row] = await database.db.rows<[bigint, bigint, string]>(
        `SELECT count(*), count(DISTINCT coin_type_hash), (SELECT coverage::text FROM coin_network) FROM coin`,
      )
      const rows = BigInt(happening.rows())
      expect(row).toEqual([rows, rows, `{[0,${chain.head() + 1n})}`])
      child.kill('SIGTERM')
      const [code] = await once(child, 'exit')
      expect(code).toBe(0)
    } finally {
      await database.drop()
    }
  },
)
