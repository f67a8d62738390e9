// @module-tag system

import { expect } from 'vitest'
import { system } from '../system.ts'
import { consoleTest, isFocused, seriousFaults } from './consoleTest.ts'
import { hostile, useStreams } from './streamTest.ts'

const { console, token, mint, api, newStream } = useStreams()

/** Widths of the second series' marks in the latency chart, from left to right, in canvas pixels. */
const runsOfColour = `(() => {
  const figure = [...document.querySelectorAll('figure')].find(({ textContent }) => textContent.includes('Latency'))
  const canvas = figure.querySelector('canvas')
  const wanted = getComputedStyle(figure.querySelector('.series-2')).color
  const probe = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d')
  probe.fillStyle = wanted
  probe.fillRect(0, 0, 1, 1)
  const colour = probe.getImageData(0, 0, 1, 1).data
  const { width, height } = canvas
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height)
  const runs = []
  let wasThere = false
  for (let x = 0; x < width; x++) {
    let isThere = false
    for (let y = 0; y < height; y++) {
      const at = 4 * (y * width + x)
      if ([0, 1, 2].every((i) => Math.abs(data[at + i] - colour[i]) < 24) && data[at + 3] > 128) isThere = true
    }
    if (isThere && !wasThere) runs.push(0)
    if (isThere) runs[runs.length - 1]++
    wasThere = isThere
  }
  return runs
})()`

consoleTest(
  'behavior: the latency chart draws isolated attempts as points, readable by pointer and keyboard',
  async () => {
    const { open } = console()
    const { id } = await newStream({ tag: 'quiet' })
    const from = Date.UTC(2026, 0, 31, 12)
    const point = (minute: number, latency: number) => ({
      at: new Date(from + minute * 60_000).toISOString(),
      totalWebhooksDelivered: 1,
      totalWebhooksFailed: 0,
      totalLogsProcessed: 1,
      totalTxsProcessed: 0,
      totalTxsInternalProcessed: 0,
      attempts: 1,
      averageLatencyMs: latency,
      slowestLatencyMs: latency,
    })
    // Chromium logs a hint to set willReadFrequently when a canvas is read.
    const page = await open('/console', { expected: /willReadFrequently/ })
    await page.route(`**/stats/${id}/history*`, (route) =>
      route.fulfill({
        json: {
          streamId: id,
          step: 'minute',
          from: new Date(from).toISOString(),
          to: new Date(from + 3_600_000).toISOString(),
          result: [point(10, 41.7), point(38, 380.2)],
        },
      }),
    )
    await page.goto(`/console/streams/${id}`)
    const chart = page.getByRole('figure').filter({ hasText: 'Latency in ms' })
    await chart.locator('canvas').waitFor()
    await expect.poll(() => page.evaluate<number[]>(runsOfColour)).toEqual([expect.any(Number), expect.any(Number)])
    for (const width of await page.evaluate<number[]>(runsOfColour)) expect(width).toBeLessThan(12)
    await chart.getByText('average 211 ms').waitFor()
    // With the pointer.
    const { width, height } = (await chart.locator('.u-over').boundingBox())!
    await chart.locator('.u-over').hover({ position: { x: (width * 38) / 59, y: height / 2 } })
    await chart.getByText('average 380 ms').waitFor()
    await chart.getByText(/^\w+,? \d\d:38 [A-Z]{3}/).waitFor()
    await page.getByRole('heading', { level: 1 }).hover()
    await chart.getByText('average 211 ms').waitFor()
    // With the keyboard, and for screen readers.
    const slider = chart.getByRole('slider', { name: 'Latency in ms, step by step' })
    await slider.focus()
    await page.keyboard.press('Home')
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/ \d\d:00 [A-Z]{3}\S*: average –, slowest –$/)
    for (let i = 0; i < 10; i++) await page.keyboard.press('ArrowRight')
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/ \d\d:10 [A-Z]{3}\S*: average 42 ms, slowest 42 ms$/)
    await chart.getByText('average 42 ms').waitFor()
    expect(await seriousFaults(page)).toEqual([])
  },
)

consoleTest('error: unknown figures show a dash, never 0', async () => {
  const { open } = console()
  const { id } = await newStream({ tag: 'unknown figures' })
  const page = await open('/console', { expected: /status of 503/ })
  await page.route('**/stats', (route) => route.fulfill({ status: 503, json: { message: 'the disk is full' } }))
  await page.goto('/console/streams')
  await page.getByText('the disk is full').waitFor()
  const row = page.getByRole('row', { name: /^unknown figures/ })
  await row.waitFor()
  // The chain's name may arrive after the row is shown.
  const figures = ['active', 'local', expect.anything(), '1', '–', '–']
  await expect.poll(() => row.getByRole('cell').allTextContents()).toEqual(figures)
  await page.unroute('**/stats')
  await page.getByRole('button', { name: 'Try again' }).click()
  await row.getByRole('cell', { name: '0', exact: true }).nth(1).waitFor()
  await api('DELETE', `/streams/evm/${id}`)
})

