// @module-tag system

import { parseAbi, toEventSelector } from 'viem'
import { expect, inject, test } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { type Anvil, startAnvil, toTransaction } from '../anvil.ts'
import { plain20 } from '../contracts/artifacts/plain20.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { createRandom, freshSeed, type Random } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { startStreamServer } from './streamServer.ts'
import { confirmations, type Expected, expectTruth, gotOf, readChain } from './streamTruth.ts'

const repeats = inject('rounds') - 1
const settings = { chains: { local: { confirmations, pollIntervalMs: 20 } } }

const transfer721 = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)'])
const selectors = {
  transfer: toEventSelector('Transfer(address,address,uint256)'),
  single: toEventSelector('TransferSingle(address,address,address,uint256,uint256)'),
}

async function deployAll(anvil: Anvil) {
  const erc721 = [await anvil.deploy(plain721, ['A', 'A', '']), await anvil.deploy(plain721, ['B', 'B', ''])] as const
  const erc1155 = await anvil.deploy(plain1155, ['C', 'C'])
  const erc20 = await anvil.deploy(plain20, [])
  return { erc721, erc1155, erc20 }
}

function seeded(): Random {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  return random
}

async function randomReorg(anvil: Anvil, random: Random, contract: Address): Promise<void> {
  const depth = 1 + random.int(Math.min(8, Number(await anvil.blockNumber()) - 6))
  const mint = { to: contract, abi: plain721.abi, functionName: 'mint', args: [anvil.accounts[1]!, random.uint256()] }
  await anvil.reorg(depth, [[toTransaction(mint), 0]])
  await anvil.mine(1)
}

test('behavior: under load, streams match the chain across reorganisations and changes of addresses', {
  repeats,
}, async () => {
  const random = seeded()
  await using anvil = await startAnvil()
  const { erc721, erc1155, erc20 } = await deployAll(anvil)
  await anvil.mine(10)
  await using t = await startStreamServer(anvil.url, settings)
  const ownOf = (stream: { id: string; effectiveBlocks: Record<string, string> }) => ({
    id: stream.id,
    from: BigInt(stream.effectiveBlocks['0x7a69']!),
  })

  const every = await t.create({ allAddresses: true, includeContractLogs: true })
  const byEvent = await t.create({
    allAddresses: true,
    includeContractLogs: true,
    topic0: ['TransferSingle(address,address,address,uint256,uint256)'],
  })
  const wallets = await t.create({ includeNativeTxs: true, includeContractLogs: true, includeAllTxLogs: true })
  const contracts = await t.create({
    includeContractLogs: true,
    topic0: ['Transfer(address,address,uint256)'],
    abi: transfer721,
  })
  const streams: Expected[] = [
    { ...ownOf(every), spans: undefined, takesLog: () => true },
    { ...ownOf(byEvent), spans: undefined, takesLog: (log) => log.topics[0] === selectors.single },
    { ...ownOf(wallets), spans: [], takesLog: () => true, takesTransactions: true, allLogs: true },
    {
      ...ownOf(contracts),
      spans: [],
      takesLog: (log) => log.topics[0] === selectors.transfer && log.topics.length === 4,
    },
  ]

  const pool = [erc721[0], erc721[1], erc1155, erc20, ...anvil.accounts]
  const changeAddress = async () => {
    const stream = streams[2 + random.int(2)]!
    const spans = stream.spans!
    const address = random.pick(pool)
    const open = spans.find((span) => span.address === address && span.to === null)
    if (open) open.to = await t.remove(stream.id, address)
    else
      spans.push({
        address,
        from: await t.add(stream.id, [address, address.toUpperCase().replace('0X', '0x')]),
        to: null,
      })
  }

  for (let round = 0; round < 8; round++) {
    let over = false
    const changes = (async () => {
      while (!over) await changeAddress()
    })()
    await randomActivity(anvil, { erc721, erc1155: [erc1155] }, random, 3 + random.int(6))
    await anvil.send({ to: erc20, abi: plain20.abi, functionName: 'mint', args: [random.pick(anvil.accounts), 5n] })
    if (random.chance(0.7)) await randomReorg(anvil, random, erc721[0])
    over = true
    await changes
    await expectTruth(t, anvil, streams)
  }
  // The rounds may have had time for few changes. So match the transfers of all wallets at the end.
  for (const address of pool)
    if (!streams[2]!.spans!.some((span) => span.address === address && span.to === null))
      streams[2]!.spans!.push({ address, from: await t.add(wallets.id, [address]), to: null })
  const [payer, taker] = anvil.accounts as [Address, Address]
  for (let i = 0; i < 21; i++) await anvil.sendRaw({ from: payer, to: taker, value: 1n })
  await anvil.mine(confirmations)
  await expectTruth(t, anvil, streams)
  const taken = await gotOf(t, wallets.id, 'confirmed')
  expect(taken.length).toBeGreaterThan(20)
})

