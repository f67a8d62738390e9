// @module-tag system

import type { Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { system } from '../system.ts'
import { addSeededTokens } from './collections.ts'
import { consoleTest, lookAt, tooWide, useConsole } from './consoleTest.ts'

/** Including the token that the contract itself mints. */
const tokens = 20_000

/** More than a browser can show at a width of 320 px. The height of an element is limited to 33 million pixels, in some browsers to 17 million. */
const hugeTokens = 160_000

let address: Address
let huge: Address
const console = useConsole({
  async seed(server, anvil) {
    address = await anvil.deploy(plain721, ['Many', 'MANY', ''])
    const [to] = anvil.accounts as [Address]
    await anvil.send({ to: address, abi: plain721.abi, functionName: 'mint', args: [to, 1n] })
    await server.untilSynced(address, await anvil.blockNumber())
    await addSeededTokens(server.database.db, address, tokens - 1)
    huge = await anvil.deploy(plain721, ['Huge', 'HUGE', ''])
    await anvil.send({ to: huge, abi: plain721.abi, functionName: 'mint', args: [to, 1n] })
    await server.untilSynced(huge, await anvil.blockNumber())
    await addSeededTokens(server.database.db, huge, hugeTokens - 1)
  },
})
const pathOf = () => `/console/collections/local/${address}`
const list = (page: Page) => page.getByRole('list', { name: 'Tokens' })

/** Records the pages of tokens that the browser requests, and the maximum number of concurrent requests. */
function watchPages(page: Page) {
  const requested: string[] = []
  let underWay = 0
  let most = 0
  const isPage = (url: string) => url.includes('limit=50')
  page.on('request', (request) => {
    if (!isPage(request.url())) return
    requested.push(request.url())
    most = Math.max(most, ++underWay)
  })
  const ended = (request: Request) => {
    if (isPage(request.url())) underWay--
  }
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  return { requested, most: () => most }
}

/** Scrolls from the beginning to the end, a step per frame, and returns how long it took. */
const scrollFast = `(async () => {
  const begun = performance.now()
  for (let step = 1; step <= 150; step++) {
    scrollTo(0, (document.documentElement.scrollHeight - innerHeight) * step / 150)
    await new Promise(requestAnimationFrame)
    if (document.querySelectorAll('.gallery li').length > 100) throw new Error('too many tokens are there')
  }
  return performance.now() - begun
})()`

/** Waits until every visible position shows its token. */
const untilRead = (page: Page) => expect.poll(() => page.evaluate<number>(missing)).toBe(0)
const missing = `document.querySelector('.gallery a') ? document.querySelectorAll('.gallery .waiting').length : -1`
const scrollTo = (page: Page, share: number) =>
  page.evaluate(`scrollTo(0, (document.documentElement.scrollHeight - innerHeight) * ${share})`)

consoleTest('default: scrolling through thousands of tokens renders and requests only the visible ones', async () => {
  const page = await console().open(pathOf())
  await page.getByText('20,000 tokens').waitFor()
  await untilRead(page)
  const { requested, most } = watchPages(page)
  const seen = new Set<string>()
  const ms = await page.evaluate<number>(scrollFast)
  await untilRead(page)
  expect(most()).toBeLessThanOrEqual(4)
  // At most two reads a second, each for a window of a few ranges. The scroll passed all five hundred ranges.
  expect(requested.length).toBeLessThan((ms / 500 + 4) * 4)
  for (const id of await list(page).locator('.words').allTextContents()) seen.add(id)
  const last = list(page).getByRole('listitem').last()
  expect(await last.getAttribute('aria-posinset')).toBe(await last.getAttribute('aria-setsize'))
  // The gallery assumes that skipped ranges are as long as the others.
  expect(Math.abs(Number(await last.getAttribute('aria-setsize')) / tokens - 1)).toBeLessThan(0.01)
  // Visible ranges are requested again from time to time, so the last request need not be for this range.
  expect(requested.filter((url) => /totalRanges=500&range=0/.test(url))).not.toEqual([])
  await scrollTo(page, 0)
  await expect.poll(() => list(page).getByRole('listitem').first().getAttribute('aria-posinset')).toBe('1')
  await untilRead(page)
  const first = await list(page).locator('.words').allTextContents()
  expect(first.filter((id) => seen.has(id))).toEqual([])
})

consoleTest(
  'behavior: scrolling through the gallery shows each token of the API once and in order',
  system,
  async () => {
    const page = await console().open(pathOf())
    const ids: string[] = []
    for (let cursor = ''; ids.length < 300; ) {
      const { body } = await console().server.page(address, { limit: 100, ...(cursor && { cursor }) })
      ids.push(...body.result.map(({ token_id }) => token_id))
      cursor = body.cursor!
    }
    const shown = new Map<number, string>()
    await untilRead(page)
    while (shown.size < 300) {
      // A token may be loading again since.
      for (const [place, id] of await page.evaluate<[number, string | null][]>(
        '[...document.querySelectorAll(".gallery li")].map((li) => [Number(li.ariaPosInSet), li.querySelector(".words")?.textContent])',
      ))
        if (place <= 300 && id) shown.set(place, id)
      // Positions shift when a skipped range turns out to be longer or shorter than estimated. Then some are missing, so start over.
      const isPast = await page.evaluate<boolean>('Number(document.querySelector(".gallery li").ariaPosInSet) > 300')
      if (isPast && shown.size < 300) shown.clear()
      await page.evaluate(isPast ? 'scrollTo(0, 0)' : 'scrollBy(0, innerHeight / 2)')
      await untilRead(page)
    }
    expect(ids.slice(0, 300).map((_, i) => shown.get(i + 1))).toEqual(ids.slice(0, 300).map((id) => `#${id}`))
  },
)

consoleTest('behavior: the keyboard moves between tokens, opens one, and returns to its place', system, async () => {
  const page = await console().open(pathOf(), { width: 320 })
  await untilRead(page)
  await scrollTo(page, 0.4)
  await untilRead(page)
  const some = list(page).getByRole('link').nth(9)
  const name = (await some.locator('.words').textContent())!
  await some.focus()
  // Users press it no faster than rows arrive.
  for (let i = 0; i < 30; i++) {
    await page.keyboard.press('Tab')
    await untilRead(page)
  }
  const reached = await page.evaluate<string>('document.activeElement.querySelector(".words").textContent')
  expect(reached).toMatch(/^#\d+$/)
  expect(reached).not.toBe(name)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: reached }).waitFor()
  await page.goBack()
  await list(page).getByRole('link', { name: reached }).waitFor()
  expect(await tooWide(page)).toEqual([])
})

