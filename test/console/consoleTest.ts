import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { ConfigInput } from '../../src/config/config.ts'
import { createKey } from '../../src/db/keys.ts'
import { consoleSources } from '../../src/service/console/consoleFolders.ts'
import { openConsole } from '../../src/service/console/openConsole.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { startTestServer, type TestServer, testApiKey } from '../mintmark.ts'
import { patienceMs } from '../patience.ts'
import { launchBrowser, withoutBrowser } from './browser.ts'

export type Look = { width?: 320 | 1440; colorScheme?: 'light' | 'dark' }

/** The looks in which every view is checked: each width once, and each colour scheme once. */
const looks: readonly Required<Look>[] = [
  { width: 320, colorScheme: 'dark' },
  { width: 1440, colorScheme: 'light' },
]

export type OpenOptions = Look & {
  /** The default is the admin key. With null, nobody signs in. */
  key?: string | null
  /** Messages that the browser's console may show: it reports requests that the test makes fail. */
  expected?: RegExp
  /** The default is the server of the file. */
  server?: TestServer
  javaScriptEnabled?: false
}

/** The console of a service that the test file starts, in a browser. */
export type ConsoleUnderTest = {
  server: TestServer
  /** The chain `local`, with a block per second. */
  anvil: Anvil
  /** A key with read access only. */
  readKey: string
  /** Opens an address in a new browser context, without the storage or history of other tests. Any error in the browser fails the test. */
  open(path: string, options?: OpenOptions): Promise<Page>
  /** Registers a step that runs after all tests of the file, before the service closes. */
  undo(step: () => Promise<unknown>): void
}

/** A test in a browser. */
export const consoleTest = test.skipIf(withoutBrowser)

/** Readable screenshots of the tests. CI takes none, because nobody looks at them. */
const pictures = join(import.meta.dirname, '../../node_modules/.cache/console-pictures')
// biome-ignore lint/style/noProcessEnv: as above
const takesPictures = !process.env.CI
const reportViolations = `document.addEventListener('securitypolicyviolation', (event) =>
  reportViolation(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample))`
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Starts a service with the console and a local chain `local` for the tests of a file, and one browser. `seed` fills its database first.
 * Nothing starts if all tests of the file are skipped.
 */
export function useConsole(
  options: {
    config?: Partial<ConfigInput>
    seed?: (server: TestServer, anvil: Anvil) => Promise<void>
    /** Stops what `seed` started. */
    end?: () => Promise<void>
  } = {},
): () => ConsoleUnderTest {
  let browser: Browser
  let running: ConsoleUnderTest
  const undo: (() => Promise<unknown>)[] = []
  const opened: { context: BrowserContext; problems: string[] }[] = []

  beforeAll(async () => {
    buildOnce()
    const launched = launchBrowser()
    undo.push(async () => (await launched).close())
    const anvil = await startAnvil({ blockTime: 1 })
    undo.push(() => anvil.stop())
    const { chains, ...config } = options.config ?? {}
    const server = await startTestServer({
      rpc: [anvil.url],
      openConsole,
      // Four polls per block: pages poll less often.
      config: { ...config, chains: { ...chains, local: { pollIntervalMs: 250, ...chains?.local } } },
    })
    undo.push(() => server.close())
    if (options.end) undo.push(options.end)
    await options.seed?.(server, anvil)
    const { key: readKey } = await createKey(server.database.db, { name: 'reader', access: 'read' })
    browser = await launched
    running = { server, anvil, readKey, open, undo: (step) => undo.push(step) }
  })

  afterEach(async () => {
    const problems: string[] = []
    for (const { context, problems: own } of opened.splice(0)) {
      // Removes the routes that a test still mocks before the page closes.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
      await context.close()
      problems.push(...own)
    }
    expect(problems.join('\n')).toBe('')
  })

  afterAll(async () => {
    for (const step of undo.reverse()) await step()
  })

  async function open(path: string, given: OpenOptions = {}): Promise<Page> {
    const { width = 1440, colorScheme = 'light', key = testApiKey, expected } = given
    const { server = running.server, javaScriptEnabled = true } = given
    const context = await browser.newContext({
      baseURL: server.url,
      javaScriptEnabled,
      colorScheme,
      viewport: sizeOf(width),
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    context.setDefaultTimeout(patienceMs)
    const problems: string[] = []
    const reported = (text: string) => {
      if (!expected?.test(text)) problems.push(text)
    }
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) reported(`console: ${message.text()}`)
    })
    context.on('weberror', (error) => reported(`error: ${error.error().stack ?? error.error()}`))
    context.on('request', (request) => {
      if (!request.url().startsWith(`${server.url}/`)) reported(`another host: ${request.url()}`)
    })
    await context.exposeBinding('reportViolation', (_, text: string) => reported(`policy: ${text}`))
    await context.addInitScript(reportViolations)
    opened.push({ context, problems })
    const page = await context.newPage()
    await page.goto(path)
    if (key !== null) await signIn(page, key)
    return page
  }

  return () => running
}

