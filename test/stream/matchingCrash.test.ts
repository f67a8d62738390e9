// @module-tag system

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { startAnvil, toTransaction } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { createTestDatabase } from '../database.ts'
import { testApiKey } from '../mintmark.ts'
import { newCluster } from '../newCluster.ts'
import { createRandom, freshSeed } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { killProcess, startServiceProcess } from '../serviceProcess.ts'
import { temporaryDataFolder } from '../temporaryFolder.ts'
import { createStreamClient, startTaker } from './streamServer.ts'
import { confirmations, type Expected, expectTruth } from './streamTruth.ts'

/** Ten kills in a soak. */
const deaths = inject('rounds') > 1 ? 10 : 5

test('behavior: after repeated kills while the chain moves and reorganises, the ledger matches the chain', async () => {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  await using anvil = await startAnvil({ slotsInAnEpoch: 8 })
  await using receiver = await startTaker()
  const contract = await anvil.deploy(plain721, ['Crash', 'CRS', ''])
  await randomActivity(anvil, { erc721: [contract] }, random, 40)
  const database = await createTestDatabase()
  const folder = await temporaryDataFolder()
  const configFile = join(folder, 'mintmark.config.json')
  const config = {
    port: 0,
    apiKey: testApiKey,
    databaseUrl: database.url,
    dataDir: await newCluster(join(folder, 'data')),
    outbound: { allow: ['127.0.0.1'] },
    chains: { local: { id: '0x7a69', rpc: [anvil.url], pollIntervalMs: 20, confirmations } },
  }
  await writeFile(configFile, JSON.stringify(config))
  const streams: Expected[] = []
  const pool = [contract, ...anvil.accounts]

  for (let life = 0; life <= deaths; life++) {
    const { child, url } = await startServiceProcess(configFile)
    const client = createStreamClient({ url, db: database.db, receiverUrl: receiver.url })
    if (life % 3 === 0) {
      const from = BigInt(random.int(20))
      const { id } = await client.create({ includeContractLogs: true, fromBlocks: { '0x7a69': String(from) } })
      streams.push({ id, from, spans: [], takesLog: () => true })
    }
    for (const { id, spans } of streams) {
      const address = random.pick(pool)
      const open = spans!.find((span) => span.address === address && span.to === null)
      if (open) open.to = await client.remove(id, address)
      else spans!.push({ address, from: await client.add(id, address), to: null })
    }
    if (life === deaths) {
      // Added addresses get their history only from final blocks.
      await anvil.mine(20)
      const additions = () => database.db.rows('SELECT stream_id FROM stream_addition')
      await expect.poll(additions).toEqual([])
      await expectTruth(client, anvil, streams)
      const [sums] = await database.db.rows<[bigint, bigint]>(
        `SELECT (SELECT sum(matched)::int8 FROM webhook_matched), (SELECT count(*) FROM webhook)`,
      )
      expect(sums![0]).toBe(sums![1])
      await killProcess(child)
      break
    }
    const end = delay(random.int(500))
    await randomActivity(anvil, { erc721: [contract] }, random, 3)
    const mint = { to: contract, abi: plain721.abi, functionName: 'mint', args: [pool[1] as Address, random.uint256()] }
    await anvil.reorg(1 + random.int(7), [[toTransaction(mint), 0]])
    await anvil.mine(1)
    await end
    await killProcess(child)
  }
  await database.drop()
})
