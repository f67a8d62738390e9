import { expect, test } from 'vitest'
import { seedCoins, seededCoin } from '../seedCoins.ts'
import { seedCollection } from '../seedCollection.ts'
import { withoutBrowser } from './browser.ts'
import { isTooWide, lookAt, useConsole } from './consoleTest.ts'

const local = 0x7a69n
const hostile = '<img src=x onerror=alert(1)>\u202e"\'</script>'

const console = useConsole({
  config: { aptos: { mainnet: { rest: 'http://127.0.0.1:1' } } },
  async seed({ database: { db } }) {
    const chain = { block: 1n, head: 1n }
    const seed = { chainId: local, chain, tokens: [1n, 2n, 3n] }
    await seedCollection(db, { ...seed, address: `0x${'a1'.repeat(20)}`, columns: { name: 'Live ones' } })
    await seedCollection(db, {
      ...seed,
      address: `0x${'b2'.repeat(20)}`,
      columns: { name: hostile, status: 'syncing', to_block: 1n },
    })
    await seedCoins(db, { coins: [1, 2, 3, 4, 5, 6].map((n) => seededCoin(n)), from: 0n, to: 10n })
  },
})
const consoleTest = test.skipIf(withoutBrowser)

consoleTest(
  'default: the overview tells of chains with their nodes, collections, coins, storage, and the last hour',
  async () => {
    const page = await console().open('/')
    const chains = page.getByRole('region', { name: 'Chains' }).getByRole('row', { name: /^local/ })
    await chains.getByText('127.0.0.1').waitFor()
    await page.getByRole('img', { name: /^Requests: .* in the last hour$/ }).waitFor()
    await page.locator('.plot canvas').nth(5).waitFor()
    expect(await page.locator('.plot canvas').count()).toBe(6)
    await page.getByRole('region', { name: 'Latest coins' }).getByRole('row').nth(5).waitFor()
    await page.getByRole('region', { name: 'The database by kind of data' }).getByText('tokens').waitFor()
    await page.getByText(/answers/).waitFor()
  },
)

consoleTest('behavior: what is shown moves by itself', async () => {
  const page = await console().open('/')
  const cell = page
    .getByRole('region', { name: 'Chains' })
    .getByRole('row', { name: /^local/ })
    .getByRole('cell')
    .nth(2)
  await cell.waitFor()
  const before = await cell.textContent()
  await expect.poll(() => cell.textContent()).not.toBe(before)
})

consoleTest('behavior: a name that is markup is text', async () => {
  const page = await console().open('/')
  await page.getByRole('link', { name: hostile }).waitFor()
  expect(await page.locator('main img').count()).toBe(0)
})

consoleTest('behavior: the overview is right in each look', () =>
  lookAt(console(), {
    path: '/',
    name: 'overview',
    ready: async (page) => {
      await page.locator('.plot canvas').nth(5).waitFor()
      await page.getByText('local').first().waitFor()
    },
  }),
)

consoleTest('behavior: a read key sees chains and coins', async () => {
  const page = await console().open('/', { key: console().readKey, width: 320 })
  await page.getByRole('region', { name: 'Chains' }).getByText('local').waitFor()
  await page.getByRole('region', { name: 'Latest coins' }).waitFor()
  expect(await isTooWide(page)).toBe(false)
})

consoleTest(
  'behavior: while the server does not answer the page says so, keeps what it has, and goes on by itself',
  async () => {
    const page = await console().open('/', { expected: /ERR_FAILED/ })
    const chains = page.getByRole('region', { name: 'Chains' }).first()
    await chains.waitFor()
    await page.route('**/admin/**', (route) => route.abort())
    await page.getByRole('alert').getByText('the server does not answer').first().waitFor()
    expect(await chains.isVisible()).toBe(true)
    await page.unroute('**/admin/**')
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  },
)

consoleTest(
  'behavior: a page that is opened and left again and again asks no more than one that is looked at',
  async () => {
    const page = await console().open('/')
    const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
    for (let i = 0; i < 8; i++) {
      await page.getByRole('link', { name: 'Keys' }).click()
      await heading('Keys')
      await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click()
      await heading('Overview')
    }
    await page.getByRole('link', { name: 'Keys' }).click()
    await heading('Keys')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const calls = () => asked.filter((path) => !path.startsWith('/console/'))
    await expect.poll(() => calls().length).toBeGreaterThan(1)
    expect(new Set(calls())).toEqual(new Set(['/admin/keys']))
    expect(calls().length).toBeLessThan(4)
  },
)
