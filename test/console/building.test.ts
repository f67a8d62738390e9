// @module-tag system

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { consoleSources } from '../../src/service/console/consoleFolders.ts'
import { openConsole } from '../../src/service/console/openConsole.ts'
import { startTestServer } from '../mintmark.ts'
import { withoutBrowser } from './browser.ts'
import { useConsole } from './consoleTest.ts'

const console = useConsole()
const consoleTest = test.skipIf(withoutBrowser)

consoleTest(
  'behavior: a page opened while the console is built reloads into the console when the build is done',
  async () => {
    const { server, build } = await startBuilding()
    const [, code] = server.signInLink()!.split('#')
    const page = await console().open(`/console/keys#${code}`, { server, key: null })
    await page.getByText('The console is being built').waitFor()
    // Until then, the page reloads repeatedly and keeps the part after the `#`.
    const again = page.waitForRequest((request) => request.isNavigationRequest())
    await again
    await page.getByText('The console is being built').waitFor()
    expect(page.url()).toBe(`${server.url}/console/keys#${code}`)
    build()
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
    expect(page.url()).toBe(`${server.url}/console/keys`)
  },
)

consoleTest('behavior: a browser without JavaScript also gets the built page', async () => {
  const { server, build } = await startBuilding()
  const page = await console().open('/console/keys', { server, key: null, javaScriptEnabled: false })
  await page.getByText('The console is being built').waitFor()
  build()
  // Locators by text ignore <noscript>.
  await expect.poll(() => page.content()).toContain('The console needs JavaScript')
})

/** A server whose console is built by a script, as in a clone. The script starts once the test allows it. */
async function startBuilding() {
  const folder = mkdtempSync(join(tmpdir(), 'console-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [started, script] = [join(folder, 'begun'), join(folder, 'build.ts')]
  writeFileSync(
    script,
    `import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
while (!existsSync(${JSON.stringify(started)})) await setTimeout(50)
await import(${JSON.stringify(consoleSources()!.script)})`,
  )
  const sources = { script, built: join(folder, 'built') }
  const server = await startTestServer({
    rpc: [console().anvil.url],
    openConsole: (options) => openConsole({ ...options, sources }),
  })
  onTestFinished(() => server.close())
  return { server, build: () => writeFileSync(started, '') }
}
