// @module-tag system

import { expect } from 'vitest'
import { system } from '../system.ts'
import { consoleTest, lookAt, seriousFaults, tooWide, useConsole } from './consoleTest.ts'

const console = useConsole()

consoleTest('behavior: ages stay correct when the browser clock is wrong or changes', system, async () => {
  const page = await console().open('/')
  await page.addInitScript(
    'window.aheadMs = 7_200_000; { const own = Date.now; Date.now = () => own() + window.aheadMs }',
  )
  await page.reload()
  const row = page.getByRole('region', { name: 'Processes' }).getByRole('row').nth(1)
  for (const aheadMs of [7_200_000, -7_200_000]) {
    await page.evaluate(`window.aheadMs = ${aheadMs}`)
    await page.waitForResponse(/admin\/overview/)
    // Start and last heartbeat are within the last minutes: not hours ago, and not all at this moment.
    await expect.poll(() => row.textContent()).toMatch(/all\d+ (s|min) ago(now|\d+ s ago)$/)
  }
})

consoleTest('behavior: the navigation offers a read key no admin views', system, async () => {
  const offered = async (key?: string) => {
    const page = await console().open('/', key === undefined ? {} : { key })
    const links = page.getByRole('navigation').getByRole('link')
    await links.first().waitFor()
    return links.allTextContents()
  }
  expect(await offered()).toContain('Keys')
  expect(await offered(console().readKey)).not.toContain('Keys')
})

consoleTest(
  'behavior: links and the browser back button switch views, each with its own URL, title and focus',
  async () => {
    const page = await console().open('/console/keys')
    const heading = (name: string) => page.getByRole('heading', { name, level: 1 })
    await heading('Keys').waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click()
    await heading('Overview').waitFor()
    expect(page.url()).toBe(`${console().server.url}/`)
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Overview')
    await page.goBack()
    await heading('Keys').waitFor()
    expect(await page.title()).toBe('Keys · Mintmark')
    await page.goto('/console/no/such/view')
    await heading('Not found').waitFor()
  },
)

consoleTest('behavior: forms preselect the configured chain when no chain is in use yet', system, async () => {
  const page = await console().open('/console/collections')
  const form = page.getByRole('region', { name: /^(Open a collection|Open a wallet)$/ })
  const chosen = (label: string) => form.getByLabel(label, { exact: true }).inputValue()
  await form.getByLabel('Chain', { exact: true }).waitFor()
  expect(await chosen('Chain')).toBe('local')
  await page.getByText('No collections yet').waitFor()
  // No chain discovers the contracts of new blocks.
  expect(await page.getByLabel('List', { exact: true }).count()).toBe(0)
  await page.goto('/console/wallets')
  expect(await chosen('Chain')).toBe('local')
  await page.goto('/console/streams/new')
  await page.getByRole('checkbox', { name: 'local' }).waitFor()
  expect(await page.getByRole('checkbox', { name: 'local' }).isChecked()).toBe(true)
  expect(await page.getByRole('checkbox', { name: 'eth', exact: true }).isChecked()).toBe(false)
})

consoleTest(
  'behavior: a view that cannot render a response shows an error, and other views still work',
  system,
  async () => {
    const page = await console().open('/')
    await page.getByRole('region', { name: 'Chains' }).first().waitFor()
    await page.route('**/admin/overview', (route) => route.fulfill({ json: { unlike: 'any other' } }))
    await page.reload()
    await page.getByRole('alert').getByText('This page cannot show the response of the server').waitFor()
    await page.getByRole('link', { name: 'Keys' }).click()
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
    await page.unroute('**/admin/overview')
    await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('region', { name: 'Chains' }).first().waitFor()
  },
)

