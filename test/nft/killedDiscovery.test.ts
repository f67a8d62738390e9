// @module-tag system

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { openDatabase } from '../../src/cli/context/openDatabase.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { Address } from '../../src/util/hex.ts'
import { startAnvil, toTransaction } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { createNftClient, testApiKey } from '../mintmark.ts'
import { newCluster } from '../newCluster.ts'
import { patienceMs } from '../patience.ts'
import { createRandom, freshSeed } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { killProcess, startServiceProcess } from '../serviceProcess.ts'
import { temporaryDataFolder } from '../temporaryFolder.ts'
import { countsOf, listDiscovered, readDiscovered } from './discovered.ts'

const repeats = inject('rounds') - 1
const deaths = inject('rounds') > 1 ? 8 : 4

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('behavior: after kills at random moments of discovery, the contract list matches the chain', {
  repeats,
}, async () => {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  await using anvil = await startAnvil({ slotsInAnEpoch: 8 })
  const contracts = {
    erc721: [await anvil.deploy(plain721, ['Crash', 'CRS', ''])],
    erc1155: [await anvil.deploy(plain1155, ['Crash', 'CRS'])],
  }
  // A chain is followed from its finalized block on. Nothing has moved above it yet.
  await anvil.mine(20)
  const from = (await anvil.blockNumber()) + 1n
  const folder = await temporaryDataFolder()
  const configFile = join(folder, 'mintmark.config.json')
  const config = {
    port: 0,
    apiKey: testApiKey,
    dataDir: await newCluster(join(folder, 'data')),
    chains: { local: { id: '0x7a69', rpc: [anvil.url], pollIntervalMs: 20, discover: true } },
  }
  await writeFile(configFile, JSON.stringify(config))

  const [holder] = anvil.accounts as [Address]
  const mintOf = (to: Address) =>
    ({ to, abi: plain721.abi, functionName: 'mint', args: [holder, random.uint256()] }) as const
  const poll = { timeout: patienceMs, interval: 50 }
  // Ensures that the chain is followed from the first of these blocks on.
  const first = await startServiceProcess(configFile)
  const marker = mintOf(contracts.erc721[0]!)
  await anvil.send(marker)
  await expect.poll(async () => (await listDiscovered(createNftClient(first.url), 'activity')).length, poll).toBe(1)
  await killProcess(first.child)

  const lost: Address[] = []
  for (let death = 0; death < deaths; death++) {
    const { child } = await startServiceProcess(configFile)
    const end = delay(random.int(600))
    await randomActivity(anvil, contracts, random, 4)
    // The reorganisation also undoes the deployment.
    lost.push(await anvil.deploy(plain721, ['Lost', 'LST', '']))
    await anvil.send(mintOf(lost.at(-1)!))
    await anvil.reorg(2 + random.int(6), [[toTransaction(mintOf(contracts.erc721[0]!)), 0]])
    await anvil.mine(1)
    await end
    await killProcess(child)
  }

  const { child, url } = await startServiceProcess(configFile)
  const all = [...contracts.erc721, ...contracts.erc1155, ...lost]
  const truth = await readDiscovered(anvil, all, from)
  expect(truth.length).toBeGreaterThan(0)
  const listed = async () => countsOf(await listDiscovered(createNftClient(url), 'activity'))
  await expect.poll(listed, poll).toEqual(truth)
  await killProcess(child)
  const { db, close } = await openDatabase(parseConfig({ dataDir: config.dataDir }), AbortSignal.timeout(patienceMs))
  expect(await db.rows(`SELECT count(*) FROM collection WHERE status = 'known'`)).toEqual([[BigInt(truth.length)]])
  await close()
})
