// @module-tag system

import { expect } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { testApiKey } from '../mintmark.ts'
import { system } from '../system.ts'
import { consoleTest, lookAt, useConsole } from './consoleTest.ts'

const hostile = '<img src=x onerror=alert(1)>\u202e"\'</script>'

let wallet: Address
let good: Address

const console = useConsole({
  async seed(server, anvil) {
    wallet = anvil.accounts[1]!
    const other = anvil.accounts[2]!
    good = await anvil.deploy(plain721, [hostile, 'GOOD', ''])
    const spam = await anvil.deploy(plain721, ['Free money', 'SPAM', ''])
    for (const [to, address, id] of [
      [wallet, good, 1n],
      [wallet, good, 2n],
      [other, good, 3n],
      [wallet, spam, 4n],
    ] as const)
      await anvil.send({ to: address, abi: plain721.abi, functionName: 'mint', args: [to, id] })
    const sent = await anvil.send({
      to: good,
      abi: plain721.abi,
      functionName: 'transferFrom',
      args: [wallet, other, 2n],
      from: wallet,
    })
    for (const address of [good, spam]) await server.untilSynced(address, sent.blockNumber)
    await fetch(`${server.url}/admin/collections/local/${spam}/flag`, {
      method: 'POST',
      headers: { 'x-api-key': testApiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ spam: 'yes' }),
    })
  },
})

consoleTest(
  'default: a wallet is opened by its address, by a read key too, and shows its tokens without spam',
  async () => {
    const page = await console().open('/console/wallets', { key: console().readKey })
    await page.getByLabel('Chain').selectOption('local')
    await page.getByLabel('Address of the wallet').fill(wallet.toUpperCase().replace('0X', '0x'))
    await page.keyboard.press('Enter')
    const card = page.getByRole('region', { name: 'NFTs' })
    await card.getByRole('link', { name: /#1/ }).waitFor()
    expect(await card.getByRole('link').count()).toBe(1)
    await card.getByText(/2 collections are covered, up to block \d+ of \d+\./).waitFor()
    expect(await card.getByRole('link').first().getAttribute('href')).toBe(`/console/collections/local/${good}/1`)
    await page.getByLabel('Spam too').check()
    await card.getByText(/Free money.*\(spam\)/).waitFor()
    expect(await card.getByRole('link').count()).toBe(2)
    expect(await page.locator('main img').count()).toBe(0)
  },
)

consoleTest('behavior: collections with their counts, and what was given and got', async () => {
  const page = await console().open(`/console/wallets/local/${wallet}?show=collections&spam=yes`)
  const collections = page.getByRole('region', { name: 'Collections of the wallet' })
  await collections.getByRole('row', { name: /^Free money.*spam.*1$/ }).waitFor()
  await collections.getByRole('link', { name: hostile }).waitFor()
  await page.getByRole('link', { name: 'Transfers' }).click()
  const transfers = page.getByRole('region', { name: 'Transfers of the wallet' })
  await expect.poll(() => transfers.getByRole('row').count()).toBe(5)
  const gave = transfers.getByRole('row', { name: /gave/ })
  expect(await gave.count()).toBe(1)
  expect(await transfers.getByRole('row', { name: /got.*nobody/ }).count()).toBe(3)
  await page.getByText('As curl').click()
  await page.getByText(`/api/v2/${wallet}/nft/transfers?chain=local&limit=50`).waitFor()
  await gave.getByRole('link').last().click()
  await page.getByRole('region', { name: 'NFTs' }).getByRole('link', { name: /#2/ }).waitFor()
})

consoleTest('error: what the server refuses about a wallet is said', async () => {
  const page = await console().open(`/console/wallets/nowhere/${wallet}`, { expected: /status of 400/ })
  await page.getByRole('alert').getByText(/chain/).first().waitFor()
  await page.goto('/console/wallets/local/0x12')
  await page.getByRole('alert').getByText(/0x12/).first().waitFor()
})

consoleTest('behavior: the views of a wallet are right in each look', system, async () => {
  const path = `/console/wallets/local/${wallet}`
  for (const [name, query, ready] of [
    ['wallet', '?spam=yes', 'NFTs'],
    ['wallet-collections', '?show=collections', 'Collections of the wallet'],
    ['wallet-transfers', '?show=transfers', 'Transfers of the wallet'],
  ] as const)
    await lookAt(console(), {
      path: path + query,
      name,
      ready: (page) => page.getByRole('region', { name: ready }).getByRole('link').first().waitFor(),
    })
})
