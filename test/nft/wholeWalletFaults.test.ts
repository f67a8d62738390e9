// @module-tag system

import { expect, inject, test } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { type Anvil, startAnvil, toTransaction } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { startFaultProxy } from '../faultProxy.ts'
import { startTestServer, type TestServer } from '../mintmark.ts'
import { createRandom, freshSeed, type Random } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { createRpcServer, RpcFailure } from '../rpcServer.ts'
import { expectAnswers } from './wholeTruth.ts'

const repeats = inject('rounds') - 1
const rpc = { timeoutMs: 500, maxConcurrency: 8, batchSize: 20 }
const wholeChain = { local: { wallets: 'chain' } } as const

async function scene(anvil: Anvil, random: Random) {
  process.stdout.write(`seed ${random.seed}\n`)
  const contracts = {
    erc721: [await anvil.deploy(plain721, ['Faulty', 'FLT', ''])],
    erc1155: [await anvil.deploy(plain1155, ['Faulty', 'FLT'])],
  }
  await randomActivity(anvil, contracts, random, 60)
  return contracts
}

type Contracts = Awaited<ReturnType<typeof scene>>

/** Tests history, then blocks and reorganisations. Responses must match the chain after each. */
async function survive(
  anvil: Anvil,
  server: TestServer,
  { contracts, wallets, random }: { contracts: Contracts; wallets: readonly Address[]; random: Random },
): Promise<void> {
  await expectAnswers(anvil, server, contracts, wallets)
  for (let round = 0; round < 2; round++) {
    await randomActivity(anvil, contracts, random, 6)
    const mint = { to: contracts.erc721[0]!, abi: plain721.abi, functionName: 'mint' } as const
    const args = [random.pick(wallets), random.uint256()] as const
    await anvil.reorg(1 + random.int(6), [[toTransaction({ ...mint, args }), 0]])
    await anvil.mine(1)
    await expectAnswers(anvil, server, contracts, wallets)
  }
}

test('behavior: wallets match the chain despite nodes that cap ranges and results, omit logs and mix them up', {
  repeats,
}, async () => {
  const random = createRandom(freshSeed())
  await using anvil = await startAnvil({ slotsInAnEpoch: 8 })
  const contracts = await scene(anvil, random)
  const faults = ['lagging', 'emptyLogs', 'missingHeader', 'reversedLogs', 'duplicatedLogs', 'rateLimited'] as const
  const start = (offset: number) =>
    startFaultProxy({
      target: anvil.url,
      seed: random.seed + offset,
      plan: {
        faults: Object.fromEntries(faults.map((fault) => [fault, { probability: 0.05, inARow: 2 }])),
        rangeCap: { blocks: 10n, wording: 'infura' },
        resultCap: { logs: 60, wording: 'drpc' },
      },
    })
  await using first = await start(0)
  await using second = await start(1)
  await using server = await startTestServer({ rpc: [first.url, second.url], config: { rpc, chains: wholeChain } })
  await survive(anvil, server, { contracts, wallets: anvil.accounts.slice(0, 3), random })
  expect(first.counts.get('rangeCap')).toBeGreaterThan(0)
})

test('behavior: a node that rejects lists of wallets gets one wallet per request', { repeats }, async () => {
  const random = createRandom(freshSeed())
  await using anvil = await startAnvil({ slotsInAnEpoch: 8 })
  const contracts = await scene(anvil, random)
  let rejected = 0
  await using node = await createRpcServer(
    async ({ method, params }) => {
      const [filter] = params as [{ topics?: (string[] | null)[] } | undefined]
      const parties = method === 'eth_getLogs' ? (filter?.topics ?? []).slice(1).flatMap((place) => place ?? []) : []
      if (parties.length > 1) {
        rejected++
        return new RpcFailure(-32602, 'invalid params: too many topics')
      }
      return anvil
        .rpc(method, params)
        .catch((error: { code?: number; message: string }) => new RpcFailure(error.code ?? -32603, error.message))
    },
    { keeps: false },
  )
  await using server = await startTestServer({ rpc: [node.url], config: { rpc, chains: wholeChain } })
  await survive(anvil, server, { contracts, wallets: anvil.accounts.slice(0, 5), random })
  expect(rejected).toBeGreaterThan(0)
})
