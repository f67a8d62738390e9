import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { system } from '../system.ts'
import { consoleTest, seriousFaults, useConsole } from './consoleTest.ts'
import { runFast } from './pageMeasures.ts'

const console = useConsole()

consoleTest('error: an action without a response fails after a minute, and can be retried', system, async () => {
  const page = await console().open('/console/keys')
  await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
  await page.addInitScript(runFast)
  await page.reload()
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByLabel('Name of the key').fill('late')
  // A dead connection returns no response.
  await page.route('**/admin/keys', (route) => (route.request().method() === 'POST' ? undefined : route.continue()))
  const create = page.getByRole('button', { name: 'Create', exact: true })
  await create.click()
  await expect.poll(() => create.isDisabled()).toBe(true)
  await page.getByRole('alert').getByText('the server did not respond within 60 seconds').waitFor()
  expect(await create.isDisabled()).toBe(false)
})

consoleTest(
  'behavior: a message shown while a dialog is open is on top of it, also for screen readers',
  system,
  async () => {
    const page = await console().open('/console/keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel('Name of the key').fill('shop')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('button', { name: 'Copy the key' }).click()
    const toast = page.getByText('Copied')
    await toast.waitFor()
    expect(await toast.count()).toBe(1)
    expect(await isOnTop(page, '.toasts p')).toBe(true)
    expect(await spokenTexts(page)).toContain('Copied')
    expect(await seriousFaults(page)).toEqual([])
    // The message stays after the dialog closes, and the next dialog does not show it again.
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await toast.count()).toBe(1)
    await page.getByRole('button', { name: 'Dismiss' }).click()
    expect(await toast.count()).toBe(0)
  },
)

/** Whether the element is on top at its centre. */
function isOnTop(page: Page, selector: string): Promise<boolean> {
  return page.evaluate<boolean>(`{
    const element = document.querySelector(${JSON.stringify(selector)})
    const { x, y, width, height } = element.getBoundingClientRect()
    element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  }`)
}

/** All texts of a page that a screen reader finds. */
async function spokenTexts(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  return nodes.filter(({ ignored, role }) => !ignored && role?.value === 'StaticText').map(({ name }) => name?.value)
}

consoleTest(
  'behavior: while the server is unreachable, the age of the data updates without screen reader announcements',
  system,
  async () => {
    const page = await console().open('/', { expected: /status of 503/ })
    await page.getByRole('region', { name: 'Chains' }).first().waitFor()
    await page.route('**/admin/overview', (route) =>
      route.fulfill({ status: 503, json: { message: 'the database is unreachable' } }),
    )
    await page.getByRole('alert').getByText('the database is unreachable').waitFor()
    const age = page.locator('.failed time')
    await page.evaluate(`{
    window.told = 0
    const observer = new MutationObserver((changes) => window.told += changes.length)
    for (const alert of document.querySelectorAll('[role=alert]'))
      observer.observe(alert, { subtree: true, childList: true, characterData: true })
  }`)
    const before = await age.textContent()
    await expect.poll(() => age.textContent()).not.toBe(before)
    expect(await page.evaluate('window.told')).toBe(0)
  },
)

consoleTest('error: only errors that may succeed later offer a retry', async () => {
  const page = await console().open('/console', { expected: /status of (4|503)/ })
  const alert = page.getByRole('alert')
  const again = page.getByRole('button', { name: 'Try again' })
  await page.goto('/console/streams/11111111-1111-4111-8111-111111111111')
  await alert.getByText('there is no stream').waitFor()
  expect(await again.count()).toBe(0)
  await page.goto('/console/collections/nowhere/0x12')
  await alert.getByText('chain is "nowhere"').waitFor()
  expect(await again.count()).toBe(0)
  for (const status of [408, 409, 429, 503]) {
    await page.route('**/admin/keys*', (route) => route.fulfill({ status, json: { message: `error ${status}` } }))
    await page.goto('/console/keys')
    await alert.getByText(`error ${status}`).waitFor()
    expect(await again.count()).toBe(1)
    await page.unroute('**/admin/keys*')
  }
  await again.click()
  await alert.waitFor({ state: 'detached' })
})
