// @module-tag system

import { expect, test } from 'vitest'
import { parseConfig } from '../../src/config/config.ts'
import { createService } from '../../src/service.ts'
import type { Address } from '../../src/util/hex.ts'
import { noopLog } from '../../src/util/log.ts'
import { startAnvil } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { createNftClient, startTestServer, testApiKey } from '../mintmark.ts'
import { createRpcServer } from '../rpcServer.ts'
import { expectTruth } from './ownership.ts'

test('behavior: a thousand concurrent requests to two services on one database start one indexing', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  const [holder] = anvil.accounts as [Address]
  const address = await anvil.deploy(plain721, ['Wanted', 'WNT', ''])
  await anvil.send({ to: address, abi: plain721.abi, functionName: 'mintBatch', args: [holder, 0n, 50n] })
  await anvil.mine(10)
  await using first = await startTestServer({ rpc: [anvil.url] })
  const second = await createService({
    config: parseConfig({
      port: 0,
      apiKey: testApiKey,
      databaseUrl: first.database.url,
      chains: { local: { id: '0x7a69', rpc: [anvil.url], pollIntervalMs: 50 } },
    }),
    log: noopLog,
  })
  try {
    const clients = [first, createNftClient(second.url)]
    const answers = await Promise.all(Array.from({ length: 1_000 }, (_, i) => clients[i % 2]!.page(address)))
    expect(new Set(answers.map(({ body }) => body.status)).size).toBeGreaterThan(0)
    for (const client of clients) await expectTruth({ anvil, client }, address)
    const { db } = first.database
    expect(await db.rows('SELECT tokens FROM collection')).toEqual([[50n]])
    expect(await db.rows('SELECT count(*) FROM transfer')).toEqual([[50n]])
  } finally {
    await second.close()
  }
})

test('behavior: another service takes over the work of a service that stops', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  const [holder] = anvil.accounts as [Address]
  const address = await anvil.deploy(plain721, ['Kept', 'KPT', ''])
  await anvil.send({ to: address, abi: plain721.abi, functionName: 'mintBatch', args: [holder, 0n, 20n] })
  await using first = await startTestServer({ rpc: [anvil.url] })
  await expectTruth({ anvil, client: first }, address)
  const config = parseConfig({
    port: 0,
    apiKey: testApiKey,
    databaseUrl: first.database.url,
    chains: { local: { id: '0x7a69', rpc: [anvil.url], pollIntervalMs: 50 } },
  })
  for (let round = 0; round < 2; round++) {
    const other = await createService({ config, log: noopLog })
    await anvil.send({ to: address, abi: plain721.abi, functionName: 'mint', args: [holder, BigInt(100 + round)] })
    await expectTruth({ anvil, client: createNftClient(other.url) }, address)
    await other.close()
    await anvil.send({ to: address, abi: plain721.abi, functionName: 'mint', args: [holder, BigInt(200 + round)] })
    await expectTruth({ anvil, client: first }, address)
  }
})

test('error: rejects more collections than may be queued with 429 and Retry-After', async () => {
  const unresponsive = await createRpcServer(() => new Promise(() => undefined))
  await using server = await startTestServer({
    rpc: [unresponsive.url],
    config: { demand: { maxQueuedPerKey: 3, maxQueued: 10 } },
  })
  const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => server.get(`/api/v2/nft/${address(n + 1)}?chain=local`)),
  )
  const rejected = answers.filter((answer) => answer.status === 429)
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(3)
  expect(rejected).toHaveLength(5)
  expect(Number(rejected[0]!.headers.get('retry-after'))).toBeGreaterThan(0)
  await unresponsive.close()
})
