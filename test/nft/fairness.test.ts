// @module-tag system

import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Address, Hex } from '../../src/util/hex.ts'
import { startAnvil } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { startTestServer } from '../mintmark.ts'
import { RpcFailure } from '../rpcServer.ts'
import { nodeInFrontOf } from '../verify/verifying.ts'
import { expectTruth } from './ownership.ts'

test('behavior: a huge collection does not delay a small one, even if one collection is indexed at a time', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  const [holder] = anvil.accounts as [Address]
  const huge = await anvil.deploy(plain721, ['Huge', 'HUG', ''])
  await anvil.setAutomine(true)
  for (let i = 0n; i < 20n; i++)
    await anvil.send({ to: huge, abi: plain721.abi, functionName: 'mintBatch', args: [holder, i * 10n, 10n] })
  await anvil.mine(2_500)
  const small = await anvil.deploy(plain721, ['Small', 'SML', ''])
  await anvil.send({ to: small, abi: plain721.abi, functionName: 'mintBatch', args: [holder, 0n, 5n] })
  await anvil.mine(10)
  // One block per read, and one read at a time: many more reads than a time slice allows, however fast the machine is.
  const read: Address[] = []
  const started = Promise.withResolvers<void>()
  let last = Promise.resolve()
  await using node = await nodeInFrontOf(anvil.url, async ({ method, params }) => {
    if (method !== 'eth_getLogs') return undefined
    const { address, fromBlock, toBlock } = params[0] as { address?: Address; fromBlock?: Hex; toBlock?: Hex }
    if (address === undefined || fromBlock === undefined || toBlock === undefined) return undefined
    if (fromBlock !== toBlock) return new RpcFailure(-32602, 'query exceeds max block range 1')
    last = last.then(() => delay(4))
    await last
    read.push(address)
    started.resolve()
    return undefined
  })
  await using server = await startTestServer({
    rpc: [node.url],
    config: { rpc: { maxConcurrency: 1 }, sync: { concurrentCollections: 1, rangesInFlight: 1, sliceMs: 100 } },
  })
  await server.page(huge)
  await started.promise
  const head = await anvil.blockNumber()
  await server.untilSynced(small, head)
  const readOfHuge = read.filter((address) => address === huge).length
  await server.untilSynced(huge, head)
  // The large collection still had much to read when the small one was complete.
  expect(read.filter((address) => address === huge).length).toBeGreaterThan(readOfHuge + 50)
  await expectTruth({ anvil, client: server }, huge)
})

test('behavior: a collection makes progress although its node responds slower than a time slice', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  const [holder] = anvil.accounts as [Address]
  const plain = await anvil.deploy(plain721, ['Plain', 'PLN', ''])
  await anvil.send({ to: plain, abi: plain721.abi, functionName: 'mintBatch', args: [holder, 0n, 5n] })
  await anvil.mine(10)
  // The head is requested before each read.
  await using node = await nodeInFrontOf(anvil.url, async ({ method }) => {
    if (method === 'eth_getBlockByNumber') await delay(150)
    return undefined
  })
  await using server = await startTestServer({ rpc: [node.url], config: { sync: { sliceMs: 100 } } })
  await server.untilSynced(plain, await anvil.blockNumber())
  await expectTruth({ anvil, client: server }, plain)
})
