// @module-tag system

import { expect } from 'vitest'
import { seedCoins, seededCoin } from '../seedCoins.ts'
import { seedCollection } from '../seedCollection.ts'
import { seedDiscovered } from '../seedDiscovered.ts'
import { system } from '../system.ts'
import { consoleTest, lookAt, useConsole } from './consoleTest.ts'

const hostile = '<b>Apes</b> \u202e"onclick=alert(1)'
const addressOf = (n: number) => `0x${n.toString(16).padStart(2, '0').repeat(20)}` as const

const console = useConsole({
  config: { aptos: { mainnet: { rest: 'http://127.0.0.1:1' } }, chains: { local: { discover: true } } },
  async seed({ database: { db } }) {
    const seed = { chainId: 0x7a69n, chain: { block: 1n, head: 1n } }
    await seedCollection(db, {
      ...seed,
      address: addressOf(1),
      tokens: [7n, 8n],
      columns: { name: hostile, from_block: 1n },
    })
    for (let n = 2; n < 60; n++)
      await seedCollection(db, {
        ...seed,
        address: addressOf(n),
        columns: { name: `Collection ${n}`, from_block: 1n, status: n % 2 ? 'nocode' : 'live' },
      })
    // The first of the collections, and two contracts that nobody requested.
    await seedDiscovered(db, 0x7a69n, [
      { address: addressOf(1), firstBlock: 5n, transfers: 2n, mints: 1n },
      { address: addressOf(101), firstBlock: 6n, transfers: 1_234n, mints: 34n },
      { address: addressOf(102), firstBlock: 7n, transfers: 0n, mints: 0n },
    ])
    await seedCoins(db, { coins: [seededCoin(1)], from: 0n, to: 10n })
  },
})

consoleTest('default: the keyboard opens a collection from a name search, and a token from a token id', async () => {
  const page = await console().open('/console/search')
  await page.getByLabel('Search term').focus()
  await page.keyboard.type('Apes')
  await page.keyboard.press('Enter')
  const collections = page.getByRole('region', { name: 'Collections' }).first()
  await collections.getByText(hostile).waitFor()
  expect(await page.locator('main b').count()).toBe(0)
  expect(page.url()).toContain('q=Apes')
  await page.getByLabel('Search term').fill('8')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: '#8' }).waitFor()
  await page.getByLabel('Search term').fill(`${addressOf(1)}/7`)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: '#7' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: '#7' }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: '#7' }).waitFor()
})

consoleTest('behavior: searching for the same text again sends the request again', async () => {
  const page = await console().open('/console/search?q=nowhere')
  await page.getByText('No results.').waitFor()
  const again = page.waitForRequest(/\/search\?q=nowhere$/)
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await again
})

consoleTest('behavior: search without results offers to open the address as a contract or wallet', async () => {
  const page = await console().open(`/console/search?q=${addressOf(99)}`)
  await page.getByText('No results. The address may be a wallet').waitFor()
  expect(await page.getByLabel('Address of the contract').inputValue()).toBe(addressOf(99))
  const wallet = page.getByRole('region', { name: 'Open a wallet' })
  expect(await wallet.getByLabel('Address of the wallet').inputValue()).toBe(addressOf(99))
  await wallet.getByLabel('Chain').selectOption('local')
  await wallet.getByRole('button', { name: 'Open' }).click()
  await page.waitForURL(`**/console/wallets/local/${addressOf(99)}`)
})

consoleTest('behavior: the collections list filters by name and status, and is paged', system, async () => {
  const page = await console().open('/console/collections')
  await page.getByText('59 collections').waitFor()
  await page.getByRole('link', { name: 'Next page' }).click()
  await page.getByRole('link', { name: 'First page' }).waitFor()
  await page.getByLabel('Name, or start of the address').fill('Collection 1')
  await page.getByText('10 collections').waitFor()
  expect(page.url()).not.toContain('cursor')
  await page.getByLabel('Status').selectOption('live')
  await page.getByText('5 collections').waitFor()
  await page.getByRole('link', { name: 'Collection 14' }).waitFor()
  await page.getByLabel('Name, or start of the address').fill('no such')
  await page.getByText('No matching collections').waitFor()
})

consoleTest('behavior: the navigation link clears a search, also while its results are shown', system, async () => {
  const page = await console().open('/console/collections?search=Collection%201')
  await page.getByText('10 collections').waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Collections' }).click()
  await page.getByText('59 collections').waitFor()
  expect(await page.getByLabel('Name, or start of the address').inputValue()).toBe('')
  await page.goto('/console/search?q=Apes')
  await page.getByText(hostile).waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Search' }).click()
  await page.getByText(hostile).waitFor({ state: 'detached' })
  expect(await page.getByLabel('Search term').inputValue()).toBe('')
})

consoleTest('behavior: a read key lists and finds collections', async () => {
  const page = await console().open('/console/collections', { key: console().readKey })
  await page.getByText('59 collections').waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Search' }).click()
  await page.getByLabel('Search term').fill('Apes')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Collections' }).first().getByText(hostile).waitFor()
  await page.getByText('As curl').click()
  await page.getByText("/api/v2/search?q=Apes'").waitFor()
})

consoleTest('behavior: the search view renders in every width and colour scheme', system, () =>
  lookAt(console(), {
    path: '/console/search?q=Collection',
    name: 'search',
    ready: (page) => page.getByRole('region', { name: 'Collections' }).first().waitFor(),
  }),
)

consoleTest('behavior: the collections list renders in every width and colour scheme', system, () =>
  lookAt(console(), {
    path: '/console/collections',
    name: 'collections',
    ready: (page) => page.getByRole('link', { name: hostile }).waitFor(),
  }),
)

consoleTest(
  'behavior: discovered contracts are listed by last seen or by activity, also after a search',
  system,
  async () => {
    const page = await console().open('/console/collections?search=Collection%201&status=live')
    await page.getByText('5 collections').waitFor()
    const list = page.getByLabel('List')
    await list.selectOption('Contracts of new blocks, most transfers first')
    await page.getByRole('heading', { name: 'Contracts of new blocks' }).waitFor()
    await page.getByText('3 collections').waitFor()
    const rows = async () => {
      const texts = await page.getByRole('table', { name: 'Collections' }).locator('tbody tr').allInnerTexts()
      return texts.map((text) => text.split('\t').map((cell) => cell.trim()))
    }
    const links = () => page.getByRole('table', { name: 'Collections' }).getByRole('link').allInnerTexts()
    const [first] = await rows()
    expect(first!.slice(-2)).toEqual(['1,234', '34'])
    expect(await links()).toEqual([expect.stringContaining('0x6565'), hostile, expect.stringContaining('0x6666')])
    expect(new URL(page.url()).search).toBe('?order=activity')
    // This list has no controls of the search over indexed collections.
    expect(await page.getByLabel('Status').count()).toBe(0)
    await list.selectOption('Contracts of new blocks, newest first')
    await expect.poll(links).toEqual([expect.stringContaining('0x6666'), expect.stringContaining('0x6565'), hostile])
    await page.reload()
    await expect.poll(async () => (await links())[2]).toBe(hostile)
    await list.selectOption('Indexed collections by address')
    await page.getByText('59 collections').waitFor()
    expect(await page.getByLabel('Name, or start of the address').inputValue()).toBe('')
  },
)
