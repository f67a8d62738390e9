// @module-tag system

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DemoProcess, startDemoProcess } from '../demoProcess.ts'
import { patience, patienceMs } from '../patience.ts'
import { launchBrowser, withoutBrowser } from './browser.ts'

// `npm run demo` as its first visitor sees it: by the link that it prints, in a browser that was never here.
let demo: DemoProcess
beforeAll(async () => {
  if (!withoutBrowser) demo = await startDemoProcess()
})
afterAll(() => demo?.stop())

test.skipIf(withoutBrowser)(
  'default: the link of the demo signs in at once; pictures, a stream that delivers and coins that grow are there',
  async () => {
    const browser = await launchBrowser()
    try {
      const page = await browser.newPage()
      page.setDefaultTimeout(patienceMs)
      await page.goto(demo.link)
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      expect(page.url()).toBe(`${demo.url}/`)

      const go = async (name: string) => {
        await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
        await page.getByRole('heading', { level: 1, name }).waitFor()
      }
      await go('Coins')
      const latest = page.getByRole('region', { name: 'Latest coins' }).first().getByRole('row').nth(1)
      await latest.waitFor()
      const before = await latest.textContent()
      await expect.poll(() => latest.textContent(), patience).not.toBe(before)

      await go('Streams')
      await page.getByRole('row').getByRole('link', { name: 'demo' }).waitFor()
      const sums = page.getByRole('region', { name: 'All streams' })
      const delivered = async () => Number(/Delivered\s*(\d+)/.exec((await sums.textContent()) ?? '')?.[1] ?? 0)
      await expect.poll(delivered, patience).toBeGreaterThan(0)
      const first = await delivered()
      await expect.poll(delivered, patience).toBeGreaterThan(first)

      await go('Collections')
      await page.getByRole('link', { name: 'Sample Tiles' }).click()
      const pictures = () =>
        page
          .locator('.token-card img')
          .evaluateAll((images) => new Set(images.map((one) => one.getAttribute('src'))).size)
      await expect.poll(pictures, patience).toBeGreaterThan(4)
    } finally {
      await browser.close()
    }
  },
)
