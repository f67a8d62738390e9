import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { linkedPaths, namedPaths } from './namedPaths.ts'

// Tests the package as users get it: packs it, installs it in an empty folder and runs it with the machine's own Node.
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'mintmark-smoke-'))
const installed = join(folder, 'empty')
// npm puts this clone's Node 24 first in PATH, but users have their own Node.
// biome-ignore lint/style/noProcessEnv: what the children inherit
const { PATH = '', ...rest } = process.env
const env = {
  ...Object.fromEntries(Object.entries(rest).filter(([name]) => !/^(npm_|INIT_CWD$|NODE$)/i.test(name))),
  PATH: PATH.split(delimiter)
    .filter((path) => !/node_modules|node-gyp-bin/.test(path))
    .join(delimiter),
}
const children: ChildProcess[] = []
/** The limit only detects a hang: even the slowest machine is faster. */
const patienceSeconds = 300
const expected =
  /^(package\.json|LICENSE|README\.md|CHANGELOG\.md|openapi\.json|bin\/mintmark\.js|dist\/.+|docs\/.+\.(?:md|png)|deploy\/.+)$/

try {
  await smoke()
  console.log('package: everything works')
} finally {
  // Processes that still run did not stop as they should.
  for (const { pid, exitCode, signalCode } of children)
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

async function smoke(): Promise<void> {
  mkdirSync(installed)
  const [packed] = JSON.parse(run(root, 'npm', 'pack', '--json', '--pack-destination', folder))
  console.log(`package: ${packed.filename}, ${packed.files.length} files, ${packed.size} bytes`)
  const strangers = packed.files
    .map(({ path }: { path: string }) => path)
    .filter((path: string) => !expected.test(path))
  if (strangers.length > 0) throw new Error(`the package holds files that it should not: ${strangers.join(', ')}`)
  run(installed, 'npm', 'install', '--engine-strict', '--no-audit', '--no-fund', join(folder, packed.filename))
  console.log(`package: installed with Node ${run(installed, 'node', '--version').trim()}`)

  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const reported = run(installed, 'npx', 'mintmark', '--version').trim()
  if (reported !== version) throw new Error(`--version says ${reported}, package.json ${version}`)

  // The demo waits for its chain, so the paths are checked meanwhile.
  await Promise.all([checkPaths(), smokeDemo()])
  await smokeKill()
}

/** Checks that the package contains every file that a message, a help text or a page mentions. */
async function checkPaths(): Promise<void> {
  const home = join(installed, 'node_modules/mintmark')
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(js|json|md)$/.test(name))
  const named = files.flatMap((name) => {
    const text = readFileSync(join(home, name), 'utf8')
    const links = name.endsWith('.md') ? linkedPaths(text).map((link) => join(dirname(name), link)) : []
    return [...namedPaths(text), ...links].map((path) => ({ name, path }))
  })
  for (const help of await helpTexts()) named.push(...namedPaths(help).map((path) => ({ name: '--help', path })))
  const absent = named.filter(({ path }) => !existsSync(join(home, path)))
  if (absent.length > 0)
    throw new Error(`not in the package: ${absent.map(({ name, path }) => `${path} (of ${name})`).join(', ')}`)
  console.log(`package: ${new Set(named.map(({ path }) => path)).size} files are named, and there`)
}

/** Returns the help of every command, a few in parallel. It runs the bundled Node directly; other checks use the launcher. */
async function helpTexts(): Promise<string[]> {
  const [node, launcher] = ['node/bin/node', 'mintmark/bin/mintmark.js'].map((path) => join('node_modules', path))
  const texts: string[] = []
  for (const waiting: string[][] = [[]]; waiting.length > 0; ) {
    const helped = waiting.splice(0, 4).map(async (command) => {
      const { stdout } = await promisify(execFile)(node!, [launcher!, ...command, '--help'], { cwd: installed, env })
      return { command, text: stdout }
    })
    for (const { command, text } of await Promise.all(helped)) {
      texts.push(text)
      const below = [...(/^Commands:\n(.*)$/ms.exec(text)?.[1] ?? '').matchAll(/^ {2}([a-z]+)/gm)]
      waiting.push(...below.flatMap(([, name]) => (name === 'help' ? [] : [[...command, name!]])))
    }
  }
  return texts
}

