// @module-tag system

import { expect } from 'vitest'
import { system } from '../system.ts'
import { consoleTest, isFocused, lookAt, seriousFaults } from './consoleTest.ts'
import { badge, hostile, tokenEvents, useStreams, valuesOf } from './streamTest.ts'

const { console, mint, answer, api, newStream } = useStreams()

consoleTest(
  'behavior: failed attempts of a receiver are listed with their responses, and a webhook is replayed',
  system,
  async () => {
    const { open } = console()
    const { id, receiver } = await newStream({ confirmedOnly: true, tag: 'failing' })
    answer(500)
    await mint(11n)
    const page = await open('/console')
    // The page requests as many attempts as it shows.
    const limits = new Set<string | null>()
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.pathname === '/history/logs' && !url.searchParams.has('webhookId'))
        limits.add(url.searchParams.get('limit'))
    })
    await page.goto(`/console/streams/${id}`)
    const attempts = page.getByRole('region', { name: 'Attempts' }).first()
    await attempts
      .getByRole('row', { name: /failed.*500/ })
      .nth(2)
      .waitFor()
    const charts = page.getByRole('region', { name: 'Activity' })
    await charts
      .getByRole('img', { name: /^Webhooks: delivered 0, failed attempts [1-9]\d* in the last hour$/ })
      .waitFor()
    await charts
      .getByRole('img', {
        name: /^Latency in ms: average [\d.]+ m?s, slowest [\d.]+ m?s of [2-9] attempts in the last hour$/,
      })
      .waitFor()
    expect(limits).toEqual(new Set(['25']))
    await page.getByLabel('Status of the webhooks').selectOption('pending')
    expect(page.url()).toContain('status=pending')
    await page.getByRole('link', { name: /^Webhook of block \d+, confirmed$/ }).click()
    await page.getByRole('heading', { name: 'Webhook', level: 1 }).waitFor()
    await page.getByText(/, confirmed, 1 record, created/).waitFor()
    await page.getByText('HTTP 500').nth(2).waitFor()
    await page.getByText('no thanks').first().waitFor()
    await page.getByText('after 2 failed attempts').waitFor()
    await page.getByRole('region', { name: 'Body of the webhook' }).getByText('"value": "11"').waitFor()
    answer(200)
    const before = receiver.received.length
    await page.getByRole('button', { name: /^Replay the webhook/ }).click()
    await page.getByText(/queued for replay$/).waitFor()
    await receiver.until(before + 1)
    expect(receiver.received.at(-1)!.headers['webhook-id']).toBe(receiver.received.at(-2)!.headers['webhook-id'])
    await page.getByText('HTTP 200').waitFor()
  },
)

