// @module-tag system

import { expect, vi } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { shorten } from '../../web/text/shorten.ts'
import { patience } from '../patience.ts'
import { system } from '../system.ts'
import { deployDocumented, type MetadataHost, startMetadataHost } from './collections.ts'
import { consoleTest, lookAt, useConsole } from './consoleTest.ts'

const hostile = `<img src=x onerror=alert(1)>"><script>alert(2)</script>\u202egnp.exe`
/** Zero-width characters: the name of the last token, and of a collection. */
const invisible = '\u200b\u2060'

const hostileMetadata = (edition: number) => (id: string) => ({
  name: id === '40' ? invisible : `${hostile} ${id}`,
  description: `${'<b>long</b> '.repeat(300)}${edition}`,
  image: 'javascript:alert(3)',
  external_url: 'https://evil.example/"onclick="alert(4)',
  attributes: [
    { trait_type: hostile, value: `${hostile}:${Number(id) % 2}` },
    { trait_type: 'Level\\:', value: 7, max_value: 10 },
    { trait_type: '__proto__', value: { nested: ['<svg onload=alert(5)>'] } },
    { trait_type: 'x'.repeat(1_500), value: 'y'.repeat(1_500) },
  ],
})

let host: MetadataHost
let address: Address
let unnamed: Address
const console = useConsole({
  config: { outbound: { allow: ['127.0.0.1'] }, metadata: { coolOffMs: 0 } },
  async seed(server, anvil) {
    host = await startMetadataHost(hostileMetadata(1))
    address = await deployDocumented(anvil, `Claim your reward at visit-evil.com ${hostile}`, `${host.url}/`, 40n)
    unnamed = await deployDocumented(anvil, invisible, '', 1n)
    for (const contract of [address, unnamed]) await server.untilSynced(contract, await anvil.blockNumber())
    await vi.waitUntil(
      async () => (await server.page(address, { limit: 1 })).headers.get('x-index-metadata-progress') === '1',
      patience,
    )
  },
  end: () => host.close(),
})
const pathOf = (rest = '') => `/console/collections/local/${address}${rest}`

consoleTest(
  'default: hostile names, metadata and traits render as text in the gallery, filter and token page',
  async () => {
    const page = await console().open(pathOf())
    const first = page.getByRole('list', { name: 'Tokens' }).getByRole('link').first()
    await first.getByText(hostile).waitFor()
    await page.locator('summary', { hasText: '<script>' }).click()
    await page.getByRole('checkbox', { name: `${hostile}:1` }).check()
    await page.getByText('20 tokens').waitFor()
    await page.locator('summary', { hasText: 'Level\\:' }).click()
    await page.getByRole('checkbox', { name: /^7/ }).check()
    await page.getByRole('button', { name: 'Remove Level\\:: 7' }).waitFor()
    await page.getByText('20 tokens').waitFor()
    await first.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: hostile, level: 1 }).waitFor()
    const attributes = page.getByRole('region', { name: 'Attributes' }).last()
    await attributes.getByRole('row', { name: `${hostile} ${hostile}:1` }).waitFor()
    await page.getByRole('region', { name: 'Metadata JSON' }).last().getByText('<svg onload=alert(5)>').waitFor()
    expect(await page.locator('main :is(img, svg:not(button.copy > svg), script, b)').count()).toBe(0)
    expect(await page.locator('main a[href*="evil"], main a[href^="javascript"]').count()).toBe(0)
  },
)

consoleTest('behavior: the token page renders in every width and colour scheme', system, () =>
  lookAt(console(), {
    path: pathOf('/1'),
    name: 'token',
    ready: (page) => page.getByRole('region', { name: 'Transfers' }).getByText('zero address').first().waitFor(),
  }),
)

consoleTest('behavior: a collection of hostile tokens renders in every width and colour scheme', system, () =>
  lookAt(console(), {
    path: pathOf(),
    name: 'collection-hostile',
    ready: async (page) => {
      await page.getByRole('list', { name: 'Tokens' }).getByText(hostile).first().waitFor()
      await page.locator('summary', { hasText: '<script>' }).waitFor()
    },
  }),
)

consoleTest('behavior: the about view with spam reasons renders in every width and colour scheme', system, () =>
  lookAt(console(), {
    path: pathOf('?show=about'),
    name: 'collection-about',
    ready: (page) => page.getByRole('list', { name: 'Reasons' }).getByRole('listitem').first().waitFor(),
  }),
)

consoleTest('behavior: the keyboard refreshes metadata, and the earlier version is kept', system, async () => {
  const page = await console().open(pathOf('/2'))
  await page.getByText('Unchanged since it was first fetched').waitFor()
  host.report(hostileMetadata(2))
  await page.getByRole('button', { name: 'Refresh metadata' }).focus()
  await page.keyboard.press('Enter')
  await page
    .getByText(/Metadata refresh requested/)
    .first()
    .waitFor()
  const history = page.getByRole('region', { name: 'Earlier metadata' })
  await history.locator('summary').focus()
  await page.keyboard.press('Enter')
  await history.getByRole('region', { name: 'Earlier JSON' }).getByText('</b> 1').waitFor()
})

consoleTest('behavior: tokens and collections without a visible name have their id or address as text', async () => {
  const page = await console().open(pathOf('/40'))
  await page.getByRole('heading', { level: 1, name: '#40' }).waitFor()
  await expect.poll(() => page.title()).toBe('#40 · Mintmark')
  await page.goto(`/console/wallets/local/${console().anvil.accounts[0]}?spam=yes`)
  await page.getByRole('link', { name: /^#40 / }).waitFor()
  await page.goto(`/console/wallets/local/${console().anvil.accounts[0]}?spam=yes&show=collections`)
  await page.getByRole('link', { name: shorten(unnamed) }).waitFor()
})

consoleTest('error: the page of a missing token shows an error', async () => {
  const page = await console().open(pathOf('/999'), { expected: /status of 404/ })
  await page.getByRole('alert').getByText('999').first().waitFor()
})