test('behavior: history catches up with the head without a gap or a duplicate block, across reorganisations', {
  repeats,
}, async () => {
  const random = seeded()
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  const { erc721, erc1155 } = await deployAll(anvil)
  await randomActivity(anvil, { erc721, erc1155: [erc1155] }, random, 60)
  // Guarantees the first stream this many blocks of history, independent of the random activity.
  const [holder] = anvil.accounts as [Address]
  const minted = 11
  for (let id = 0n; id < minted; id++)
    await anvil.send({ to: erc721[0], abi: plain721.abi, functionName: 'mint', args: [holder, 10n ** 30n + id] })
  await anvil.mine(minted)
  await using t = await startStreamServer(anvil.url, settings)
  const streams: Expected[] = []
  for (let round = 0; round < 4; round++) {
    const from = round === 0 ? 0n : BigInt(random.int(Number(await anvil.blockNumber())))
    const stream = await t.create({ includeContractLogs: true, fromBlocks: { '0x7a69': String(from) } })
    expect(stream.effectiveBlocks).toEqual({ '0x7a69': String(from) })
    const address = round === 0 ? erc721[0] : random.pick(erc721)
    const added = await t.add(stream.id, address)
    expect(added).toBe(from)
    streams.push({ id: stream.id, from, spans: [{ address, from: added, to: null }], takesLog: () => true })
    await randomActivity(anvil, { erc721 }, random, 4)
    await randomReorg(anvil, random, erc721[0])
    await expectTruth(t, anvil, streams)
  }
  const [live] = await t.server.database.db.rows<[bigint]>(`SELECT count(*) FROM webhook WHERE NOT live`)
  expect(live![0]).toBeGreaterThanOrEqual(minted)
})

test('behavior: a change of the definition applies from its effective block', async () => {
  const random = seeded()
  await using anvil = await startAnvil()
  const { erc721, erc1155 } = await deployAll(anvil)
  await using t = await startStreamServer(anvil.url, settings)
  const stream = await t.create({ allAddresses: true, includeContractLogs: true })
  const first = BigInt(stream.effectiveBlocks['0x7a69']!)
  await randomActivity(anvil, { erc721, erc1155: [erc1155] }, random, 6)
  const changed = await t.call<{ effectiveBlocks: Record<string, string> }>('POST', `/streams/evm/${stream.id}`, {
    topic0: ['TransferSingle(address,address,address,uint256,uint256)'],
  })
  const second = BigInt(changed.effectiveBlocks['0x7a69']!)
  await randomActivity(anvil, { erc721, erc1155: [erc1155] }, random, 6)
  await randomReorg(anvil, random, erc721[0])
  await anvil.mine(1)
  const blocks = await readChain(anvil)
  await t.untilFollowed(blocks.at(-1)!.hash)
  const expected = blocks.flatMap(({ number, hash, logs }) =>
    logs
      .filter((log) => number >= first && (number < second || log.topics[0] === selectors.single))
      .map((log) => `${hash} log ${Number(log.logIndex)} ${log.transactionHash}`),
  )
  expect(new Set(await gotOf(t, stream.id, 'first'))).toEqual(new Set(expected))
})