consoleTest('behavior: a range of webhooks is replayed in order, and the page shows its progress', system, async () => {
  const { open } = console()
  const { id, receiver } = await newStream({ confirmedOnly: true, tag: 'range' })
  for (const value of [21n, 22n, 23n]) await mint(value)
  await receiver.until(4)
  const page = await open(`/console/streams/${id}`, { expected: /status of 400/ })
  await page.getByRole('button', { name: 'Replay a range' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('First block').fill('x')
  await dialog.getByRole('button', { name: 'Replay webhooks' }).click()
  await dialog
    .getByRole('alert')
    .getByText(/fromBlock/)
    .waitFor()
  await dialog.getByLabel('First block').fill('1')
  await dialog.getByLabel('Status').selectOption('delivered')
  expect(await seriousFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Replay webhooks' }).click()
  await dialog.waitFor({ state: 'detached' })
  const progress = page.getByRole('region', { name: 'Replay of a range' })
  await progress.getByText('3 webhooks queued, done.').waitFor()
  await receiver.until(7)
  const values = valuesOf(receiver)
  expect(values).toEqual(['21', '22', '23', '21', '22', '23'])
  await page.reload()
  await progress.getByText('3 webhooks queued, done.').waitFor()
  await progress.getByRole('button', { name: 'Dismiss' }).click()
  await progress.waitFor({ state: 'detached' })
  expect(page.url()).not.toContain('replay=')
})

consoleTest('behavior: a range replay of a stream on several chains applies to one chosen chain', system, async () => {
  const { open } = console()
  const { id } = await newStream({ tag: 'chains' })
  const page = await open(`/console/streams/${id}`, { expected: /status of 503/ })
  await page.route(`**/streams/evm/${id}`, async (route) => {
    const response = await route.fetch({ headers: { ...route.request().headers(), 'if-none-match': '' } })
    await route.fulfill({ response, json: { ...(await response.json()), chainIds: ['0x7a69', '0x1'] } })
  })
  await page.reload()
  await page.getByText('local, eth', { exact: true }).waitFor()
  await page.route('**/history/replay/*/*', (route) =>
    route.fulfill({ status: 503, json: { message: 'the disk is full' } }),
  )
  await page.getByRole('button', { name: 'Replay a range' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Chain').selectOption('local')
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().includes('/replay/'))
  await dialog.getByRole('button', { name: 'Replay webhooks' }).click()
  expect(new URL((await sent).url()).searchParams.get('chain')).toBe('0x7a69')
  const progress = page.getByRole('region', { name: 'Replay of a range' })
  await progress.getByRole('alert').getByText('the disk is full').waitFor()
  await page.unroute('**/history/replay/*/*')
  await progress.getByRole('button', { name: 'Try again' }).click()
  await progress.getByText('0 webhooks queued, done.').waitFor()
})

consoleTest('behavior: a stream resumes at the next block, a chosen block or its pause', system, async () => {
  const { anvil, open } = console()
  const { id, receiver } = await newStream({ confirmedOnly: true, tag: 'pausing' })
  const page = await open(`/console/streams/${id}`)
  const pause = async () => {
    await page.getByRole('button', { name: 'Pause' }).click()
    await badge(page.getByRole('region', { name: 'Definition' }), 'paused').waitFor()
  }
  const resume = async (choice: string, block?: string) => {
    await page.getByRole('button', { name: 'Resume' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(choice).check()
    if (block !== undefined) await dialog.getByLabel('First block on local').fill(block)
    await dialog.getByRole('button', { name: 'Resume' }).click()
    await badge(page.getByRole('region', { name: 'Definition' }), 'active').waitFor()
  }
  const headOf = async () => {
    const { result } = await api<{ result: { name: string; head: string }[] }>('GET', '/api/v2/chains')
    return BigInt(result.find(({ name }) => name === 'local')!.head)
  }
  await pause()
  const missed = await mint(31n)
  // The next block is the one after the head known to the server.
  await expect.poll(headOf).toBeGreaterThanOrEqual(missed.blockNumber)
  await resume('The next block')
  await mint(32n)
  await receiver.until((all) => all.some(({ body }) => body.includes('"value":"32"')))
  await pause()
  await mint(33n)
  await anvil.mine()
  const { blockNumber } = await mint(34n)
  await resume('A block of your choice', String(blockNumber))
  await receiver.until((all) => all.some(({ body }) => body.includes('"value":"34"')))
  await pause()
  await mint(35n)
  await resume('The block of the pause')
  await receiver.until((all) => all.some(({ body }) => body.includes('"value":"35"')))
  const reported = valuesOf(receiver)
  expect(reported).toEqual(['32', '34', '35'])
})

consoleTest('error: resuming at a chosen block requires the block number', async () => {
  const { open } = console()
  const { id } = await newStream({ tag: 'choosing' })
  const page = await open(`/console/streams/${id}`)
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Resume' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('A block of your choice').check()
  await dialog.getByRole('button', { name: 'Resume' }).click()
  await dialog.getByRole('alert').getByText('Enter the first block').waitFor()
  expect(await dialog.getByLabel('First block on local').getAttribute('aria-invalid')).toBe('true')
  expect(await api('GET', `/streams/evm/${id}`)).toMatchObject({ status: 'paused' })
  await dialog.getByLabel('First block on local').fill('1')
  expect(await dialog.getByRole('alert').count()).toBe(0)
})

consoleTest('behavior: the test webhook button sends a webhook and shows the response status', async () => {
  const { open } = console()
  const { id } = await newStream({ tag: 'tested' })
  const page = await open(`/console/streams/${id}`)
  const test = async (output: string) => {
    await page.getByRole('button', { name: 'Send test webhook' }).click()
    await page.getByRole('dialog').getByText(output).first().waitFor()
    await page.keyboard.press('Escape')
  }
  await test('HTTP 200')
  answer(503)
  await test('HTTP 503')
  answer(200)
})

consoleTest(
  'behavior: receiver code in each language contains the stream id, and the run command has the rotated secret',
  system,
  async () => {
    const { open } = console()
    const { id } = await newStream({ tag: 'verified' })
    const page = await open(`/console/streams/${id}`)
    const card = page.getByRole('region', { name: 'Verify signatures' })
    const line = card.locator('code.line')
    expect(await line.textContent()).not.toMatch(/whsec_[A-Za-z0-9+/]/)
    await card.getByRole('button', { name: 'Show secret' }).click()
    const { webhookSecret } = await api<{ webhookSecret: string }>('GET', `/streams/evm/${id}`)
    expect(await line.textContent()).toBe(`WEBHOOK_SECRET=${webhookSecret} node receiver.mjs`)
    for (const [language, file] of [
      ['Node', 'receiver.mjs'],
      ['Python', 'receiver.py'],
      ['Go', 'receiver.go'],
    ] as const) {
      await card.getByLabel(language).check()
      const code = (await card.getByRole('region', { name: file }).textContent())!
      expect(code).toContain(id)
    }
    await card.getByRole('button', { name: 'Rotate secret' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Rotate secret' }).click()
    const made = (await dialog.locator('code', { hasText: /^whsec_/ }).textContent())!
    expect(made).not.toBe(webhookSecret)
    expect(await isFocused(dialog.getByRole('button', { name: 'Close' }))).toBe(true)
    expect((await api<{ webhookSecret: string }>('GET', `/streams/evm/${id}`)).webhookSecret).toBe(made)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => line.textContent()).toContain(made)
  },
)

consoleTest('behavior: a read key sees the figures of a stream, and no actions', async () => {
  const { open, readKey } = console()
  const { id } = await newStream({ tag: 'private' })
  const page = await open('/console/streams', { key: readKey })
  await page.getByRole('link', { name: id.slice(0, 8) }).click()
  await page.getByRole('region', { name: 'Activity' }).locator('canvas').first().waitFor()
  expect(await page.getByRole('main').getByRole('button').allTextContents()).toEqual([])
  expect(await page.getByText('private').count()).toBe(0)
  await page.goto(`/console/streams/${id}/edit`)
  await page.getByText('This page needs an admin key').waitFor()
})

consoleTest('behavior: a webhook that reverts blocks of a reorganisation is shown as a retraction', async () => {
  const { anvil, open } = console()
  const { id, receiver } = await newStream({ tag: 'reorganised' })
  const { blockNumber } = await mint(61n)
  // However long the rest takes, the node must not finalize this block meanwhile.
  await anvil.rpc('evm_setIntervalMining', [0])
  await receiver.until((all) => all.some(({ body }) => body.includes('"value":"61"')))
  await anvil.reorg(Number((await anvil.blockNumber()) - blockNumber) + 1)
  await anvil.rpc('evm_setIntervalMining', [1])
  await receiver.until((all) => all.some(({ body }) => body.includes('"reverted":true')))
  const page = await open(`/console/streams/${id}`)
  const webhooks = page.getByRole('region', { name: 'Webhooks' }).first()
  const link = webhooks.getByRole('link', { name: `Webhook of block ${blockNumber}, retraction` })
  await link.click()
  await page.getByText(/, retraction, 0 records, created/).waitFor()
})

consoleTest('behavior: the stream views render in every width and colour scheme', system, async () => {
  const { id, receiver } = await newStream({
    tag: hostile,
    abi: tokenEvents,
    advancedOptions: [{ topic0: 'Transfer(address,address,uint256)', filter: { gt: ['value', '1'] } }],
  })
  await mint(41n)
  await receiver.until(3)
  const { result } = await api<{ result: { id: string }[] }>('GET', `/history?streamId=${id}`)
  const views: [name: string, path: string, ready: string][] = [
    ['streams', '/console/streams', 'Streams'],
    ['stream', `/console/streams/${id}`, 'Verify signatures'],
    ['stream-edit', `/console/streams/${id}/edit`, 'Preview of matches'],
    ['stream-new', '/console/streams/new', 'Preview of matches'],
    ['webhook', `/console/streams/${id}/webhooks/${result[0]!.id}`, 'Request'],
  ]
  for (const [name, path, ready] of views)
    await lookAt(console(), {
      path,
      name,
      ready: (page) => page.getByRole('region', { name: ready }).first().waitFor(),
    })
})
