import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { system } from '../system.ts'
import { deployHorizons } from './collections.ts'
import { consoleTest, isFocused, lookAt, seriousFaults, tooWide, useConsole } from './consoleTest.ts'

let horizons: Address
const console = useConsole({
  async seed(_, anvil) {
    horizons = await deployHorizons(anvil, 60n)
  },
})

const pathOf = (query = '') => `/console/collections/local/${horizons}${query}`
const cards = (page: Page) => page.getByRole('list', { name: 'Tokens' }).getByRole('link')

consoleTest(
  'default: the keyboard opens a collection by address and chain, and the page shows its indexing progress',
  system,
  async () => {
    const page = await console().open('/console/collections')
    await page.getByLabel('Address of the contract').focus()
    await page.keyboard.type('0x12')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('40 hex digits').waitFor()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type(horizons.toUpperCase().replace('0X', '0x'))
    await page.keyboard.press('Tab')
    await page.keyboard.type('local')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sample Horizons', level: 1 }).waitFor()
    await page.getByText('synced', { exact: true }).waitFor()
    await page.getByText('60 tokens').waitFor()
    await expect.poll(() => page.locator('.gallery img').count()).toBeGreaterThan(5)
    const source = await page.locator('.gallery img').first().getAttribute('src')
    expect(source).toMatch(/^\/media\/[0-9a-f]{64}\/medium\.webp$/)
    expect(await cards(page).count()).toBeLessThan(60)
  },
)

consoleTest('behavior: the collection page renders in every width and colour scheme', system, () =>
  lookAt(console(), {
    path: pathOf(),
    name: 'collection',
    ready: async (page) => {
      await page.getByText('Ranges').waitFor()
      await page.locator('.gallery img').nth(3).waitFor()
    },
  }),
)

consoleTest(
  'behavior: the block number of an idle collection advances although its responses are 304',
  system,
  async () => {
    const page = await console().open(pathOf())
    const block = page.locator('.stats > div', { hasText: /^Up to block/ }).locator('.figure')
    await page.getByText('synced', { exact: true }).waitFor()
    const first = Number(await block.textContent())
    let confirmed = 0
    page.on('response', (response) => {
      if (response.status() === 304 && response.url().includes('disable_total=false')) confirmed++
    })
    await expect.poll(() => confirmed).toBeGreaterThan(1)
    await expect.poll(async () => Number(await block.textContent())).toBeGreaterThan(first)
  },
)

