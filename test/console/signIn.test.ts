// @module-tag system

import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { testApiKey } from '../mintmark.ts'
import { patienceMs } from '../patience.ts'
import { system } from '../system.ts'
import { launchBrowserOn, withoutBrowser } from './browser.ts'
import { seriousFaults, signIn, useConsole } from './consoleTest.ts'

const console = useConsole()
const consoleTest = test.skipIf(withoutBrowser)

consoleTest('default: no file of the browser profile contains the API key of a signed-in user', system, async () => {
  const profile = await newProfile()
  await use(profile, async (page) => {
    await page.goto(`${console().server.url}/console/keys`)
    await signIn(page, testApiKey)
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('region', { name: 'Chains' }).first().waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  })
  // The scan finds data that the browser does store.
  expect(filesWith(profile, `${console().server.url}/console/keys`)).not.toEqual([])
  expect(filesWith(profile, testApiKey)).toEqual([])
})

consoleTest(
  'behavior: a used sign-in link is rejected the second time, and the profile never contains the key',
  system,
  async () => {
    const profile = await newProfile()
    const link = console().server.signInLink()!
    await use(profile, async (page) => {
      await page.goto(link)
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
      expect(page.url()).toBe(`${console().server.url}/`)
    })
    expect(filesWith(profile, testApiKey)).toEqual([])
    await use(profile, async (page) => {
      await page.goto(link)
      await page.getByRole('alert').getByText('already used, is older than a minute').waitFor()
      await page.getByLabel('API key').waitFor()
    })
  },
)

consoleTest('default: the code of a sign-in link signs in, and is removed from the URL immediately', async () => {
  const page = await console().open(console().server.signInLink()!, { key: null })
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  expect(page.url()).toBe(`${console().server.url}/`)
  expect(await page.title()).toBe('Overview · Mintmark')
  await page.reload()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
})

consoleTest('error: a key in a link is ignored and removed from the URL, and the page explains why', async () => {
  const page = await console().open(`/console/keys#key=${testApiKey}`, { key: null })
  await page.getByRole('status').getByText('The key in the link was ignored').waitFor()
  await page.getByLabel('API key').waitFor()
  expect(page.url()).toBe(`${console().server.url}/console/keys`)
  expect(await page.evaluate<number>('sessionStorage.length')).toBe(0)
  // Nor is it used in a tab that is signed in.
  await signIn(page, console().readKey)
  await page.getByText('This page needs an admin key').waitFor()
  await page.evaluate(`location.hash = '#key=${testApiKey}'`)
  await expect.poll(() => page.url()).toBe(`${console().server.url}/console/keys`)
  await page.getByText('This page needs an admin key').waitFor()
})

consoleTest(
  'behavior: the sign-in page accepts a key, explains a rejection, and is shown after signing out',
  async () => {
    const page = await console().open('/console/keys', { key: null, expected: /status of 401/ })
    const input = page.getByLabel('API key')
    await input.fill('no key of this server')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('the API key is unknown').waitFor()
    await input.fill(console().readKey)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('This page needs an admin key').waitFor()
    const stored = await page.evaluate<string>('JSON.stringify(sessionStorage)')
    expect(JSON.parse(stored)).toEqual({ 'mintmark.session': expect.stringMatching(/^mms_[\w-]{43}$/) })
    expect(await page.evaluate<number>('localStorage.length')).toBe(0)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await input.waitFor()
    expect(await page.evaluate<number>('sessionStorage.length')).toBe(0)
  },
)

