// @module-tag system

import { expect } from 'vitest'
import { createKey } from '../../src/db/keys.ts'
import { system } from '../system.ts'
import { consoleTest, isFocused, lookAt, seriousFaults, useConsole } from './consoleTest.ts'

const longest = 'x'.repeat(100)
/** How far the content of the dialog is wider than the dialog, in pixels. */
const beyond = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('dialog'))`
const hostile = '"><script>alert(1)</script>'

const console = useConsole({
  async seed({ database: { db } }) {
    await createKey(db, { name: longest, access: 'read' })
    await createKey(db, { name: hostile, access: 'admin' })
    await createKey(db, { name: 'to be revoked', access: 'read', requestsPerSecond: 2.5, burst: 7 })
  },
})

consoleTest('default: the keyboard creates a key that is shown once and works', async () => {
  const page = await console().open('/console/keys')
  await page.getByRole('button', { name: 'Create key' }).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Name of the key').focus()
  await page.keyboard.type('shop')
  expect(await seriousFaults(page)).toEqual([])
  await page.keyboard.press('Enter')
  const text = page.getByRole('dialog').locator('code').filter({ hasText: /^mm_/ })
  const key = (await text.textContent())!
  expect(await isFocused(page.getByText('Copy the key shop now'))).toBe(true)
  const answer = await fetch(`${console().server.url}/key`, { headers: { 'x-api-key': key } })
  expect(await answer.json()).toEqual({ access: 'read' })
  await page.keyboard.press('Escape')
  await text.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /^shop/ }).waitFor()
  expect(await page.content()).not.toContain(key)
})

consoleTest(
  'behavior: Escape does not close the create dialog during its request, as the key is shown once',
  async () => {
    const page = await console().open('/console/keys')
    const held = Promise.withResolvers<void>()
    await page.route('**/admin/keys', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel('Name of the key').fill('slow')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await expect.poll(() => dialog.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true)
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Escape')
    held.resolve()
    await dialog.locator('code').filter({ hasText: /^mm_/ }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  },
)

consoleTest('behavior: a dialog with a long name fits into a narrow window', system, async () => {
  const page = await console().open('/console/keys', { width: 320 })
  await page.getByRole('button', { name: `Revoke ${longest}` }).click()
  await page.getByRole('dialog').waitFor()
  expect(await page.evaluate<number>(beyond)).toBe(0)
})

consoleTest('behavior: a revoked key leaves the list, and is listed when revoked keys are shown', async () => {
  const page = await console().open('/console/keys')
  const row = page.getByRole('row', { name: /^to be revoked/ })
  await row.getByText('2.5/s, burst 7').waitFor()
  await row.getByRole('button', { name: 'Revoke' }).click()
  await page
    .getByRole('dialog')
    .getByText(/^curl -X DELETE/)
    .waitFor({ state: 'attached' })
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText(/^\u2068to be revoked\u2069 is revoked$/).waitFor()
  await row.waitFor({ state: 'detached' })
  await page.getByLabel('Show revoked keys').check()
  await row.getByText('revoked').last().waitFor()
  expect(page.url()).toContain('status=all')
})

consoleTest('error: the create form shows the server’s reason for rejecting a key', async () => {
  const page = await console().open('/console/keys', { expected: /status of 400/ })
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByLabel('Name of the key').fill('\u200b')
  const create = page.getByRole('button', { name: 'Create', exact: true })
  await create.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('has no visible character').waitFor()
  expect(await isFocused(create)).toBe(true)
})

consoleTest('behavior: the keys view renders in every width and colour scheme', system, () =>
  lookAt(console(), {
    path: '/console/keys',
    name: 'keys',
    ready: (page) => page.getByRole('row', { name: hostile }).waitFor(),
  }),
)
