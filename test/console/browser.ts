import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { findChromium } from '../../scripts/findChromium.ts'

/** The machine's Chromium. If there is none, it is installed if possible; undefined if it is unavailable. */
function chromiumOrInstalled(): string | undefined {
  const found = findChromium()
  if (found !== undefined || process.getuid?.() !== 0) return found
  spawnSync(process.execPath, [join(import.meta.dirname, '../../scripts/installChromium.ts')], { stdio: 'ignore' })
  return findChromium()
}

const executablePath = chromiumOrInstalled()

// biome-ignore lint/style/noProcessEnv: nothing may be omitted
if (executablePath === undefined && process.env.CI)
  throw new Error('the tests of the console need Chromium: npm run chromium installs it')

/** Whether this machine skips the tests of the console. */
export const withoutBrowser = executablePath === undefined

if (withoutBrowser)
  process.stderr.write(
    'tests of the console: skipped, as there is no Chromium and only root can install it (npm run chromium)\n',
  )

/** A headless browser. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch(launchOptions())
}

/** A headless browser with a persistent profile in a folder, like a user's browser. */
export function launchBrowserOn(profile: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, launchOptions())
}

/**
 * The first list disables features that take a third of the CPU time of these tests. Chromium loads two invisible pages of its address bar
 * for each browser context, and starts a spare process for the next site.
 * Our list replaces Playwright's. The other lists therefore repeat the features that Playwright disables and the tests need disabled.
 */
const disabledFeatures = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'PaintHolding'],
  ...['NetworkTimeServiceQuerying', 'OptimizationHints', 'PreconnectToSearch', 'ThirdPartyStoragePartitioning'],
]

function launchOptions() {
  if (executablePath === undefined) throw new Error('there is no Chromium')
  return {
    executablePath,
    // Chromium's own sandbox does not run as root, which containers use.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [`--disable-features=${disabledFeatures.join(',')}`],
  }
}
