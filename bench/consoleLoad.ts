import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { launchBrowser } from '../test/console/browser.ts'
import { freePort } from '../test/freePort.ts'
import { type Figure, medians } from './figure.ts'

const rounds = 7

/** Opens the demo's console with a session, each time in a browser with an empty cache. */
export const consoleLoad: Figure = {
  name: 'console',
  title: 'The console of the demo in Chromium, opened for the first time, at 1,440 px',
  async run() {
    const demo = await startDemo()
    const browser = await launchBrowser()

    async function open() {
      const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } })
      const page = await context.newPage()
      await page.addInitScript(`sessionStorage.setItem('mintmark.session', '${demo.token}')`)
      let bytes = 0
      page.on('response', async (response) => {
        const { responseBodySize } = await response.request().sizes()
        if (!/\.(?:json|webp)$|\/(?:admin|api|coins|streams|key)\b/.test(new URL(response.url()).pathname))
          bytes += responseBodySize
      })
      const began = performance.now()
      await page.goto(demo.url)
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      const headingMs = performance.now() - began
      await page
        .getByRole('region', { name: 'Chains' })
        .getByRole('row', { name: /^local/ })
        .waitFor()
      const rowsMs = performance.now() - began
      // The page also reacts to clicks.
      await page.getByRole('navigation').getByRole('link', { name: 'Collections' }).click()
      await page.getByRole('heading', { level: 1, name: 'Collections' }).waitFor()
      const clickedMs = performance.now() - began
      await context.close()
      return { headingMs, rowsMs, clickedMs, bytes }
    }

    await open()
    const rows = await medians(rounds, async () => {
      const { headingMs, rowsMs, clickedMs, bytes } = await open()
      return [
        { what: 'the page is usable after', value: headingMs, unit: 'ms', goal: { atMost: 1_000 } },
        { what: 'the page shows the figures of the chains after', value: rowsMs, unit: 'ms' },
        { what: 'another view is shown after, with an immediate click', value: clickedMs, unit: 'ms' },
        { what: 'files of the first load, compressed', value: bytes / 1_000, unit: 'kB', goal: { atMost: 100 } },
      ]
    })
    await browser.close()
    await demo.stop()
    return rows
  },
}

/** Runs `mintmark demo` as a new user does. */
async function startDemo(): Promise<{ url: string; token: string; stop(): Promise<void> }> {
  const main = join(import.meta.dirname, '../src/main.ts')
  const child = spawn(process.execPath, [main, 'demo', '--port', String(await freePort())], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stdout = child.stdout.setEncoding('utf8')
  let output = ''
  const [, url, apiKey] = await new Promise<RegExpExecArray>((resolve, reject) => {
    stdout.on('data', (text: string) => {
      output += text
      const found = /(http:\/\/\S+)\/#code=[\s\S]*KEY=(\S+)/.exec(output)
      if (found) resolve(found)
    })
    child.once('exit', () => reject(new Error(`the demo ended: ${output}`)))
  })
  const started = await fetch(`${url}/session`, { method: 'POST', headers: { 'x-api-key': apiKey! } })
  const { token } = (await started.json()) as { token: string }
  return {
    url: url!,
    token,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