/** Checks that the demo responds, and that SIGTERM to npx stops it. */
async function smokeDemo(): Promise<void> {
  const startedAt = performance.now()
  const { child, output } = start('npx', 'mintmark', 'demo', '--port', '0', '--json')
  const { url, apiKey, chain, collections, config } = JSON.parse(
    await waitFor('the demo to be ready', () => /^\{.*^\}/ms.exec(output())?.[0]),
  )
  console.log(`package: demo ready at ${url} after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
  const ready = await fetch(`${url}/ready`)
  if (ready.status !== 200) throw new Error(`/ready is ${ready.status}`)
  for (const address of Object.values(collections)) {
    const response = await fetch(`${url}/api/v2/nft/${address}?chain=${chain}&limit=5`, {
      headers: { 'x-api-key': apiKey },
    })
    const page = (await response.json()) as { result?: { token_address: string }[] }
    if (response.status !== 200 || page.result?.length !== 5 || page.result[0]?.token_address !== address)
      throw new Error(`${address} gave ${response.status}: ${JSON.stringify(page).slice(0, 300)}`)
  }
  const { erc721 } = collections
  for (const name of [chain, '0x7a69']) {
    run(installed, 'npx', 'mintmark', 'status', name, erc721, '--config', config)
    run(installed, 'npx', 'mintmark', 'verify', name, erc721, '--sample', '20', '--config', config)
  }
  for (const path of [
    '/docs',
    '/docs/swagger-ui-bundle.js',
    '/docs/guide/quickstart',
    '/docs/guide.css',
    '/openapi.json',
  ]) {
    const response = await fetch(url + path)
    if (response.status !== 200) throw new Error(`${path} is ${response.status}`)
  }
  await smokeConsole(url)
  child.kill('SIGTERM')
  await waitFor('the demo to stop', async () => !(await answers(url)))
}

/** Checks that the package contains the console, built and compressed. */
async function smokeConsole(url: string): Promise<void> {
  const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text()
  const named = [...page.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, path]) => path!)
  if (named.length < 3) throw new Error(`the console's page names ${named.length} files: ${page.slice(0, 300)}`)
  for (const path of named) {
    const { status } = await fetch(url + path)
    if (status !== 200) throw new Error(`${path} is ${status}`)
  }
}

/** Checks that a server ends when its launcher was killed by SIGKILL. */
async function smokeKill(): Promise<void> {
  const { child, output } = start(
    process.platform === 'win32' ? 'mintmark.cmd' : './node_modules/.bin/mintmark',
    'start',
    '--port',
    '0',
  )
  const url = await waitFor('the server to be ready', () => /"url":"(http[^"]+)"/.exec(output())?.[1])
  const ready = await fetch(`${url}/ready`)
  if (ready.status !== 200) throw new Error(`/ready is ${ready.status}`)
  child.kill('SIGKILL')
  await waitFor('the server to notice', async () => !(await answers(url)))
  // The second start gets the lock only after PostgreSQL has stopped, and finds a clean data folder.
  const again = start('./node_modules/.bin/mintmark', 'start', '--port', '0')
  const url2 = await waitFor('the second start', () => /"url":"(http[^"]+)"/.exec(again.output())?.[1])
  again.child.kill('SIGINT')
  const [code] = await once(again.child, 'exit')
  if (code !== 0 || (await answers(url2))) throw new Error(`SIGINT ended it with ${code}`)
}

function run(cwd: string, command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Starts a process in its own group, so that its remaining children can be killed. `output`: its standard output and error so far. */
function start(command: string, ...args: string[]): { child: ChildProcess; output: () => string } {
  const child = spawn(command, args, { cwd: installed, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  child.on('exit', (code) => {
    if (code) console.log(text)
  })
  return { child, output: () => text }
}

async function waitFor<T>(what: string, probe: () => T | Promise<T>): Promise<NonNullable<T>> {
  const deadline = performance.now() + patienceSeconds * 1_000
  for (;;) {
    const value = await probe()
    if (value) return value
    if (performance.now() > deadline) throw new Error(`waited ${patienceSeconds} s for ${what}`)
    await delay(50)
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/health`).then(
    () => true,
    () => false,
  )
}
