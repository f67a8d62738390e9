// @module-tag system

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { openDatabase } from '../../src/cli/context/openDatabase.ts'
import { parseConfig } from '../../src/config/config.ts'
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
import { expectAnswers } from './wholeTruth.ts'

const repeats = inject('rounds') - 1
/** Kills during history, and as many again while the chain grows and reorganises. */
const deaths = inject('rounds') > 1 ? 5 : 3

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('behavior: after kills at random moments of history and following, wallets match the chain without duplicates', {
  repeats,
}, async () => {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  await using anvil = await startAnvil({ slotsInAnEpoch: 8 })
  const contracts = {
    erc721: [await anvil.deploy(plain721, ['Crash', 'CRS', ''])],
    erc1155: [await anvil.deploy(plain1155, ['Crash', 'CRS'])],
  }
  const wallets = anvil.accounts.slice(0, 3)
  await randomActivity(anvil, contracts, random, 80)
  const folder = await temporaryDataFolder()
  const configFile = join(folder, 'mintmark.config.json')
  const config = {
    port: 0,
    apiKey: testApiKey,
    dataDir: await newCluster(join(folder, 'data')),
    chains: { local: { id: '0x7a69', rpc: [anvil.url], pollIntervalMs: 20 } },
    // With few blocks per range, history takes long enough to be killed in.
    rpc: { maxLogRange: 8 },
    sync: { sliceMs: 200 },
  }
  await writeFile(configFile, JSON.stringify(config))

  for (let death = 0; death < 2 * deaths; death++) {
    const { child, url } = await startServiceProcess(configFile)
    const client = createNftClient(url)
    for (const wallet of wallets) await client.get(`/api/v2/${wallet}/nft?chain=local`).catch(() => undefined)
    if (death === deaths) await expectAnswers(anvil, client, contracts, wallets)
    const end = delay(random.int(death < deaths ? 150 : 600))
    if (death >= deaths) {
      await randomActivity(anvil, contracts, random, 4)
      const args = [random.pick(wallets), random.uint256()] as const
      const mint = { to: contracts.erc721[0]!, abi: plain721.abi, functionName: 'mint', args } as const
      await anvil.reorg(1 + random.int(6), [[toTransaction(mint), 0]])
      await anvil.mine(1)
    }
    await end
    await killProcess(child)
  }

  const { child, url } = await startServiceProcess(configFile)
  await expectAnswers(anvil, createNftClient(url), contracts, wallets)
  const { db, close } = await openDatabase(parseConfig({ dataDir: config.dataDir }), AbortSignal.timeout(patienceMs))
  const counted = await db.rows<[bigint, bigint]>(
    `SELECT w.transfers, (SELECT count(*) FROM wallet_move m WHERE m.partition = w.partition AND m.wallet_id = w.id) FROM wallet w`,
  )
  for (const [transfers, rows] of counted) expect(transfers).toBe(rows)
  await close()
  await killProcess(child)
})
