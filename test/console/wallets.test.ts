// @module-tag system

import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Sql } from '../../src/db/database.ts'
import { createKey } from '../../src/db/keys.ts'
import { openConsole } from '../../src/service/console/openConsole.ts'
import { partitionOf } from '../../src/sync/partition.ts'
import { type Address, hexToBuffer } from '../../src/util/hex.ts'
import { shorten } from '../../web/text/shorten.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { startTestServer, type TestServer, testApiKey } from '../mintmark.ts'
import { system } from '../system.ts'
import { consoleTest, lookAt, seriousFaults, useConsole } from './consoleTest.ts'

const hostile = '<img src=x onerror=alert(1)>\u202e"\'</script>'

let wallet: Address
let good: Address
/** A server whose wallet responses cover all contracts. */
let whole: TestServer

const console = useConsole({
  async seed(server, anvil) {
    whole = await startTestServer({
      rpc: [anvil.url],
      openConsole,
      config: { chains: { local: { wallets: 'chain' } } },
    })
    await seedWallets(server.database.db)
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
  end: () => whole.close(),
})

/** Wallets that no server processes, listed after all accounts of the chain. 50 of them are idle. */
async function seedWallets(db: Sql): Promise<void> {
  const insert = (number: number, status: string, reason: string | null, retryAt: Date | null) => {
    const address: Address = `0xff${number.toString(16).padStart(38, '0')}`
    return db.run(
      `INSERT INTO wallet (partition, chain_id, address, requested_by, status, reason, retry_at) VALUES ($1, 31337, $2, 0, $3, $4, $5)`,
      [partitionOf(31_337n, address), hexToBuffer(address), status, reason, retryAt],
    )
  }
  await insert(1, 'failed', hostile, new Date(Date.now() + 1e9))
  await insert(2, 'full', null, null)
  for (let number = 3; number <= 52; number++) await insert(number, 'idle', null, null)
}

const listed = (page: Page) => page.getByRole('region', { name: 'Indexed wallets' }).last()

consoleTest('default: a wallet opens by address, also with a read key, and shows its tokens without spam', async () => {
  const page = await console().open('/console/wallets', { key: console().readKey })
  await page.getByLabel('Chain').waitFor()
  expect(await page.getByRole('button', { name: 'Index wallet' }).count()).toBe(0)
  expect(await listed(page).count()).toBe(0)
  await page.getByLabel('Chain').selectOption('local')
  await page.getByLabel('Address of the wallet').fill(wallet.toUpperCase().replace('0X', '0x'))
  await page.keyboard.press('Enter')
  const card = page.getByRole('region', { name: 'NFTs' })
  await card.getByRole('link', { name: /#1/ }).waitFor()
  expect(await card.getByRole('link').count()).toBe(1)
  await card.getByText(/2 indexed collections, up to block \d+ of \d+\./).waitFor()
  expect(await card.getByRole('link').first().getAttribute('href')).toBe(`/console/collections/local/${good}/1`)
  await page.getByLabel('Include spam').check()
  await card.getByText(/Free money.*\(spam\)/).waitFor()
  expect(await card.getByRole('link').count()).toBe(2)
  expect(await page.locator('main img').count()).toBe(0)
})

consoleTest(
  'behavior: the wallet page lists collections with counts, and incoming and outgoing transfers',
  async () => {
    const page = await console().open(`/console/wallets/local/${wallet}?show=collections&spam=yes`)
    const collections = page.getByRole('region', { name: 'Collections of the wallet' })
    await collections.getByRole('row', { name: /^Free money.*spam.*1$/ }).waitFor()
    await collections.getByRole('link', { name: hostile }).waitFor()
    await page.getByRole('link', { name: 'Transfers' }).click()
    const transfers = page.getByRole('region', { name: 'Transfers of the wallet' })
    await expect.poll(() => transfers.getByRole('row').count()).toBe(5)
    const outgoing = transfers.getByRole('row', { name: / out / })
    expect(await outgoing.count()).toBe(1)
    expect(await transfers.getByRole('row', { name: / in .*zero address/ }).count()).toBe(3)
    await page.getByText('As curl').click()
    await page.getByText(`/api/v2/${wallet}/nft/transfers?chain=local&limit=50`).waitFor()
    await outgoing.getByRole('link').last().click()
    await page.getByRole('region', { name: 'NFTs' }).getByRole('link', { name: /#2/ }).waitFor()
  },
)

consoleTest('error: the wallet page shows the server’s error for an unknown chain or invalid address', async () => {
  const page = await console().open(`/console/wallets/nowhere/${wallet}`, { expected: /status of 400/ })
  await page.getByRole('alert').getByText(/chain/).first().waitFor()
  await page.goto('/console/wallets/local/0x12')
  await page.getByRole('alert').getByText(/0x12/).first().waitFor()
})

consoleTest(
  'behavior: the wallets view indexes a wallet, filters by chain and status, pages, and removes',
  async () => {
    const page = await console().open('/console/wallets', { expected: /status of 400/ })
    await page.getByText('52 wallets').waitFor()
    await page.getByRole('button', { name: 'Index wallet' }).click()
    const dialog = page.getByRole('dialog')
    const field = dialog.getByLabel('Address of the wallet')
    await dialog.getByLabel('Chain').selectOption('local')
    await field.fill('0x12')
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').getByText('40 hex digits').waitFor()
    await field.fill(`0x${'dead'.repeat(10)}`)
    await field.press('Enter')
    await dialog.getByRole('alert').getByText('to which tokens are burned').waitFor()
    await field.fill(wallet.toUpperCase().replace('0X', '0x'))
    await dialog.getByText(`/admin/wallets/local/${wallet}/index'`).waitFor({ state: 'attached' })
    expect(await seriousFaults(page)).toEqual([])
    await field.press('Enter')
    await page.getByText(/^The wallet 0x.* is (queued|syncing|live)$/).waitFor()
    await page.getByText('53 wallets').waitFor()
    const row = listed(page).getByRole('row', { name: shorten(wallet) })
    await row.getByText('live', { exact: true }).waitFor()
    await row.getByRole('cell', { name: '4', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Next page' }).click()
    await page.getByRole('link', { name: 'First page' }).waitFor()
    await row.waitFor({ state: 'detached' })
    const filters = page.getByRole('region', { name: 'Indexed wallets' }).first()
    await filters.getByLabel('Status').selectOption('full')
    await page.getByText('1 wallet', { exact: true }).waitFor()
    await listed(page)
      .getByText(/^omitted: all later blocks/)
      .waitFor()
    expect(page.url()).toMatch(/\?status=full$/)
    await filters.getByLabel('Chain').selectOption('eth')
    await page.getByText('No matching wallets.').waitFor()
    await filters.getByLabel('Chain').selectOption('local')
    await filters.getByLabel('Status').selectOption('live')
    await row.getByRole('button', { name: /^Remove/ }).click()
    await dialog.getByText(/^curl -X DELETE/).waitFor({ state: 'attached' })
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText(`The wallet ${shorten(wallet)} is removed`).waitFor()
    await page.getByText('No matching wallets.').waitFor()
  },
)

consoleTest('behavior: the page of an indexed wallet reindexes it, also after a failure, and removes it', async () => {
  const { db } = whole.database
  const stored = () => db.rows<[bigint]>(`SELECT id FROM wallet WHERE status <> 'removed'`)
  const page = await console().open('/console/wallets', { server: whole, expected: /status of 503/ })
  await page.getByText('No wallets yet.').waitFor()
  await page.goto(`/console/wallets/local/${wallet}`)
  const card = page.getByRole('region', { name: 'NFTs' })
  await card.getByText('synced', { exact: true }).waitFor()
  await card.getByText(/All contracts of the chain, up to block/).waitFor()
  const [first] = await stored()
  const dialog = page.getByRole('dialog')
  await card.getByRole('button', { name: 'Index again' }).click()
  for (const method of ['DELETE', 'POST'])
    await dialog.getByText(new RegExp(`^curl -X ${method}`)).waitFor({ state: 'attached' })
  expect(await seriousFaults(page)).toEqual([])
  let removals = 0
  page.on('request', (request) => {
    if (request.method() === 'DELETE') removals++
  })
  const failure = { status: 503, json: { message: 'the disk is full' } }
  await page.route('**/admin/wallets/*/*/index', (route) => route.fulfill(failure), { times: 1 })
  await dialog.getByRole('button', { name: 'Index again' }).click()
  await dialog.getByText('the disk is full').waitFor()
  await dialog.getByRole('button', { name: 'Index again' }).click()
  await page.getByText(`The wallet ${shorten(wallet)} is indexed again`).waitFor()
  expect(removals).toBe(1)
  const [second] = await stored()
  expect(second).not.toEqual(first)
  await card.getByText('synced', { exact: true }).waitFor()
  await card.getByRole('button', { name: 'Remove' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('heading', { name: 'Wallets', level: 1 }).waitFor()
  await page.getByText(`The wallet ${shorten(wallet)} is removed`).waitFor()
  expect(await stored()).not.toContainEqual(second)
})

consoleTest('behavior: a read key sees an indexed wallet, and cannot change it', async () => {
  const { key } = await createKey(whole.database.db, { name: 'reader', access: 'read' })
  const page = await console().open(`/console/wallets/local/${wallet}`, { server: whole, key })
  await page.getByText(/All contracts of the chain/).waitFor()
  for (const name of ['Index again', 'Remove']) expect(await page.getByRole('button', { name }).count()).toBe(0)
})

consoleTest(
  'behavior: the wallet list and an indexed wallet render in every width and colour scheme',
  system,
  async () => {
    await lookAt(console(), {
      path: '/console/wallets?chain=local',
      name: 'wallets',
      isEndless: true,
      ready: (page) => listed(page).getByRole('row').nth(3).waitFor(),
    })
    const { open } = console()
    await lookAt(
      { ...console(), open: (path, options) => open(path, { ...options, server: whole }) },
      {
        path: `/console/wallets/local/${wallet}`,
        name: 'wallet-indexed',
        ready: (page) => page.getByRole('button', { name: 'Index again' }).waitFor(),
      },
    )
  },
)

consoleTest('behavior: the wallet views render in every width and colour scheme', system, async () => {
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
