// @module-tag system

import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { plain20 } from '../contracts/artifacts/plain20.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { withoutBrowser } from './browser.ts'
import { deployHorizons } from './collections.ts'
import { type Measured, measure, runFast, tooMuch } from './pageMeasures.ts'
import { useStreams } from './streamTest.ts'

const { console, token, api, newStream } = useStreams()
const consoleTest = test.skipIf(withoutBrowser)
const rounds = inject('rounds')
/** The clocks of the page run fast: this is ten minutes for it, three hours in a soak. */
const openMs = 30_000 * rounds

/** Opens a page whose clocks run fast. */
async function openFast(path: string): Promise<Page> {
  const page = await console().open(path)
  await page.addInitScript(runFast)
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

/** Keeps the chain busy, with separate blocks, until the returned function is called. */
function keepBusy(horizons: Address): () => Promise<void> {
  let isOver = false
  const [from, to] = console().anvil.accounts as [Address, Address]
  const done = (async () => {
    for (let i = 0; !isOver; i++) {
      await console().anvil.send({ to: token(), abi: plain20.abi, functionName: 'mint', args: [to, BigInt(i + 1)] })
      const holder = i % 2 ? to : from
      const args = [holder, holder === from ? to : from, 0n] as const
      await console().anvil.send({
        ...{ to: horizons, from: holder },
        ...{ abi: plain721.abi, functionName: 'transferFrom', args },
      })
    }
  })()
  return async () => {
    isOver = true
    await done
  }
}

async function fillLedger(id: string, webhooks: number): Promise<void> {
  const { anvil } = console()
  for (let i = 0; i < webhooks; i++) {
    await anvil.submit({ to: token(), abi: plain20.abi, functionName: 'mint', args: [anvil.accounts[2]!, 1n] })
    await anvil.mine()
  }
  await anvil.mine(3)
  const delivered = async () =>
    (await api<{ totalWebhooksDelivered: number }>('GET', `/stats/${id}`)).totalWebhooksDelivered
  await expect.poll(delivered).toBeGreaterThanOrEqual(webhooks * 2)
}

type View = { name: string; path: string; ready(page: Page): Promise<unknown>; mostPerMinute: number }

/** Views with lists of maximum length. `mostPerMinute`: the requests of all their parts, plus a fifth. */
async function fullViews(): Promise<{ views: View[]; horizons: Address }> {
  const { anvil, server } = console()
  const horizons = await deployHorizons(anvil, 60n)
  await server.untilSynced(horizons, await anvil.blockNumber())
  const { id } = await newStream({ tag: 'open' })
  await fillLedger(id, 30)
  const views: View[] = [
    { name: 'overview', path: '/', ready: (page) => page.locator('canvas').nth(5).waitFor(), mostPerMinute: 80 },
    {
      name: 'collection',
      path: `/console/collections/local/${horizons}`,
      ready: (page) => page.locator('.gallery img').nth(3).waitFor(),
      mostPerMinute: 140,
    },
    {
      name: 'stream',
      path: `/console/streams/${id}`,
      ready: (page) =>
        page
          .getByRole('row', { name: /Replay/ })
          .nth(20)
          .waitFor(),
      mostPerMinute: 90,
    },
  ]
  return { views, horizons }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Leaves views open in parallel while the chain is busy, and measures each. */
async function leaveOpen(open: (path: string) => Promise<Page>): Promise<(View & { measured: Measured })[]> {
  const { views, horizons } = await fullViews()
  const stop = keepBusy(horizons)
  const pages = await Promise.all(
    views.map(async (view) => {
      const page = await open(view.path)
      await view.ready(page)
      return { ...view, page }
    }),
  )
  // Scripts, images and first responses have arrived. From here on, only numbers change.
  await pause(5_000)
  const started = await Promise.all(pages.map(async (view) => ({ ...view, end: await measure(view.page) })))
  await pause(openMs)
  await stop()
  const done: (View & { measured: Measured })[] = []
  for (const { end, page, ...view } of started) {
    done.push({ ...view, measured: await end() })
    await page.close()
  }
  return done
}

consoleTest('behavior: pages that are left open do not leak memory', async () => {
  for (const { name, measured } of await leaveOpen(openFast)) {
    expect(tooMuch(measured), `${name} ${JSON.stringify(measured)}`).toEqual([])
    // The page still works: a page that does nothing does not grow either.
    expect(measured.requests, name).toBeGreaterThan(20)
  }
})

consoleTest('behavior: pages that are left open send only the requests that their parts need', async () => {
  for (const { name, mostPerMinute, measured } of await leaveOpen((path) => console().open(path))) {
    const perMinute = (measured.requests * 60_000) / measured.ms
    expect(perMinute, name).toBeLessThan(mostPerMinute)
    expect(perMinute, name).toBeGreaterThan(mostPerMinute / 20)
  }
})

consoleTest('behavior: switching back and forth between views leaks no memory', async () => {
  const { anvil, server, open } = console()
  const horizons = await deployHorizons(anvil, 60n)
  await server.untilSynced(horizons, await anvil.blockNumber())
  const { id } = await newStream({ tag: 'tour' })
  const page = await open('/')
  const link = (name: string) => page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name }).click()
  const round = async () => {
    await link('Overview')
    await page.locator('canvas').nth(5).waitFor()
    await link('Streams')
    await page.getByRole('link', { name: 'tour', exact: true }).click()
    await page.locator('canvas').first().waitFor()
    await link('Collections')
    await page.getByRole('link', { name: 'Sample Horizons' }).first().click()
    await page.locator('.gallery img').nth(3).waitFor()
    await page.goBack()
    await link('Coins')
    await page.getByRole('heading', { level: 1, name: 'Coins' }).waitFor()
  }
  for (let i = 0; i < 3; i++) await round()
  const end = await measure(page)
  for (let i = 0; i < 6 * rounds; i++) await round()
  const measured = await end()
  expect(tooMuch(measured), JSON.stringify(measured)).toEqual([])
  expect(id).toBeTruthy()
})

consoleTest('error: the leak check detects a page that leaks', async () => {
  const page = await openFast('/console/keys')
  const end = await measure(page)
  await page.evaluate(`{
    window.kept = []
    const leak = () => {
      const element = document.createElement('p')
      element.append('x'.repeat(5_000) + Math.random())
      element.addEventListener('click', () => element)
      window.kept.push(element, Array.from({ length: 1_000 }, () => ({})))
    }
    for (let i = 0; i < 600; i++) setTimeout(leak, i * 100)
  }`)
  await expect.poll(() => page.evaluate<number>('window.kept.length')).toBe(1_200)
  const found = tooMuch(await end())
  expect(found.map((text) => text.replaceAll(/\d+(?: to)?/g, '').trim())).toEqual([
    expect.stringContaining('heapBytes grew'),
    expect.stringContaining('nodes grew'),
    expect.stringContaining('listeners grew'),
  ])
})
