// @module-tag system

import { expect, inject, test } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { type Anvil, startAnvil, toTransaction } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { startTestServer } from '../mintmark.ts'
import { createRandom, freshSeed, type Random } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { expectTruth } from './ownership.ts'

const repeats = inject('rounds') - 1

async function deployBoth(anvil: Anvil): Promise<{ erc721: Address[]; erc1155: Address[] }> {
  const erc721 = [
    await anvil.deploy(plain721, ['Moves', 'MOV', '']),
    await anvil.deploy(plain721, ['Later', 'LAT', '']),
  ]
  const erc1155 = [await anvil.deploy(plain1155, ['Many', 'MNY'])]
  return { erc721, erc1155 }
}

function seeded(): Random {
  const random = createRandom(freshSeed())
  // Print the seed once, whatever the outcome.
  process.stdout.write(`seed ${random.seed}\n`)
  return random
}

test('behavior: every owner and amount matches the chain after random mints, transfers, burns and batches', {
  repeats,
}, async () => {
  const random = seeded()
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  const contracts = await deployBoth(anvil)
  await randomActivity(anvil, contracts, random, 30)
  await using server = await startTestServer({ rpc: [anvil.url] })
  const all = [...contracts.erc721, ...contracts.erc1155]
  for (const address of all) await expectTruth({ anvil, client: server }, address)
  for (let round = 0; round < 3; round++) {
    await randomActivity(anvil, contracts, random, 10)
    for (const address of all) await expectTruth({ anvil, client: server }, address)
  }
})

test('behavior: reorganisations of depth 1 to 30 while following are reverted exactly', {
  repeats,
}, async () => {
  const random = seeded()
  await using anvil = await startAnvil()
  const contracts = await deployBoth(anvil)
  await randomActivity(anvil, contracts, random, 20)
  await anvil.mine(30)
  await using server = await startTestServer({ rpc: [anvil.url] })
  const all = [...contracts.erc721, ...contracts.erc1155]
  for (const address of all) await expectTruth({ anvil, client: server }, address)
  for (const depth of [1, 2, 3, 7, 15, 30, 1 + random.int(30), 1 + random.int(30)]) {
    await randomActivity(anvil, contracts, random, 3 + random.int(8))
    if (random.chance(0.5)) for (const address of all) await server.untilSynced(address, await anvil.blockNumber())
    const [holder] = anvil.accounts as [Address]
    const id = random.uint256()
    await anvil.reorg(depth, [
      [toTransaction({ to: contracts.erc721[0]!, abi: plain721.abi, functionName: 'mint', args: [holder, id] }), 0],
      [
        toTransaction({ to: contracts.erc1155[0]!, abi: plain1155.abi, functionName: 'mint', args: [holder, id, 5n] }),
        depth - 1,
      ],
    ])
    await anvil.mine(1)
    for (const address of all) await expectTruth({ anvil, client: server }, address)
  }
  const metrics = await (await server.get('/metrics')).text()
  expect(metrics).toMatch(/mintmark_reorgs_total\{chain="local"\} [1-9]/)
})

test('behavior: a reorganisation while history catches up with the head causes no gap and no duplicate', {
  repeats,
}, async () => {
  const random = seeded()
  await using anvil = await startAnvil({ slotsInAnEpoch: 8 })
  const contracts = await deployBoth(anvil)
  for (let round = 0; round < 4; round++) {
    await randomActivity(anvil, contracts, random, 15)
    await using server = await startTestServer({ rpc: [anvil.url] })
    const all = [...contracts.erc721, ...contracts.erc1155]
    await Promise.all(all.map((address) => server.page(address)))
    const churn = async () => {
      for (let i = 0; i < 6; i++) {
        const [holder] = anvil.accounts as [Address]
        const mint = {
          to: contracts.erc721[0]!,
          abi: plain721.abi,
          functionName: 'mint',
          args: [holder, random.uint256()],
        }
        await anvil.reorg(1 + random.int(10), [[toTransaction(mint), 0]])
        await anvil.mine(1)
      }
    }
    await churn()
    for (const address of all) await expectTruth({ anvil, client: server }, address)
  }
})