/** Signs in as users do, on the page that prompts for a key, and waits for the session. A page that reloads earlier has none. */
export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('sessionStorage.length')).toBe(1)
}

/** Rules that axe-core runs only on request. Users who control the page by voice say the visible text. */
const moreRules = { 'label-content-name-mismatch': { enabled: true } }

/** Reports the serious and critical violations that axe-core finds on a page. */
export async function seriousFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe)
  const { violations } = await page.evaluate<AxeResults>(`axe.run({ rules: ${JSON.stringify(moreRules)} })`)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`))
}

/** Whether an element has the focus of the keyboard. */
export async function isFocused(element: Locator): Promise<boolean> {
  const focused = await element.page().evaluateHandle('document.activeElement')
  return element.evaluate((own, other) => own === other, focused)
}

/** Lists the elements beyond the window and the window's width, if the page is wider than the window. Such a page scrolls sideways as a whole. */
export function tooWide(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const { scrollWidth } = document.documentElement
    if (scrollWidth <= innerWidth) return []
    const beyond = [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth)
    return [scrollWidth + ' of ' + innerWidth, ...beyond.slice(-5).map((one) => one.outerHTML.slice(0, 200))]
  })()`)
}

/** Takes a screenshot of a page and stores it in node_modules/.cache/console-pictures. */
async function takePicture(page: Page, name: string, fullPage: boolean): Promise<void> {
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage })
}

/**
 * The check for every view. In each look, it allows no serious violation and no content wider than the window.
 * It also checks the width with large text, and takes a screenshot of each look.
 */
export async function lookAt(
  console: ConsoleUnderTest,
  view: {
    path: string
    name: string
    ready(page: Page): Promise<unknown>
    key?: string | null
    /** Too long for a screenshot of the whole page. */
    isEndless?: true
  },
): Promise<void> {
  const { key } = view
  const page = await console.open(view.path, key === undefined ? {} : { key })
  for (const look of looks) {
    await page.setViewportSize(sizeOf(look.width))
    await page.emulateMedia({ colorScheme: look.colorScheme })
    await view.ready(page)
    const name = `${view.name}-${look.width}-${look.colorScheme}`
    if (takesPictures) await takePicture(page, name, !view.isEndless)
    expect(await seriousFaults(page), name).toEqual([])
    expect(await tooWide(page), name).toEqual([])
  }
  // Text of twice the size, which a user can set in the browser (WCAG 2.2, 1.4.4).
  await page.evaluate("document.documentElement.style.fontSize = '200%'")
  // A list that measures its rows updates their layout a frame later.
  await expect.poll(() => tooWide(page), { message: `${view.name} with large text` }).toEqual([])
  await page.evaluate("document.documentElement.style.fontSize = ''")
}

function sizeOf(width: 320 | 1440): { width: number; height: number } {
  return { width, height: width === 320 ? 640 : 900 }
}

/** A server builds the console in the background when it starts. The tests build it first. */
function buildOnce(): void {
  const sources = consoleSources()
  if (sources && !existsSync(sources.built)) execFileSync(process.execPath, [sources.script, sources.built])
}
