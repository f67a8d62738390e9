// @module-tag system

import { afterAll, expect, inject, test } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { type Anvil, startAnvil, toTransaction } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import type { Fault, FaultPlan } from '../faultPlan.ts'
import { type FaultProxy, startFaultProxy } from '../faultProxy.ts'
import { startTestServer, type TestServer } from '../mintmark.ts'
import { createRandom, freshSeed, type Random } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { expectTruth, ownedPart } from './ownership.ts'

const repeats = inject('rounds') - 1
/** Minimum number of reorganisations. A comparison of all data follows each. */
const reorganisations = inject('rounds') > 1 ? 4 : 2

const rpc = { timeoutMs: 500, maxConcurrency: 8, batchSize: 20, maxLogRange: 40 }

let chain: { anvil: Anvil; contracts: { erc721: Address[]; erc1155: Address[] }; all: Address[] } | undefined
afterAll(() => chain?.anvil.stop())

/** All tests here share this chain, and each extends and reorganises it. Repeated tests use a new chain each time. */
async function scene(random: Random) {
  process.stdout.write(`seed ${random.seed}\n`)
  if (chain && repeats === 0) return chain
  await chain?.anvil.stop()
  const anvil = await startAnvil({ slotsInAnEpoch: 8 })
  const erc721 = await anvil.deploy(plain721, ['Faulty', 'FLT', ''])
  const erc1155 = await anvil.deploy(plain1155, ['Faulty', 'FLT'])
  const contracts = { erc721: [erc721], erc1155: [erc1155] }
  await randomActivity(anvil, contracts, random, 120)
  chain = { anvil, contracts, all: [erc721, erc1155] }
  return chain
}

/** Injects errors into history, then into following with reorganisations. The stored data must equal the chain. */
async function survive(options: {
  random: Random
  anvil: Anvil
  contracts: { erc721: Address[]; erc1155: Address[] }
  server: TestServer
  /** The test continues until each of these errors has occurred. */
  until?: () => Record<string, number>
}): Promise<void> {
  const { random, anvil, contracts, server } = options
  const missing = () => Object.values(options.until?.() ?? {}).some((times) => times === 0)
  const all = [...contracts.erc721, ...contracts.erc1155]
  for (const address of all) await expectTruth({ anvil, client: server }, address)
  for (let round = 0; round < reorganisations || (missing() && round < 40); round++) {
    await randomActivity(anvil, contracts, random, 6)
    const [holder] = anvil.accounts as [Address]
    const mint = { to: contracts.erc721[0]!, abi: plain721.abi, functionName: 'mint', args: [holder, random.uint256()] }
    await anvil.reorg(1 + random.int(12), [[toTransaction(mint), 0]])
    await anvil.mine(1)
    for (const address of all) await expectTruth({ anvil, client: server }, address)
  }
}

function struck(proxies: readonly FaultProxy[], faults: readonly Fault[]): Record<string, number> {
  return Object.fromEntries(
    faults.map((fault) => [fault, proxies.reduce((sum, p) => sum + (p.counts.get(fault) ?? 0), 0)]),
  )
}

const brokenRequests: Fault[] = ['tooManyRequests', 'serverError', 'htmlAnswer', 'cut', 'brokenJson', 'missingAnswer']
const brokenCalls: Fault[] = ['rateLimited', 'internalError']
const broken = [...brokenRequests, ...brokenCalls]
const lying: Fault[] = [
  'lagging',
  'emptyLogs',
  'missingHeader',
  'wrongBlock',
  'reversedLogs',
  'duplicatedLogs',
  'foreignLogs',
]

function planOf(faults: readonly Fault[], probability: number): FaultPlan {
  return { faults: Object.fromEntries(faults.map((fault) => [fault, { probability, inARow: 2 }])) }
}

/** A request has up to twenty calls, and each rejected call pauses the node for a quarter of a second or more. */
const brokenPlan: FaultPlan = {
  faults: { ...planOf(brokenRequests, 0.04).faults, ...planOf(brokenCalls, 0.01).faults },
}

test('behavior: the index matches the chain despite a node that rejects, cuts off and rate-limits requests', {
  repeats,
}, async () => {
  const random = createRandom(freshSeed())
  const { anvil, contracts } = await scene(random)
  await using proxy = await startFaultProxy({
    target: anvil.url,
    seed: random.seed,
    plan: {
      ...brokenPlan,
      rangeCap: { blocks: 25n, wording: 'infura' },
      resultCap: { logs: 60, wording: 'drpc' },
      rejectPastHead: true,
    },
  })
  await using server = await startTestServer({ rpc: [proxy.url], config: { rpc } })
  await survive({ random, anvil, contracts, server, until: () => struck([proxy], broken) })
  for (const [fault, times] of Object.entries(struck([proxy], broken))) expect(times, fault).toBeGreaterThan(0)
  expect(proxy.counts.get('rangeCap')).toBeGreaterThan(0)
})

test('behavior: the index matches the chain despite two nodes that omit and mix up logs', {
  repeats,
}, async () => {
  const random = createRandom(freshSeed())
  const { anvil, contracts } = await scene(random)
  const start = (offset: number) =>
    startFaultProxy({
      target: anvil.url,
      seed: random.seed + offset,
      plan: { ...planOf(lying, 0.05), disabledMethods: offset ? ['eth_getBlockReceipts'] : [] },
    })
  await using first = await start(0)
  await using second = await start(1)
  await using server = await startTestServer({ rpc: [first.url, second.url], config: { rpc } })
  await survive({ random, anvil, contracts, server, until: () => struck([first, second], lying) })
  for (const [fault, times] of Object.entries(struck([first, second], lying))) expect(times, fault).toBeGreaterThan(0)
  const metrics = await (await server.get('/metrics')).text()
  expect(metrics).toMatch(/mintmark_rpc_omissions_total\{.*\} [1-9]/)
})

test('behavior: a node without batches, with hanging requests and a ten-block range cap only slows indexing down', {
  repeats,
}, async () => {
  const random = createRandom(freshSeed())
  const { anvil, contracts } = await scene(random)
  await using proxy = await startFaultProxy({
    target: anvil.url,
    seed: random.seed,
    plan: {
      maxBatch: 1,
      faults: { hang: { probability: 0.01, inARow: 1 } },
      rangeCap: { blocks: 10n, wording: 'infura' },
    },
  })
  await using server = await startTestServer({ rpc: [proxy.url], config: { rpc } })
  await survive({ random, anvil, contracts, server })
  expect(proxy.counts.get('batchRefused')).toBeGreaterThan(0)
})

test('behavior: while all nodes are unreachable, stored pages are served, and following continues when a node recovers', {
  repeats,
}, async () => {
  const random = createRandom(freshSeed())
  const { anvil, contracts, all } = await scene(random)
  await using proxy = await startFaultProxy({ target: anvil.url, seed: random.seed })
  await using server = await startTestServer({ rpc: [proxy.url], config: { rpc } })
  for (const address of all) await expectTruth({ anvil, client: server }, address)
  // Compares ownership only: the state of metadata may still change.
  const owned = async () => (await server.walk(all[0]!)).map(ownedPart)
  const before = await owned()
  proxy.setPlan({ faults: { serverError: { probability: 1, inARow: Number.POSITIVE_INFINITY } } })
  await randomActivity(anvil, contracts, random, 5)
  expect(await owned()).toEqual(before)
  await expect.poll(() => proxy.counts.get('serverError') ?? 0).toBeGreaterThan(3)
  expect((await server.get('/health')).status).toBe(200)
  proxy.setPlan({})
  for (const address of all) await expectTruth({ anvil, client: server }, address)
})