consoleTest(
  'behavior: a sign-in link opened in a signed-in tab prompts before it ends the session',
  system,
  async () => {
    const page = await console().open('/console/keys', { key: console().readKey, expected: /status of 401/ })
    const isReader = page.getByText('This page needs an admin key')
    await isReader.waitFor()
    const stored = () => page.evaluate<string>('sessionStorage.getItem("mintmark.session")')
    const before = await stored()
    const used = console().server.signInLink()!.split('#')[1]!
    const follow = async (code: string) => {
      await page.evaluate(`location.hash = '#${code}'`)
      await page.getByRole('dialog', { name: 'Sign in again?' }).waitFor()
      expect(page.url()).toBe(`${console().server.url}/console/keys`)
    }
    await follow(used)
    expect(await seriousFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Stay signed in' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await stored()).toBe(before)
    // No request was sent, so the code still works.
    await follow(used)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Create key' }).waitFor()
    const after = await stored()
    expect(after).not.toBe(before)
    await expect.poll(() => statusOf(before)).toBe(401)
    // A code works only once.
    await follow(used)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('dialog').getByRole('alert').getByText('already used').waitFor()
    expect(await stored()).toBe(after)
    await page.getByRole('button', { name: 'Stay signed in' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
    await expect.poll(() => statusOf(after)).toBe(401)
  },
)

consoleTest('behavior: a sign-in link is not used if the session ends before the answer', system, async () => {
  const page = await console().open('/console/keys', { expected: /status of 401/ })
  const sent: string[] = []
  page.on('request', (request) => void sent.push(`${request.method()} ${new URL(request.url()).pathname}`))
  const token = await page.evaluate<string>('sessionStorage.getItem("mintmark.session")')
  await page.evaluate(`location.hash = '#${console().server.signInLink()!.split('#')[1]!}'`)
  await page.getByRole('dialog', { name: 'Sign in again?' }).waitFor()
  await fetch(`${console().server.url}/session`, { method: 'DELETE', headers: { 'x-api-key': token } })
  await page.getByLabel('API key', { exact: true }).waitFor()
  await page.reload()
  await page.getByLabel('API key', { exact: true }).waitFor()
  expect(sent).not.toContain('POST /session/code')
})

/** The status that the server returns for the token of a session. */
async function statusOf(token: string): Promise<number> {
  return (await fetch(`${console().server.url}/key`, { headers: { 'x-api-key': token } })).status
}

consoleTest('behavior: each tab has its own session', async () => {
  const first = await console().open('/console/keys')
  await first.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
  const second = await first.context().newPage()
  await second.goto(`${console().server.url}/console/keys`)
  await second.getByLabel('API key').fill(console().readKey)
  await second.keyboard.press('Enter')
  await second.getByText('This page needs an admin key').waitFor()
  await second.getByRole('button', { name: 'Sign out' }).click()
  await second.getByLabel('API key').waitFor()
  await first.reload()
  await first.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
})

consoleTest('behavior: with blocked cookies, the session lasts until the page is reloaded', async () => {
  const page = await console().open('/', { key: null })
  await page.addInitScript(`Object.defineProperty(window, 'sessionStorage', {
    get() { throw new DOMException('Access is denied for this document.', 'SecurityError') } })`)
  await page.reload()
  await page.getByLabel('API key').fill(testApiKey)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Keys' }).click()
  await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
  await page.reload()
  await page.getByLabel('API key').waitFor()
})

consoleTest('behavior: a page reload while the server is starting does not sign out', system, async () => {
  const page = await console().open('/console/keys', { expected: /status of 503/ })
  const heading = page.getByRole('heading', { name: 'Keys', level: 1 })
  await heading.waitFor()
  await page.route('**/key', (route) =>
    route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: { message: 'the database is unreachable' } }),
  )
  await page.reload()
  await page.getByRole('alert').getByText('the database is unreachable').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await page.unroute('**/key')
  await heading.waitFor()
})

consoleTest('error: sign-in rejects a key with invalid characters with a message', async () => {
  const page = await console().open('/', { key: null })
  await page.getByLabel('API key').fill('\u043a\u043b\u044e\u0447')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('the API key contains invalid characters').waitFor()
})

/** Chromium with a profile on disk, like a user's: history, favicons, top sites, sessions, storage and caches are files. */
async function newProfile(): Promise<string> {
  const profile = await mkdtemp(join(tmpdir(), 'browser-profile-'))
  onTestFinished(() => rmSync(profile, { recursive: true, force: true, maxRetries: 3 }))
  return profile
}

/** Opens the profile, and closes the browser after `work`. Closing writes the data that is still in memory. */
async function use(profile: string, work: (page: Page) => Promise<void>): Promise<void> {
  const context: BrowserContext = await launchBrowserOn(profile)
  try {
    context.setDefaultTimeout(patienceMs)
    await work(await context.newPage())
  } finally {
    await context.close()
  }
}

/** The files of a profile that contain a text, in either of the encodings that Chromium uses for texts. */
function filesWith(profile: string, text: string): string[] {
  const files = readdirSync(profile, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const needles = [Buffer.from(text, 'utf8'), Buffer.from(text, 'utf16le')]
  return files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => {
      const bytes = readFileSync(path)
      return needles.some((needle) => bytes.includes(needle))
    })
    .map((path) => path.slice(profile.length + 1))
}