consoleTest('behavior: trait filters show counts, appear in the URL, and can be removed one by one', async () => {
  const page = await console().open(pathOf())
  await page.locator('summary', { hasText: 'Time' }).focus()
  await page.keyboard.press('Enter')
  const night = page.getByRole('checkbox', { name: /^Night/ })
  const count = Number(/\d+/.exec((await page.locator('label', { has: night }).textContent())!)![0])
  await night.focus()
  await page.keyboard.press('Space')
  await page.getByText(new RegExp(`^${count} tokens?$`)).waitFor()
  expect(page.url()).toContain('trait=Time%3ANight')
  await expect.poll(() => cards(page).count()).toBe(count)
  await page.reload()
  await page.getByText(new RegExp(`^${count} tokens?$`)).waitFor()
  await page.getByRole('button', { name: 'Remove Time: Night' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('60 tokens').waitFor()
})

consoleTest(
  'behavior: the block slider and number field show tokens, owners and a token at an earlier block',
  system,
  async () => {
    const [, , , receiver] = console().anvil.accounts as [Address, Address, Address, Address]
    const before = Number(await console().anvil.blockNumber())
    await console().anvil.send({
      to: horizons,
      abi: plain721.abi,
      functionName: 'transferFrom',
      args: [console().anvil.accounts[0]!, receiver, 0n],
      from: console().anvil.accounts[0]!,
    })
    await console().server.untilSynced(horizons, await console().anvil.blockNumber())
    // If the slider moves fast, a file for the same key is still being made. The request gets 429 and is retried.
    const page = await console().open(pathOf('?show=owners'), { expected: /status of 429/ })
    await page.getByText(/^4 addresses hold a total amount of 60 at the end of block/).waitFor()
    const slider = page.getByRole('slider', { name: 'State at block' })
    await slider.focus()
    await page.keyboard.press('Home')
    await page.getByText(/^No holders/).waitFor()
    const number = page.getByRole('spinbutton', { name: 'Block number' })
    await number.fill(String(before))
    await page.keyboard.press('Enter')
    await page.getByText(/^3 addresses hold a total amount of 60 at the end of block/).waitFor()
    expect(page.url()).toContain(`block=${before}`)
    // Text that is no number, which a browser shows but does not return.
    await number.press('ControlOrMeta+a')
    await number.pressSequentially('1-')
    await number.press('Enter')
    expect([await number.inputValue(), new URL(page.url()).searchParams.get('block')]).toEqual([
      `${before}`,
      `${before}`,
    ])
    expect(
      await number.evaluate((field) => (field as unknown as { validity: { badInput: boolean } }).validity.badInput),
    ).toBe(false)
    await page.getByRole('link', { name: 'Tokens', exact: true }).click()
    await page.getByText('60 tokens').waitFor()
    await page.getByText('Traits describe the current state').waitFor()
    await page.goto(`${console().server.url}${pathOf('/0')}?block=${before}`)
    const owners = page.getByRole('region', { name: 'Owners' }).last()
    await owners.getByTitle(console().anvil.accounts[0]!).waitFor()
    const facts = page.getByRole('region', { name: 'Token', exact: true })
    await facts.getByTitle(console().anvil.accounts[0]!).first().waitFor()
    await page.getByRole('link', { name: 'Current state' }).click()
    await owners.getByTitle(receiver).waitFor()
    // The token's URI is longer than its field.
    expect(await seriousFaults(page)).toEqual([])
  },
)

consoleTest(
  'behavior: the owners view with the holder distribution renders in every width and colour scheme',
  system,
  () =>
    lookAt(console(), {
      path: pathOf('?show=owners'),
      name: 'collection-owners',
      ready: (page) => page.getByRole('region', { name: 'Largest holders' }).getByRole('row').nth(1).waitFor(),
    }),
)

consoleTest('error: a failed holder count can be retried at the same block', system, async () => {
  const block = await console().anvil.blockNumber()
  await console().server.untilSynced(horizons, block)
  const page = await console().open('/console', { expected: /status of 500/ })
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await page.route('**/snapshot?*', (route) => route.fulfill({ status: 500, json: { message: 'no file' } }), {
    times: 1,
  })
  await page.goto(pathOf(`?show=owners&block=${block}`))
  await page.getByRole('alert').getByText('no file').waitFor()
  await page.getByRole('button', { name: 'Count holders' }).click()
  await page.getByRole('region', { name: 'Largest holders' }).getByRole('row').nth(1).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})

consoleTest(
  'error: a failed request for the next page of a list shows an error at that list only',
  system,
  async () => {
    const block = await console().anvil.blockNumber()
    await console().server.untilSynced(horizons, block)
    // The holders are counted immediately. If the page requests the next block meanwhile, a file for the same key is still being made.
    const page = await console().open(pathOf('?show=owners'), { expected: /status of (?:429|500)/ })
    await page.route('**/owners?*cursor=*', (route) => route.fulfill({ status: 500, json: { message: 'no page' } }))
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByRole('alert').getByText('no page').waitFor()
    const other = page.waitForResponse(`**/owners?*as_of_block=${block}*`)
    await page.getByLabel('Block number').fill(String(block))
    await page.keyboard.press('Enter')
    await (await other).finished()
    await page.getByRole('region', { name: 'Owners of each token' }).last().getByRole('row').nth(1).waitFor()
    await expect.poll(() => page.getByRole('alert').getByText('no page').count()).toBe(0)
  },
)

consoleTest('behavior: the keyboard saves a snapshot, and the page shows its root and the verify command', async () => {
  const page = await console().open(pathOf('?show=snapshot'))
  const block = await console().anvil.blockNumber()
  await page.getByText(/Default: the last final block/).waitFor()
  await expect
    .poll(async () => Number((await console().server.page(horizons, { limit: 1 })).headers.get('x-index-to-block')))
    .toBeGreaterThanOrEqual(Number(block))
  await page.getByLabel('At the end of block').focus()
  await page.keyboard.type(String(block))
  const coming = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  const download = await coming
  expect(download.suggestedFilename()).toBe(`${horizons}-${block}.csv`)
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n')
  expect(lines[0]).toBe('token_id,owner_of,amount')
  expect(lines).toHaveLength(61)
  await page
    .getByText(/^0x[0-9a-f]{64}$/)
    .nth(1)
    .waitFor()
  const facts = page.waitForEvent('download')
  await page.getByRole('button', { name: /^Save the facts/ }).click()
  expect(JSON.parse(readFileSync(await (await facts).path(), 'utf8'))).toMatchObject({
    holders: 60,
    block: String(block),
  })
  await page.getByText(/^mintmark verify --snapshot/).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await tooWide(page)).toEqual([])
})

consoleTest('error: a snapshot at a block that is not covered shows the server’s error message', async () => {
  const page = await console().open(pathOf('?show=snapshot'), { expected: /status of 400/ })
  await page.getByLabel('At the end of block').fill('8000000000')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('as_of_block').waitFor()
})

consoleTest(
  'behavior: a read key opens a collection, refreshes its metadata, and sees only its spam status',
  async () => {
    const page = await console().open(pathOf('?show=about'), { key: console().readKey, width: 320 })
    await page.getByText('The collection does not count as spam').waitFor()
    expect(await page.getByText(/^Spam score/).count()).toBe(0)
    expect(await page.getByLabel('Override: spam').count()).toBe(0)
    await page.getByRole('button', { name: 'Refresh metadata' }).click()
    await page.getByText('Metadata refresh requested').waitFor()
    expect(await tooWide(page)).toEqual([])
    await page.getByRole('link', { name: 'Transfers' }).click()
    await page.getByRole('region', { name: 'Transfers' }).getByText('zero address').first().waitFor()
  },
)

consoleTest(
  'behavior: the about view shows the spam score of a collection and the operator override',
  system,
  async () => {
    const page = await console().open(pathOf('?show=about'))
    await page.getByText(/^Spam score \d+ of 100/).waitFor()
    const save = page.getByRole('button', { name: 'Save override' })
    await page.getByLabel('Override: spam').focus()
    // An arrow key selects the next choice, which must not be sent on the way.
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await page.getByLabel('Override: spam').inputValue()).toBe('no')
    await page.keyboard.press('ArrowUp')
    await save.focus()
    await page.keyboard.press('Enter')
    await page.getByText('Override saved').waitFor()
    expect(await page.getByLabel('Override: spam').inputValue()).toBe('yes')
    await page.getByRole('region', { name: 'Current state' }).getByText('spam', { exact: true }).waitFor()
    expect(await isFocused(save)).toBe(true)
    expect(await seriousFaults(page)).toEqual([])
    await page.getByLabel('Override: spam').selectOption('auto')
    await save.click()
    await page.getByText('No list contains the collection').waitFor()
  },
)
