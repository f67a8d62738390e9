// @module-tag system

import { expect, test } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { startAnvil } from '../anvil.ts'
import { consecutive721 } from '../contracts/artifacts/consecutive721.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { type NftPage, type NftRecord, startTestServer } from '../mintmark.ts'
import { patienceMs } from '../patience.ts'
import { createRandom, freshSeed } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { byName, heldOf, readHoldings } from './holdings.ts'
import { expectAnswers, untilSynced, walk } from './wholeTruth.ts'

const poll = { timeout: patienceMs, interval: 50 }
const wholeChain = { local: { wallets: 'chain' } } as const

test('behavior: a block with thousands of transfers of one wallet blocks neither the chain nor other wallets', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 2 })
  const [large, small] = anvil.accounts as [Address, Address]
  await using server = await startTestServer({ rpc: [anvil.url], config: { chains: wholeChain } })
  await anvil.mine(8)
  for (const wallet of [large, small]) await untilSynced(anvil, server, wallet)
  const mints = [[large, small] as const, [4_500n, 3n] as const] as const
  const contract = await anvil.deploy(consecutive721, [[...mints[0]], [...mints[1]]])
  for (const wallet of [small, large]) await untilSynced(anvil, server, wallet)
  const final = await server.database.db.rows('SELECT block_number - finalized_number FROM chain')
  expect(final[0]![0]).toBeGreaterThan(0n)
  await expectAnswers(anvil, server, { erc721: [contract], erc1155: [] }, [small])
  const counted = await server.get(`/api/v2/${large}/nft?chain=local&limit=1&disable_total=false`)
  expect((await counted.json()) as object).toMatchObject({ total: 4_500, status: 'SYNCED' })

  // The block is undone and replaced by one with fewer mints.
  await anvil.reorg(1)
  await anvil.mine(1)
  await untilSynced(anvil, server, large)
  const remaining = async () =>
    ((await (await server.get(`/api/v2/${large}/nft?chain=local&limit=1&disable_total=false`)).json()) as NftPage).total
  await expect.poll(remaining, poll).toBe(0)
})

test('behavior: a wallet over wallets.maxTransfers shows its state at the end of the last block that fits', async () => {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  await using anvil = await startAnvil({ slotsInAnEpoch: 2 })
  const contracts = {
    erc721: [await anvil.deploy(plain721, ['Full', 'FUL', ''])],
    erc1155: [await anvil.deploy(plain1155, ['Full', 'FUL'])],
  }
  const [wallet] = anvil.accounts as [Address]
  await randomActivity(anvil, contracts, random, 80)
  // Random activity alone may have fewer transfers of the wallet than the limit.
  const mint = { abi: plain721.abi, functionName: 'mintBatch', args: [wallet, 2n ** 128n, 13n] } as const
  await anvil.send({ to: contracts.erc721[0]!, ...mint })
  await anvil.mine(6)
  await using server = await startTestServer({
    rpc: [anvil.url],
    config: { chains: wholeChain, wallets: { maxTransfers: 12 } },
  })
  const shown = async () => {
    const { headers } = await server.get(`/api/v2/${wallet}/nft?chain=local`)
    return [headers.get('x-index-status'), headers.get('x-index-incomplete')]
  }
  await expect
    .poll(shown, poll)
    .toEqual([
      'failed',
      expect.stringMatching(
        /^omitted: all blocks after x-index-to-block, as the wallet has more transfers than wallets.maxTransfers$/,
      ),
    ])
  const { records, headers } = await walk<NftRecord>(server, wallet, 'nft')
  const block = BigInt(headers.get('x-index-to-block')!)
  expect(block).toBeGreaterThan(0n)
  const truth = (await readHoldings(anvil, contracts, block)).get(wallet) ?? []
  expect(heldOf(records)).toEqual(truth.toSorted(byName))
  // The tables of an indexed collection are at the head, which must not show.
  const head = await anvil.blockNumber()
  for (const contract of [...contracts.erc721, ...contracts.erc1155]) await server.untilSynced(contract, head)
  expect(heldOf((await walk<NftRecord>(server, wallet, 'nft')).records)).toEqual(truth.toSorted(byName))
  const asOf = await server.get(`/api/v2/${wallet}/nft?chain=local&as_of_block=${block}&limit=100`)
  expect(asOf.status).toBe(200)
  expect(heldOf(((await asOf.json()) as NftPage).result)).toEqual(truth.toSorted(byName))
  const [counted] = await server.database.db.rows<[bigint]>('SELECT transfers FROM wallet')
  expect(counted![0]).toBeLessThanOrEqual(12n)
})