consoleTest('behavior: the keyboard reaches the content and another view', async () => {
  const page = await console().open('/')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toContain('Skip')
  await page.keyboard.press('Enter')
  expect(await page.evaluate('document.activeElement.id')).toBe('main')
  await page.getByRole('link', { name: 'Keys' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
})

consoleTest('behavior: a narrow window shows a one-line header with the links in a menu', system, async () => {
  const page = await console().open('/', { width: 320 })
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  expect((await page.getByRole('banner').first().boundingBox())!.height).toBeLessThan(60)
  const pressUntil = async (text: string) => {
    for (let i = 0; i < 20; i++) {
      await page.keyboard.press('Tab')
      if ((await page.evaluate('document.activeElement.textContent')) === text) return
    }
    expect.unreachable(`the keyboard does not reach ${text}`)
  }
  const pressed = async (key: string) => {
    await page.keyboard.press(key)
    await expect.poll(() => page.getByRole('link', { name: 'Guide' }).isVisible()).toBe(key === 'Enter')
  }
  await pressUntil('Menu')
  await pressed('Enter')
  await page.getByText('admin key').waitFor()
  for (const name of ['Keys', 'Guide', 'API', 'Sign out']) await pressUntil(name)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await seriousFaults(page), colorScheme).toEqual([])
    expect(await tooWide(page), colorScheme).toEqual([])
  }
  await pressed('Escape')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Menu')
  await pressed('Enter')
  await page.getByRole('navigation').getByRole('link', { name: 'Keys' }).click()
  await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
  expect(await page.getByRole('link', { name: 'Guide' }).isVisible()).toBe(false)
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Keys')
})

consoleTest('behavior: every request of a view is shown as curl, without the key', async () => {
  const page = await console().open('/console/keys')
  await page.getByText('As curl').click()
  const line = `curl -H "X-API-Key: $MINTMARK_KEY" '${console().server.url}/admin/keys?status=active'`
  await page.getByText(line).waitFor()
  await page.getByRole('button', { name: 'Copy the request' }).click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(line)
})

consoleTest('behavior: the sign-in page renders in every width and colour scheme', system, async () => {
  await lookAt(console(), {
    path: '/console/',
    name: 'sign-in',
    key: null,
    ready: (page) => page.getByLabel('API key').waitFor(),
  })
})

consoleTest('behavior: the first load is below 100 kB, and all files but the page are immutable', async () => {
  const { url } = console().server
  const headers = { 'accept-encoding': 'br', accept: 'text/html' }
  const page = await fetch(url, { headers })
  const html = await page.text()
  expect(page.headers.get('cache-control')).toBe('no-cache')
  expect(page.headers.get('vary')).toBe('Accept, Accept-Encoding')
  const again = await fetch(url, { headers: { ...headers, 'if-none-match': page.headers.get('etag')! } })
  expect(again.status).toBe(304)
  expect(html).not.toMatch(/<style|style=|<script>|\son\w+=|https?:/)
  const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!)
  const files = new Set([...named, ...(await filesOfOverview())])
  // Other scripts import the scripts that the view needs.
  expect(files.size).toBeGreaterThan(named.length + 5)
  let bytes = Number(page.headers.get('content-length'))
  for (const path of files) {
    const file = await fetch(url + path, { headers })
    expect(file.headers.get('cache-control'), path).toBe('public, max-age=31536000, immutable')
    expect(file.headers.get('x-content-type-options'), path).toBe('nosniff')
    bytes += Number(file.headers.get('content-length'))
  }
  expect(bytes).toBeLessThan(100_000)
})

/** Paths of all files that a browser requests before it shows the overview. */
async function filesOfOverview(): Promise<string[]> {
  const page = await console().open('/')
  await page.getByRole('region', { name: 'Chains' }).first().waitFor()
  const addresses = await page.evaluate<string[]>('performance.getEntriesByType("resource").map(({ name }) => name)')
  return addresses.map((address) => new URL(address).pathname).filter((path) => path.startsWith('/console/'))
}

consoleTest('behavior: the Content-Security-Policy allows only files of this server', async () => {
  const { url } = console().server
  for (const path of ['/', '/console/any/view', '/console']) {
    const { headers } = await fetch(url + path, { headers: { accept: 'text/html' } })
    expect(headers.get('content-security-policy'), path).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    )
    expect(headers.get('referrer-policy'), path).toBe('no-referrer')
  }
})

consoleTest(
  'behavior: the root returns JSON to programs, and missing files return 404 instead of the page',
  async () => {
    const { url } = console().server
    expect(await (await fetch(url)).json()).toMatchObject({ name: 'mintmark' })
    for (const path of ['/console/assets/none.js', '/console/assets/..%2findex.html'])
      expect((await fetch(url + path)).status, path).toBe(404)
  },
)