consoleTest('behavior: the attempts of a stream go on after the first page', system, async () => {
  const { open } = console()
  const { id } = await newStream({ confirmedOnly: true, tag: 'attempts' })
  for (const value of [21n, 22n, 23n]) await mint(value)
  const logs = () => api<{ total: number }>('GET', `/history/logs?streamId=${id}`)
  for (let wanted = 3; wanted <= 27; wanted += 3) {
    if (wanted > 3) await api('POST', `/history/replay/${id}`)
    await expect.poll(async () => (await logs()).total).toBe(wanted)
  }
  const page = await open(`/console/streams/${id}`)
  const attempts = page.getByRole('region', { name: 'Attempts' }).first()
  await attempts.getByText('27 attempts', { exact: true }).waitFor()
  await attempts.getByRole('button', { name: 'Show more' }).press('Enter')
  await attempts.getByRole('link').nth(26).waitFor()
  await expect.poll(() => isFocused(attempts.getByText('End of the list.'))).toBe(true)
})

consoleTest('behavior: the stream page adds and removes addresses, and rejects an invalid one', async () => {
  const { open } = console()
  const { id } = await newStream({ tag: 'addresses' })
  const page = await open(`/console/streams/${id}`, { expected: /status of 400/ })
  const card = page.getByRole('region', { name: 'Addresses' })
  await card.getByRole('button', { name: `Remove ${token()}` }).focus()
  await page.keyboard.press('Enter')
  await card.getByText('The stream watches no address').waitFor()
  expect(await isFocused(page.locator('body'))).toBe(false)
  await card.getByLabel('Add addresses').fill(hostile)
  await card.getByRole('button', { name: 'Add', exact: true }).click()
  await card.getByRole('alert').getByText('allowed: addresses, 0x and 40 hex digits').waitFor()
  await card.getByLabel('Add addresses').fill(token())
  await card.getByRole('button', { name: 'Add', exact: true }).focus()
  await page.keyboard.press('Enter')
  await card.getByText(token()).waitFor()
  expect(await isFocused(card.getByRole('button', { name: 'Add', exact: true }))).toBe(true)
})

consoleTest('behavior: after an address of a later page was removed, the list offers a reload', async () => {
  const { id } = await newStream({ tag: 'many addresses' })
  const address = Array.from({ length: 101 }, (_, i) => `0xff${i.toString(16).padStart(38, '0')}`)
  await api('POST', `/streams/evm/${id}/address`, { address })
  const page = await console().open(`/console/streams/${id}`)
  const card = page.getByRole('region', { name: 'Addresses' })
  await card.getByRole('button', { name: 'Show more' }).click()
  await card.getByRole('button', { name: `Remove ${address.at(-1)}` }).click()
  await card.getByText('The list has changed since it was loaded').waitFor()
  await card.getByRole('button', { name: 'Reload list' }).click()
  expect(await card.getByText(address.at(-1)!).count()).toBe(0)
})

consoleTest('behavior: large block numbers have the same text on the page and for voice control', async () => {
  const { id, receiver } = await newStream({ tag: 'high' })
  await mint(51n)
  await receiver.until(2)
  const page = await console().open('/console')
  await page.route(/\/history(\/logs)?\?/, async (route) => {
    const response = await route.fetch({ headers: { ...route.request().headers(), 'if-none-match': '' } })
    const text = (await response.text()).replaceAll(/"(block|blockNumber)":"?\d+"?/g, '"$1":"1234567"')
    await route.fulfill({ response, body: text })
  })
  await page.goto(`/console/streams/${id}`)
  await page
    .getByRole('link', { name: /^Webhook of block 1,234,567, / })
    .first()
    .waitFor()
  await page.getByRole('link', { name: 'Open the webhook of this attempt, block 1,234,567' }).first().waitFor()
  expect(await seriousFaults(page)).toEqual([])
})

consoleTest('behavior: the resume dialog closes when another tab resumes the stream, and stays closed', async () => {
  const { id } = await newStream({ tag: 'elsewhere' })
  const page = await console().open(`/console/streams/${id}`)
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Resume' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await api('POST', `/streams/evm/${id}/status`, { status: 'active' })
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Resume' }).waitFor()
  expect(await dialog.count()).toBe(0)
})

consoleTest('behavior: a slow response moves nobody who has gone to another page', async () => {
  const { id } = await newStream({ tag: 'slowly deleted' })
  const page = await console().open('/console/streams')
  await page.getByRole('link', { name: 'slowly deleted' }).click()
  const held = Promise.withResolvers<void>()
  await page.route(`**/streams/evm/${id}`, async (route) => {
    if (route.request().method() === 'DELETE') await held.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
  await page.goBack()
  await page.getByRole('link', { name: 'New stream' }).click()
  await page.getByLabel('Description').fill('typed meanwhile')
  held.resolve()
  await page.getByText('The stream is deleted').waitFor()
  expect(await page.getByLabel('Description').inputValue()).toBe('typed meanwhile')
})

consoleTest('error: a failed pause shows the server’s reason, and the button keeps the focus', async () => {
  const { id } = await newStream({ tag: 'stays' })
  const page = await console().open(`/console/streams/${id}`, { expected: /status of 503/ })
  await page.route('**/status', (route) => route.fulfill({ status: 503, json: { message: 'the disk is full' } }))
  const pause = page.getByRole('button', { name: 'Pause', exact: true })
  await pause.focus()
  await page.keyboard.press('Enter')
  await page.getByText('The stream could not be paused: the disk is full').waitFor()
  expect(await isFocused(pause)).toBe(true)
  await page.unroute('**/status')
  await page.keyboard.press('Enter')
  const resume = page.getByRole('button', { name: 'Resume' })
  await resume.waitFor()
  expect(await isFocused(resume)).toBe(true)
})
