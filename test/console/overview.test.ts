// @module-tag system

import { expect } from 'vitest'
import { seedCoins, seededCoin } from '../seedCoins.ts'
import { seedCollection } from '../seedCollection.ts'
import { system } from '../system.ts'
import { consoleTest, lookAt, tooWide, useConsole } from './consoleTest.ts'

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

// biome-ignore lint/suspicious/noExplicitAny: the body of any answer, of which a part is changed
type ReportedStatus = any

consoleTest(
  'default: the overview shows chains with nodes, collections, coins, storage and the last hour',
  async () => {
    const page = await console().open('/')
    const chains = page.getByRole('region', { name: 'Chains' }).getByRole('row', { name: /^local/ })
    await chains.getByText('127.0.0.1').waitFor()
    await page.getByRole('img', { name: /^Requests: .* in the last hour$/ }).waitFor()
    await page.locator('.plot canvas').nth(5).waitFor()
    expect(await page.locator('.plot canvas').count()).toBe(6)
    await page.getByRole('region', { name: 'Latest coins' }).getByRole('row').nth(5).waitFor()
    await page.getByRole('region', { name: 'The database by kind of data' }).getByText('tokens').waitFor()
    await page.getByText(/this page/).waitFor()
  },
)

consoleTest('default: each figure of the overview is the one that the server returned', async () => {
  const page = await console().open('/console/keys')
  // Changes responses of the server to contain unique numbers.
  const reported = async (path: string, change: (body: ReportedStatus) => void) =>
    page.route(path, async (route) => {
      const response = await route.fetch()
      const body = (await response.json()) as ReportedStatus
      change(body)
      await route.fulfill({ response, json: body })
    })
  await reported('**/admin/overview', (body) => {
    body.queue = {
      collections: { live: 4_001, failed: 3 },
      streams: { active: 21, paused: 2, error: 1, terminated: 0 },
      webhooks: 1_234,
      metadata: { due: 55, failed: 6, parked: 7, more: false },
      previews: { due: 100_000, more: true },
    }
    body.disk = { freeBytes: 2_000_000_000, totalBytes: 100_000_000_000, faults: ['the disk is full'] }
    body.database = { bytes: 52_428_800, kinds: [] }
    body.nodesAway = ['10.0.0.2:5432']
    body.missing = [{ part: 'rates', reason: 'took longer than 1 s' }]
  })
  await reported('**/admin/chains?*', (body) => {
    const [chain] = body.result
    Object.assign(chain, {
      block: 900,
      head: 1_000,
      lag: 100,
      headAgeSeconds: 75,
      wanted: true,
      held: true,
      fault: null,
    })
    Object.assign(chain.endpoints[0], { state: 'good', calls: 1_500, failed: 12, averageMs: 34, fault: null })
  })
  await reported('**/admin/collections?*', (body) => {
    Object.assign(body.result[0], { progress: 0.25, blocksPerSecond: 1_500, secondsLeft: 90 })
  })
  await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click()
  const text = async (name: string) => {
    const region = page.getByRole('region', { name, exact: true }).first()
    await region.waitFor()
    // biome-ignore lint/performance/useDomNodeTextContent: as it is laid out, with space between cells
    return (await region.innerText()).replaceAll(/\s+/g, ' ')
  }
  await expect.poll(() => text('Current state')).toContain('Database node unreachable: 10.0.0.2:5432')
  const now = await text('Current state')
  for (const part of [
    'Writes fail: the disk is full',
    'Streams 21 active, 2 paused, 1 in error',
    'Webhooks 1,234 pending',
    'Metadata 55 pending; 6 failed before, 7 waiting for a dead host',
    'Preview images 100,000+ pending',
    'Database 52.4 MB on disk',
    'Disk 2.0 GB free of 100 GB',
  ])
    expect(now).toContain(part)
  await expect.poll(() => text('Chains')).toMatch(/local .*900 1,000 100 1 min 15 s ago .*1.5K calls, 12 failed, 34 ms/)
  await expect.poll(() => text('Indexing now')).toMatch(/4,001 live 3 failed .*25 %.* 1.5K 1 min 30 s/)
  await page.getByText('Not available: the last hour (took longer than 1 s)').waitFor()
  await page.getByRole('link', { name: '3 failed' }).click()
  await page.waitForURL('**/console/collections?status=failed')
})

consoleTest('behavior: the overview updates without a reload', system, async () => {
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

consoleTest('behavior: a collection name with markup is shown as text', async () => {
  const page = await console().open('/')
  await page.getByRole('link', { name: hostile }).waitFor()
  expect(await page.locator('main img').count()).toBe(0)
})

consoleTest('behavior: the overview renders in every width and colour scheme', system, () =>
  lookAt(console(), {
    path: '/',
    name: 'overview',
    ready: async (page) => {
      await page.locator('.plot canvas').nth(5).waitFor()
      await page.getByText('local').first().waitFor()
    },
  }),
)

consoleTest('behavior: a read key sees chains and coins on the overview', async () => {
  const page = await console().open('/', { key: console().readKey, width: 320 })
  await page.getByRole('region', { name: 'Chains' }).getByText('local').waitFor()
  await page.getByRole('region', { name: 'Latest coins' }).waitFor()
  expect(await tooWide(page)).toEqual([])
})

consoleTest(
  'behavior: while the server is unreachable, the page reports it, keeps its data, and recovers automatically',
  system,
  async () => {
    const page = await console().open('/', { expected: /ERR_FAILED/ })
    const chains = page.getByRole('region', { name: 'Chains' }).first()
    await chains.waitFor()
    await page.route('**/admin/**', (route) => route.abort())
    await page.getByRole('alert').getByText('the server does not respond').first().waitFor()
    expect(await chains.isVisible()).toBe(true)
    await page.unroute('**/admin/**')
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  },
)

consoleTest('behavior: a page that is opened and left repeatedly leaves no polling behind', system, async () => {
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
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  const calls = () => requested.filter((path) => !path.startsWith('/console/'))
  await expect.poll(() => calls().length).toBeGreaterThan(1)
  expect(new Set(calls())).toEqual(new Set(['/admin/keys']))
  expect(calls().length).toBeLessThan(4)
})
