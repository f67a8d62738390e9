// @module-tag system

import type { Locator, Page } from 'playwright-core'
import { toEventSelector } from 'viem'
import { expect } from 'vitest'
import { system } from '../system.ts'
import { consoleTest, seriousFaults, tooWide } from './consoleTest.ts'
import { badge, figure, hostile, tokenEvents, useStreams } from './streamTest.ts'

const { console, token, mint, newReceiver, api, newStream } = useStreams()

const abi = JSON.stringify([
  { type: 'function', name: 'transfer', inputs: [] },
  ...tokenEvents,
  { type: 'event', name: hostile, inputs: [] },
  { type: 'event', name: 'Strange', inputs: [{ name: hostile, type: 'uint256', indexed: false }] },
])

/** Moves the focus with Tab alone until it is on the wanted element. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor()
  for (let i = 0; i < 200; i++) {
    if ((await wanted.and(page.locator(':focus')).count()) > 0) return
    await page.keyboard.press('Tab')
  }
  throw new Error('not reached by Tab')
}

consoleTest(
  'default: the keyboard creates a stream from a pasted ABI, after a preview of its matches',
  system,
  async () => {
    const { anvil, open } = console()
    const receiver = await newReceiver()
    const page = await open('/console/streams')
    const type = async (label: string, text: string) => {
      await tabTo(page, page.getByLabel(label, { exact: true }))
      await page.keyboard.insertText(text)
    }
    await tabTo(page, page.getByRole('link', { name: 'New stream' }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'New stream', level: 1 }).waitFor()
    await type('Webhook URL', receiver.url)
    await type('Tag', 'keyboard')
    // The only chain that the server reads is already checked.
    const chain = page.getByRole('checkbox', { name: 'local', exact: true })
    await tabTo(page, chain)
    expect(await chain.isChecked()).toBe(true)
    await type('Addresses', token())
    await type('ABI', abi)
    await page.getByText('1 of the events is malformed and omitted.').waitFor()
    await tabTo(page, page.getByLabel(/^Transfer\(/))
    await page.keyboard.press('Space')
    await tabTo(page, page.getByRole('button', { name: 'Add condition' }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByLabel('Input', { exact: true }))
    await page.keyboard.type('value')
    await tabTo(page, page.getByLabel('Comparison', { exact: true }))
    await page.keyboard.type('is more than')
    await type('Value', '5')
    // The first tokens of the file may be older than the blocks that a preview reads.
    for (const value of [5n, 6n]) await mint(value)
    await tabTo(page, page.getByRole('button', { name: 'Preview matches' }))
    await page.keyboard.press('Enter')
    const preview = page.getByRole('region', { name: 'Preview of matches' })
    await preview.getByText(/webhooks? in/).waitFor()
    const { fromBlock, toBlock } = /blocks of local, (?<fromBlock>[\d,]+) to (?<toBlock>[\d,]+)\./.exec(
      (await preview.getByRole('status').textContent())!,
    )!.groups as Record<string, string>
    const quantity = (text: string) => `0x${Number(text.replaceAll(',', '')).toString(16)}`
    const logs = await anvil.rpc<{ data: string }[]>('eth_getLogs', [
      {
        address: token(),
        topics: [toEventSelector('Transfer(address,address,uint256)')],
        fromBlock: quantity(fromBlock!),
        toBlock: quantity(toBlock!),
      },
    ])
    const wanted = logs.filter(({ data }) => BigInt(data) > 5n).length
    expect(wanted).toBeGreaterThan(0)
    expect(logs.length).toBeGreaterThan(wanted)
    expect(await figure(preview, 'Logs')).toBe(String(wanted))
    expect(await seriousFaults(page)).toEqual([])
    await tabTo(page, page.getByRole('button', { name: 'Create stream' }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'keyboard', level: 1 }).waitFor()
    const id = new URL(page.url()).pathname.split('/').pop()!
    expect(await api('GET', `/streams/evm/${id}`)).toMatchObject({
      status: 'active',
      tag: 'keyboard',
      chainIds: ['0x7a69'],
      topic0: ['Transfer(address,address,uint256)'],
      abi: tokenEvents.filter(({ name }) => name === 'Transfer'),
      advancedOptions: [{ topic0: 'Transfer(address,address,uint256)', filter: { gt: ['value', '5'] } }],
      amountOfAddresses: 1,
    })
    for (const value of [4n, 9n]) await mint(value)
    await badge(page.getByRole('region', { name: 'Webhooks' }).first(), 'delivered')
      .first()
      .waitFor()
    await receiver.until((all) =>
      all.some(({ body }) => body.includes('"confirmed":true') && body.includes('"value":"9"')),
    )
    expect(receiver.received.some(({ body }) => body.includes('"value":"4"'))).toBe(false)
  },
)

consoleTest(
  'behavior: editing a stream keeps its filter, sends only the changes, and previews its own addresses',
  system,
  async () => {
    const { open } = console()
    const filter = {
      or: [{ eq: ['value', '11'] }, { and: [{ gte: ['value', '15'] }, { in: ['value', ['16', '17']] }] }],
    }
    const { id } = await newStream({
      abi: tokenEvents,
      advancedOptions: [{ topic0: 'Transfer(address,address,uint256)', filter }],
      headers: { authorization: 'Basic abc' },
    })
    const page = await open(`/console/streams/${id}/edit`)
    await page.getByLabel('Tag').fill('edited')
    for (const value of [11n, 12n, 16n]) await mint(value)
    await page.getByRole('button', { name: 'Preview matches' }).click()
    const preview = page.getByRole('region', { name: 'Preview of matches' })
    await preview.getByText(/webhooks? in/).waitFor()
    expect(await figure(preview, 'Logs')).toBe('2')
    await page.getByRole('button', { name: 'Remove the condition on value' }).first().click()
    await preview.getByText('The form has changed since this preview.').waitFor()
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith(id))
    await page.getByRole('button', { name: 'Save changes' }).click()
    expect((await sent).postDataJSON()).toEqual({
      tag: 'edited',
      advancedOptions: [{ topic0: 'Transfer(address,address,uint256)', filter: filter.or[1] }],
    })
    await page.getByRole('heading', { name: 'edited', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Streams', level: 1 }).waitFor()
  },
)

consoleTest('behavior: untrusted texts render as text, and malformed ABIs leave the form usable', system, async () => {
  const { open } = console()
  const { id } = await newStream({
    tag: hostile,
    description: hostile,
    abi: JSON.parse(abi),
    topic0: ['Transfer(address,address,uint256)'],
  })
  const page = await open('/console/streams')
  await page.getByRole('link', { name: hostile }).click()
  await page.getByRole('heading', { name: hostile, level: 1 }).waitFor()
  expect(await page.locator('main img').count()).toBe(0)
  await page.goto('/console/streams/new')
  const field = page.getByLabel('ABI', { exact: true })
  for (const [text, output] of [
    ['[{', 'This is not JSON'],
    ['{"abi": {"abi": {"abi": {}}}}', 'This JSON has no list of ABI items'],
    [`event A(${'('.repeat(1_500)}`, '1 of the events is malformed'],
    [
      JSON.stringify([{ type: 'event', name: '__proto__', inputs: [{ name: '__proto__', type: 'tuple[9]' }] }]),
      '1 of the events is malformed',
    ],
  ] as const) {
    await field.fill(text)
    await page.getByRole('alert').getByText(output).waitFor()
  }
  await field.fill(abi)
  await page.getByLabel('Strange(').check()
  await page.getByRole('button', { name: 'Add condition' }).click()
  await page.getByLabel('Input', { exact: true }).selectOption({ label: `${hostile} (uint256)` })
  await page.getByLabel('Value', { exact: true }).fill('7')
  await page.getByText('As curl').last().click()
  expect(await page.locator('main img').count()).toBe(0)
  expect(await tooWide(page)).toEqual([])
  await api('DELETE', `/streams/evm/${id}`)
})

consoleTest('behavior: the create button shows whether the stream matches every contract or none', async () => {
  const { open } = console()
  const page = await open('/console/streams/new')
  const card = page.getByRole('region', { name: 'Create stream' })
  await card.getByText('The stream has no address').waitFor()
  await page.getByLabel('Every contract and account of these chains').check()
  await card.getByText('The stream matches every log of every contract and account on its chains').waitFor()
  await page.getByLabel('Every contract and account of these chains').uncheck()
  await page.getByLabel('Addresses', { exact: true }).fill(token())
  await expect.poll(() => card.getByText('matches').count()).toBe(0)
})

consoleTest('error: a form without a chain focuses the chains until one is chosen', async () => {
  const { open } = console()
  const page = await open('/console/streams/new')
  await page.getByLabel('Webhook URL', { exact: true }).fill('https://shop.example/hooks')
  const chains = page.getByRole('group', { name: 'Chains' })
  const first = chains.getByRole('checkbox').first()
  const create = page.getByRole('button', { name: 'Create stream' })
  const fault = () => first.evaluate((field) => (field as unknown as { validationMessage: string }).validationMessage)
  await page.getByRole('checkbox', { name: 'local', exact: true }).uncheck()
  await create.click()
  await first.and(page.locator(':focus')).waitFor()
  expect(await fault()).toBe('Choose at least one chain.')
  await chains.getByRole('checkbox').last().check()
  await expect.poll(fault).toBe('')
  const addresses = page.getByLabel('Addresses', { exact: true })
  await addresses.fill('0x12')
  await create.click()
  await addresses.and(page.locator(':focus')).waitFor()
})

consoleTest('behavior: a form that is saved after the user has left it does not take the user away', async () => {
  const { open } = console()
  const { id, receiver } = await newStream({ tag: 'left' })
  const page = await open(`/console/streams/${id}/edit`)
  for (const [button, done] of [
    ['Save changes', 'Stream updated'],
    ['Create stream', 'Stream created'],
  ] as const) {
    const held = Promise.withResolvers<void>()
    await page.route('**/streams/evm**', async (route) => {
      if (route.request().method() !== 'GET') await held.promise
      await route.continue()
    })
    await page.getByLabel('Webhook URL', { exact: true }).fill(receiver.url)
    await page.getByLabel('Tag', { exact: true }).fill(button)
    const sent = page.waitForRequest((request) => request.method() !== 'GET' && request.url().includes('/streams/evm'))
    await page.getByRole('button', { name: button }).click()
    await sent
    await page.getByRole('link', { name: 'Streams', exact: true }).click()
    await page.getByRole('link', { name: 'New stream' }).click()
    await page.getByLabel('Description').fill('typed since')
    held.resolve()
    await page.getByText(done, { exact: true }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/streams/new')
    expect(await page.getByLabel('Description').inputValue()).toBe('typed since')
    await page.unroute('**/streams/evm**')
  }
})