consoleTest(
  'behavior: a list too long for a browser is split into parts, and the last part ends with the last token',
  async () => {
    const page = await console().open(`/console/collections/local/${huge}`, { width: 320 })
    await page.getByText('160,000 tokens').waitFor()
    await untilRead(page)
    const parts = page.getByRole('navigation', { name: 'Parts of the list' }).getByRole('link')
    expect(await parts.count()).toBe(2)
    expect(await tooWide(page)).toEqual([])
    await parts.last().click()
    await expect.poll(() => page.url()).toContain('part=2')
    await untilRead(page)
    const begin = Number(/^[\d,]+/.exec((await parts.last().textContent())!)![0].replaceAll(',', ''))
    await expect
      .poll(async () => Number(await list(page).getByRole('listitem').first().getAttribute('aria-posinset')))
      .toBeGreaterThanOrEqual(begin)
    const { requested } = watchPages(page)
    await scrollTo(page, 1)
    const last = list(page).getByRole('listitem').last()
    const size = await last.getAttribute('aria-setsize')
    await expect.poll(() => last.getAttribute('aria-posinset')).toBe(size)
    await expect.poll(() => requested.some((url) => /totalRanges=1000&range=0\b/.test(url))).toBe(true)
    await untilRead(page)
    await page.goBack()
    await expect
      .poll(() => list(page).getByRole('listitem').first().getAttribute('aria-posinset'))
      .not.toBe(String(begin))
  },
)

consoleTest('behavior: a gallery of many tokens renders in every width and colour scheme', system, () =>
  lookAt(console(), {
    path: pathOf(),
    name: 'gallery',
    isEndless: true,
    ready: untilRead,
  }),
)
