// @module-tag system

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../commandLine.ts'
import { createRandom, freshSeed } from '../random.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { createAptosChain } from './aptosChain.ts'
import { createAssetWorld } from './assetWorld.ts'
import { startCoinServer } from './coinServer.ts'
import { startFakeFullnode } from './fakeFullnode.ts'
import { inventTransaction } from './inventedTransaction.ts'

test('default: the stored data matches the node, and verify finds every change made in the database', async () => {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  const chain = createAptosChain({ chainId: 1 })
  chain.add(inventTransaction({ kind: 'genesis' }))
  createAssetWorld(chain, random).happen(500)
  const node = await startFakeFullnode({ chain })
  await using server = await startCoinServer({ mainnet: { rest: node.url, pollIntervalMs: 20 } })
  await server.untilCovered(chain.head())
  const config = join(await temporaryFolder(), 'config.json')
  await writeFile(config, JSON.stringify({ aptos: { mainnet: { rest: node.url }, other: { grpc: '127.0.0.1:1' } } }))
  const { url, db } = server.database
  const verify = (...options: string[]) =>
    runCommand(['coins', 'verify', '--database-url', url, '--config', config, ...options])

  const right = await verify('--sample', '1000', '--json')
  expect(JSON.parse(right.out)).toMatchObject({ version: String(chain.head()), differences: [] })
  expect(JSON.parse(right.out).compared).toBeGreaterThan(50)
  expect(right.code).toBe(0)

  const newest = `WHERE (subject, version) IN (
    SELECT DISTINCT ON (subject) subject, version FROM coin_state WHERE supply IS NOT NULL AND decimals IS NOT NULL AND NOT deleted
    ORDER BY subject, version DESC)`
  const [[coins] = [0n]] = await db.rows<[bigint]>(`SELECT count(*) FROM coin_state ${newest}`)
  await db.run(`UPDATE coin_state SET supply = supply + 1 ${newest}`)
  const wrong = await verify('--sample', '1000')
  expect(wrong.code).toBe(1)
  expect(wrong.err).toMatch(/values differ/)
  const lines = wrong.out.split('\n').filter((line) => / supply is \d+ here and \d+ on the chain$/.test(line))
  // Coins that were written again later or deleted keep their values.
  expect(lines.length).toBeGreaterThan(Number(coins) / 2)

  const unset = await verify('--network', 'other')
  expect({ code: unset.code, err: unset.err }).toMatchObject({ code: 1, err: expect.stringContaining('--rest') })
  const odd = await verify('--sample', '0')
  expect(odd.err).toContain('--sample is "0"; allowed: a whole number from 1')
})
