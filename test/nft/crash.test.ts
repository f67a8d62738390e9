// @module-tag system

import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test, vi } from 'vitest'
import { openDatabase } from '../../src/cli/context/openDatabase.ts'
import { parseConfig } from '../../src/config/config.ts'
import { positionsPerBlock } from '../../src/nft/transfers/position.ts'
import type { Address } from '../../src/util/hex.ts'
import { startAnvil, toTransaction } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { createNftClient, testApiKey } from '../mintmark.ts'
import { newCluster } from '../newCluster.ts'
import { patience, patienceMs } from '../patience.ts'
import { createRandom, freshSeed } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { readTransfers } from '../readTransfers.ts'
import { killProcess, startServiceProcess } from '../serviceProcess.ts'
import { temporaryDataFolder } from '../temporaryFolder.ts'
import { expectWalletTruth } from '../walletTruth.ts'
import { expectTruth } from './ownership.ts'

const repeats = inject('rounds') - 1
/** Kills during history, and as many again while the chain grows and reorganises. */
const deaths = inject('rounds') > 1 ? 5 : 3

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('behavior: after kills at random moments of history and following, the index matches the chain without duplicates', {
  repeats,
}, async () => {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  await using anvil = await startAnvil({ slotsInAnEpoch: 8 })
  const erc721 = await anvil.deploy(plain721, ['Crash', 'CRS', ''])
  const erc1155 = await anvil.deploy(plain1155, ['Crash', 'CRS'])
  const all = [erc721, erc1155]
  await randomActivity(anvil, { erc721: [erc721], erc1155: [erc1155] }, random, 250)

  const folder = await temporaryDataFolder()
  const configFile = join(folder, 'mintmark.config.json')
  const config = {
    port: 0,
    apiKey: testApiKey,
    dataDir: await newCluster(join(folder, 'data')),
    chains: { local: { id: '0x7a69', rpc: [anvil.url], pollIntervalMs: 20 } },
    // With one block per range, history takes long enough to be killed in.
    rpc: { maxLogRange: 1 },
    sync: { sliceMs: 200 },
  }
  await writeFile(configFile, JSON.stringify(config))

  for (let death = 0; death < 2 * deaths; death++) {
    const { child, url } = await startServiceProcess(configFile)
    const client = createNftClient(url)
    for (const address of all) await client.page(address).catch(() => undefined)
    if (death === deaths) for (const address of all) await expectTruth({ anvil, client }, address)
    const end = delay(random.int(death < deaths ? 120 : 600))
    if (death >= deaths) {
      await randomActivity(anvil, { erc721: [erc721], erc1155: [erc1155] }, random, 4)
      const [holder] = anvil.accounts as [Address]
      const mint = { to: erc721, abi: plain721.abi, functionName: 'mint', args: [holder, random.uint256()] }
      await anvil.reorg(1 + random.int(10), [[toTransaction(mint), 0]])
      await anvil.mine(1)
    }
    await end
    await killProcess(child)
  }

  const { child, url } = await startServiceProcess(configFile)
  const client = createNftClient(url)
  for (const address of all) await expectTruth({ anvil, client }, address)
  const block = await anvil.blockNumber()
  const { db, close } = await openDatabase(parseConfig({ dataDir: config.dataDir }), AbortSignal.timeout(patienceMs))
  for (const address of all) {
    const [row] = await db.rows<[bigint, bigint, bigint, bigint, string[]]>(
      `SELECT (SELECT count(*) FROM transfer t WHERE t.collection_id = c.id), c.tokens,
         (SELECT count(*) FROM token k WHERE k.collection_id = c.id AND k.amount > 0), c.transfers,
         (SELECT array_agg(b.text ORDER BY b.text COLLATE "C") FROM (SELECT DISTINCT t.position / ${positionsPerBlock} || ' 0x' || encode(t.block_hash, 'hex') AS text FROM transfer t WHERE t.collection_id = c.id) b)
       FROM collection c WHERE c.address = $1`,
      [Buffer.from(address.slice(2), 'hex')],
    )
    const [transfers, counted, listed, countedTransfers, blocks] = row!
    const onChain = await readTransfers(anvil.url, address, block)
    expect(transfers).toBe(BigInt(onChain.length))
    expect(blocks).toEqual([...new Set(onChain.map((t) => `${t.block} ${t.blockHash}`))].toSorted())
    expect(counted).toBe(listed)
    expect(countedTransfers).toBe(transfers)
  }
  await vi.waitFor(() => expectWalletTruth(db), patience)
  await close()
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
})
