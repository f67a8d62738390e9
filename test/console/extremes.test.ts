// @module-tag system

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { testApiKey } from '../mintmark.ts'
import { withoutBrowser } from './browser.ts'
import { type ConsoleUnderTest, lookAt, tooWide, useConsole } from './consoleTest.ts'

const most = 2n ** 256n - 1n
const written =
  '115,792,089,237,316,195,423,570,985,008,687,907,853,269,984,665,640,564,039,457,584,007,913,129,639,935'
/** A name without line break opportunities, far longer than any window is wide. */
const name = `Very${'long'.repeat(500)}`

let erc1155: Address
let moving: Address
const console = useConsole({
  async seed(server, anvil) {
    const [holder, other] = anvil.accounts as [Address, Address]
    erc1155 = await anvil.deploy(plain1155, ['Pieces', 'PCS'])
    const { abi } = plain1155
    const mint = (id: bigint, amount: bigint) =>
      anvil.send({ to: erc1155, abi, functionName: 'mint', args: [holder, id, amount] })
    await mint(most, most)
    await mint(1n, 5n)
    await anvil.send({ to: erc1155, abi, functionName: 'mint', args: [anvil.accounts[4]!, 2n, most] })
    // One log moves the same token twice.
    const twice = { functionName: 'safeBatchTransferFrom', args: [holder, other, [1n, 1n], [1n, 2n], '0x'] } as const
    await anvil.send({ to: erc1155, abi, from: holder, ...twice })
    moving = await anvil.deploy(plain721, [name, 'LONG', ''])
    for (const call of [{ functionName: 'mintBatch', args: [holder, 1n, 60n] }] as const)
      await anvil.send({ to: moving, abi: plain721.abi, gas: 30_000_000n, ...call })
    for (const address of [erc1155, moving]) await server.untilSynced(address, await anvil.blockNumber())
  },
})
const consoleTest = test.skipIf(withoutBrowser)
const pathOf = (address: Address, rest = '') => `/console/collections/local/${address}${rest}`

/** Every view that can show an amount. */
const places: [name: string, path: () => string, ready: (page: Page) => Promise<unknown>][] = [
  ['token', () => pathOf(erc1155, `/${most}`), (page) => page.getByText(written).nth(2).waitFor()],
  ['owners', () => pathOf(erc1155, '?show=owners'), (page) => page.getByText(written).first().waitFor()],
  ['transfers', () => pathOf(erc1155, '?show=transfers'), (page) => page.getByText(written).first().waitFor()],
  [
    'wallet',
    () => `/console/wallets/local/${console().anvil.accounts[4]}`,
    (page) => page.getByText(`× ${written}`).waitFor(),
  ],
  ['name', () => pathOf(moving), (page) => page.getByRole('heading', { level: 1, name: /^Verylong/ }).waitFor()],
]

for (const [place, path, ready] of places)
  consoleTest(`behavior: the largest amounts, ids and names render in every width and colour scheme: ${place}`, () =>
    lookAt(console(), { path: path(), name: `extreme-${place}`, ready, ...(place === 'name' && { isEndless: true }) }),
  )

consoleTest('behavior: two transfers of one token in one log stay two rows', async () => {
  const page = await console().open(pathOf(erc1155, '/1'))
  const rows = page.getByRole('region', { name: 'Transfers' }).last().getByRole('row')
  await expect.poll(() => rows.count()).toBe(4)
  const at = { path: '/api/v2/nft' }
  await page.waitForResponse((response) => response.url().includes(at.path) && response.url().includes('/transfers'))
  expect(await rows.count()).toBe(4)
})

consoleTest('behavior: a list that changes after more pages were read offers a reload', async () => {
  const page = await console().open(pathOf(moving, '?show=transfers'))
  const card = page.getByRole('region', { name: 'Transfers' }).first()
  await card.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(() => card.getByRole('row').count()).toBe(61)
  expect(await card.getByText('The list has changed').count()).toBe(0)
  await move(console(), 7n, console().anvil.accounts[0]!, console().anvil.accounts[2]!)
  await card.getByText('The list has changed since it was loaded').waitFor()
  await card.getByRole('button', { name: 'Reload list' }).click()
  await card.getByRole('row').nth(1).getByTitle(console().anvil.accounts[2]!).waitFor()
  expect(await card.getByText('The list has changed').count()).toBe(0)
})

consoleTest('behavior: a reorganisation removes reverted owners and transfers from the token page', async () => {
  const { anvil, open } = console()
  const page = await open(pathOf(moving, '/8'))
  const owners = page.getByRole('region', { name: 'Owners' })
  const transfers = page.getByRole('region', { name: 'Transfers' }).last()
  await owners.getByTitle(anvil.accounts[0]!).waitFor()
  // The tab's title and the history entry show the token.
  await expect.poll(() => page.title()).toBe('#8 · Mintmark')
  await move(console(), 8n, anvil.accounts[0]!, anvil.accounts[3]!)
  // However long the rest takes, the node must not finalize this block meanwhile.
  await anvil.rpc('evm_setIntervalMining', [0])
  await owners.getByTitle(anvil.accounts[3]!).waitFor()
  await expect.poll(() => transfers.getByRole('row').count()).toBe(3)
  await anvil.reorg(Number((await anvil.blockNumber()) - movedAt) + 1)
  await anvil.rpc('evm_setIntervalMining', [1])
  await owners.getByTitle(anvil.accounts[0]!).waitFor()
  await expect.poll(() => transfers.getByRole('row').count()).toBe(2)
})

let movedAt = 0n
async function move({ anvil }: ConsoleUnderTest, id: bigint, from: Address, to: Address): Promise<void> {
  const call = { functionName: 'transferFrom', args: [from, to, id] } as const
  ;({ blockNumber: movedAt } = await anvil.send({ to: moving, abi: plain721.abi, from, ...call }))
}

consoleTest('behavior: a queued collection shows that its history is not read yet', async () => {
  const { anvil, server, open } = console()
  const waiting = await anvil.deploy(plain721, ['Waiting', 'W', ''])
  const chain = (change: 'pause' | 'resume') =>
    fetch(`${server.url}/admin/chains/local/${change}`, { method: 'POST', headers: { 'x-api-key': testApiKey } })
  await chain('pause')
  const page = await open(pathOf(waiting))
  await page.getByText('Queued: the history is not read yet.').waitFor()
  await page.getByRole('link', { name: 'Owners', exact: true }).click()
  await page.getByText('No known owners yet: the history is being read.').waitFor()
  await page.getByRole('link', { name: 'Tokens', exact: true }).click()
  await chain('resume')
  await page.getByText('No tokens: none exist now').waitFor()
  expect(await tooWide(page)).toEqual([])
})
