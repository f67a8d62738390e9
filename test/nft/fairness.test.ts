// @module-tag system

import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { startAnvil } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { startFaultProxy } from '../faultProxy.ts'
import { startTestServer } from '../mintmark.ts'
import { nodeInFrontOf } from '../verify/verifying.ts'
import { expectTruth } from './ownership.ts'

test('behavior: a huge collection does not keep a small one waiting, even where one works at a time', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  const [holder] = anvil.accounts as [Address]
  const huge = await anvil.deploy(plain721, ['Huge', 'HUG', ''])
  await anvil.setAutomine(true)
  // A block a transaction, and one block a read: hundreds of reads.
  for (let i = 0n; i < 150n; i++)
    await anvil.send({ to: huge, abi: plain721.abi, functionName: 'mintBatch', args: [holder, i * 10n, 10n] })
  const small = await anvil.deploy(plain721, ['Small', 'SML', ''])
  await anvil.send({ to: small, abi: plain721.abi, functionName: 'mintBatch', args: [holder, 0n, 5n] })
  await anvil.mine(10)
  await using proxy = await startFaultProxy({
    target: anvil.url,
    seed: 1,
    plan: { rangeCap: { blocks: 1n, wording: 'infura' } },
  })
  await using server = await startTestServer({
    rpc: [proxy.url],
    config: { rpc: { maxConcurrency: 1 }, sync: { concurrentCollections: 1, rangesInFlight: 1, sliceMs: 100 } },
  })
  await server.page(huge)
  await expect.poll(async () => Number((await server.page(huge)).headers.get('x-index-progress'))).toBeGreaterThan(0)
  await server.untilSynced(small, await anvil.blockNumber())
  const state = await server.page(huge)
  expect(state.headers.get('x-index-status')).toBe('syncing')
  await expectTruth({ anvil, client: server }, huge)
})

test('behavior: a collection goes on where its node takes longer for an answer than a turn lasts', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  const [holder] = anvil.accounts as [Address]
  const plain = await anvil.deploy(plain721, ['Plain', 'PLN', ''])
  await anvil.send({ to: plain, abi: plain721.abi, functionName: 'mintBatch', args: [holder, 0n, 5n] })
  await anvil.mine(10)
  // The head is asked for before each read.
  await using node = await nodeInFrontOf(anvil.url, async ({ method }) => {
    if (method === 'eth_getBlockByNumber') await delay(150)
    return undefined
  })
  await using server = await startTestServer({ rpc: [node.url], config: { sync: { sliceMs: 100 } } })
  await server.untilSynced(plain, await anvil.blockNumber())
  await expectTruth({ anvil, client: server }, plain)
})
