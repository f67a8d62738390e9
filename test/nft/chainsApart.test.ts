// @module-tag system

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseConfig } from '../../src/config/config.ts'
import { createService } from '../../src/service.ts'
import type { Address } from '../../src/util/hex.ts'
import { noopLog } from '../../src/util/log.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { createTestDatabase } from '../database.ts'
import { startMetadataHost } from '../metadataHost.ts'
import { createNftClient, type NftClient, testApiKey } from '../mintmark.ts'
import { killProcess, startServiceProcess } from '../serviceProcess.ts'
import { createStreamClient, startTaker } from '../stream/streamServer.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

/** Deploys contracts with one token each. Their addresses spread them over the partitions. */
async function deploy(anvil: Anvil, tokenUri: string, count: number): Promise<Address[]> {
  const [holder] = anvil.accounts as [Address]
  const contracts: Address[] = []
  for (let i = 0; i < count; i++) {
    const contract = await anvil.deploy(plain721, ['Apart', 'APT', tokenUri])
    await anvil.send({ to: contract, abi: plain721.abi, functionName: 'mint', args: [holder, 1n] })
    contracts.push(contract)
  }
  await anvil.mine(10)
  return contracts
}

/** Waits until the collections are live and their metadata is stored. */
async function untilReady(client: NftClient, contracts: readonly Address[], block: bigint): Promise<void> {
  await Promise.all(contracts.map((contract) => client.page(contract)))
  for (const contract of contracts) {
    await client.untilSynced(contract, block)
    const progress = async () => (await client.page(contract)).headers.get('x-index-metadata-progress')
    await expect.poll(progress).toBe('1')
  }
}

test('behavior: two processes of one chain each index both chains, while a process of both chains joins and is killed', async () => {
  await using one = await startAnvil({ slotsInAnEpoch: 1 })
  await using two = await startAnvil({ slotsInAnEpoch: 1, chainId: 31338 })
  await using host = await startMetadataHost(1, {})
  await using taker = await startTaker()
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const { db } = database
  const chains = {
    one: { id: '0x7a69', rpc: [one.url], pollIntervalMs: 50 },
    two: { id: '0x7a6a', rpc: [two.url], pollIntervalMs: 50 },
  }
  const settings = {
    port: 0,
    apiKey: testApiKey,
    databaseUrl: database.url,
    databasePoolSize: 8,
    outbound: { allow: ['127.0.0.1'] },
  }
  async function start(name: 'one' | 'two') {
    const config = parseConfig({ ...settings, chains: { [name]: chains[name] } })
    const service = await createService({ config, log: noopLog })
    onTestFinished(() => service.close())
    return { client: createNftClient(service.url, name), url: service.url }
  }
  const [first, second] = [await start('one'), await start('two')]
  const shares = (workers: number) =>
    expect
      .poll(() => db.rows(`SELECT count(*)::int FROM lease WHERE kind = 'partition' GROUP BY worker_id`))
      .toEqual(
        Array.from({ length: workers }, () => [expect.toSatisfy((held: number) => held < 256 / (workers - 0.5))]),
      )
  await shares(2)

  async function everythingIsRead(count: number): Promise<void> {
    const [ofOne, ofTwo] = [await deploy(one, `${host.url}/`, count), await deploy(two, `${host.url}/`, count)]
    await untilReady(first.client, ofOne, await one.blockNumber())
    await untilReady(second.client, ofTwo, await two.blockNumber())
  }
  await everythingIsRead(3)

  // History of streams. The stream's id determines its partition.
  for (const [{ url }, id, anvil] of [
    [first, '0x7a69', one],
    [second, '0x7a6a', two],
  ] as const) {
    const streams = createStreamClient({ url, db, receiverUrl: taker.url })
    const contracts = await deploy(anvil, `${host.url}/`, 1)
    const created = await Promise.all(
      Array.from({ length: 3 }, () =>
        streams.create({ includeContractLogs: true, chainIds: [id], fromBlocks: { [id]: '0' } }),
      ),
    )
    for (const stream of created)
      await streams.call('POST', `/streams/evm/${stream.id}/address`, { address: contracts })
  }
  const matched = `SELECT count(DISTINCT stream_id)::int FROM webhook WHERE kind = 'confirmed' OR kind = 'unconfirmed'`
  await expect.poll(() => db.rows(matched)).toEqual([[6]])

  const folder = await temporaryFolder()
  const configFile = join(folder, 'mintmark.config.json')
  await writeFile(configFile, JSON.stringify({ ...settings, dataDir: join(folder, 'data'), chains }))
  const { child } = await startServiceProcess(configFile)
  onTestFinished(() => void child.kill('SIGKILL'))
  await shares(3)
  await everythingIsRead(2)
  await killProcess(child)
  await everythingIsRead(2)
  const doubles = await db.rows(
    'SELECT 1 FROM transfer GROUP BY partition, collection_id, position, item HAVING count(*) > 1',
  )
  expect(doubles).toEqual([])
})
