import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { findChromium } from '../../scripts/findChromium.ts'

/** The Chromium of the machine; where there is none, it is installed if that can be done. undefined: it cannot be had. */
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

/** Whether the tests of the console are omitted on this machine. */
export const withoutBrowser = executablePath === undefined

if (withoutBrowser)
  process.stderr.write(
    'tests of the console: skipped, as there is no Chromium and only root can install it (npm run chromium)\n',
  )

/** A browser without a window. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch(launchOptions())
}

/** A browser without a window that keeps what it keeps in a folder, as one does that people use. */
export function launchBrowserOn(profile: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, launchOptions())
}

/**
 * Two pages of its address bar that Chromium loads for each browser context, though nobody sees them, and a process for a next site: a third of
 * the processor time of these tests. Then those that Playwright disables and that a test needs, as the last list replaces its own.
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
    // Chromium's own sandbox refuses root, which containers run as.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [`--disable-features=${disabledFeatures.join(',')}`],
  }
}
