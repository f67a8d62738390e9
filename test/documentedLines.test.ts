// @module-tag system

import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createCommandBridge } from './commandBridge.ts'
import { type CommandResult, type LongCommand, runCommand, startCommand } from './commandLine.ts'
import { type DocumentedLine, documentedLines, readFences, readPages, wholeLines } from './documentedLines.ts'
import { patience } from './patience.ts'
import { type PrintedDemo, readDemo } from './readDemo.ts'
import { runShell } from './runShell.ts'

// One demo is the server for every command line. Its names replace those of public chains and contracts.
const hasCurl = !spawnSync('curl', ['--version']).error
const hasJq = !spawnSync('jq', ['--version']).error
const pages = readPages().map(({ page, text }) => ({ page, text, lines: documentedLines(page, text) }))

const initialize = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'reader', version: '0' } },
})

/** Command lines that this test skips, each with its reason. */
const skipped: readonly { line: RegExp; because: string }[] = [
  {
    line: /^npm ci && npm run demo$/,
    because: 'npm ci installs the clone that runs this test; the demo is what it starts',
  },
  { line: /^npm ci && npm test$/, because: 'this test is a part of it' },
  {
    line: /^npm (run (check|format|docs|bench|simulate|soak|test:system)|test --) /,
    because: 'work of minutes, done on its own',
  },
  {
    line: /^(npm install (mintmark|\S+\.tgz)$|\(cd CLONE)/,
    because: 'scripts/smokePackage.ts packs the package and installs it',
  },
  { line: /^npx mintmark compare\b/, because: 'test/compareCommand.test.ts compares two servers' },
  { line: /^npx mintmark start\b/, because: 'test/start.test.ts starts servers, and each demo has one inside' },
  { line: /^sudo /, because: 'changes the machine; test/operations/deployment.test.ts reads the unit' },
  {
    line: /^(export POSTGRES_PASSWORD|docker )/,
    because: 'needs Docker; test/operations/deployment.test.ts reads compose.yaml',
  },
  { line: /^curl .*\$MINTMARK_API_KEY/, because: 'asks the server in the container' },
  {
    line: /^(deploy\/(backup|restore)\.sh|cp -a) /,
    because: 'test/operations/restoring.test.ts runs each with a database of its own',
  },
  {
    line: /^npx openapi-typescript /,
    because: 'needs TypeScript 5; test/clients/typed.test.ts uses the types that it makes',
  },
  {
    line: /^helm install /,
    because: 'installs into a Kubernetes cluster; test/operations/helm.test.ts renders the chart',
  },
]

/** Input for commands that read some. All other lines get an empty input. */
const inputs: readonly { line: RegExp; input: string; output: RegExp }[] = [
  { line: /mintmark mcp\b/, input: `${initialize}\n`, output: /"serverInfo":\{"name":"mintmark"/ },
]

let demo: PrintedDemo
let demoCommand: LongCommand
let folder: string
let bridge: Awaited<ReturnType<typeof createCommandBridge>>
const listeners: { command: LongCommand; url: string }[] = []

beforeAll(async () => {
  if (!hasCurl) return
  folder = await mkdtemp(join(tmpdir(), 'mintmark-lines-'))
  demoCommand = await startCommand(['demo', '--port', '0'], 'Ctrl-C stops everything')
  demo = await readDemo(demoCommand.out())
  await writeFile(join(folder, 'coins.csv'), await coinsAsCsv())
  bridge = await createCommandBridge(runOnDemo)
  await listen([])
})
afterAll(async () => {
  for (const { command } of listeners) await command.stop()
  await bridge?.stop()
  await demoCommand?.stop()
  if (folder) await rm(folder, { recursive: true })
})

test('default: every documented command line is run, or skipped by a rule that still matches a line', () => {
  const lines = pages.flatMap((page) => page.lines)
  expect(lines.length).toBeGreaterThan(35)
  expect(skipped.filter(({ line }) => !lines.some(({ text }) => line.test(text)))).toEqual([])
  expect(lines.filter(isRun).length).toBeGreaterThan(20)
})

test.for(pages.filter(({ lines }) => lines.some(isRun)))(
  'default: the command lines of $page run unchanged and in order',
  async ({ lines }, { skip }) => {
    if (!hasCurl) skip('curl is not installed')
    const shell = await startShell()
    for (const line of lines.filter(isRun)) {
      // A reader of the quick start sees webhooks before deleting the stream.
      if (line.page === 'docs/quickstart.md' && line.text.includes('-X DELETE')) await untilHeard()
      // A reader resumes a download that was interrupted.
      if (line.text.includes(' -C - ')) await truncate(join(folder, 'holders.csv'), 40)
      await shell(line.text)
    }
  },
)

test('behavior: the demo prints the number of requests and commands in the README on one screen, with short responses', async ({
  skip,
}) => {
  if (!hasCurl || !hasJq) skip('curl or jq is not installed')
  const rows = demo.printed.trimEnd().split('\n')
  expect(rows.reduce((sum, row) => sum + Math.max(1, Math.ceil(row.length / 80)), 0)).toBeLessThanOrEqual(24)
  const indented = [...demo.printed.matchAll(/^ {2}(\S.*)$/gm)].map(([, line]) => line!)
  const [requests, commands] = [/^curl /, /^npx mintmark /].map((begin) => indented.filter((line) => begin.test(line)))
  const readme = pages.find(({ page }) => page === 'README.md')!.text.replaceAll('\n', ' ')
  const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
  expect(readme).toContain(`${numbers[requests!.length]} requests and ${numbers[commands!.length]} commands`)
  const shell = await startShell()
  for (const request of requests!) {
    const answer = (await shell(request)).trim().split('\n')
    expect(answer.length).toBe(2)
    for (const line of answer) {
      expect(line.length).toBeLessThan(250)
      expect(Object.values(JSON.parse(line))).not.toContain(undefined)
    }
  }
  for (const command of commands!) await shell(command)
})

test('behavior: README.md contains the two start commands', () => {
  const readme = pages.find(({ page }) => page === 'README.md')!.lines.map(({ text }) => text)
  expect(readme).toContain('npm ci && npm run demo')
  expect(readme).toContain('npm ci && npm test')
})

test('behavior: no table of a page is split in two', () => {
  const cut = pages.flatMap(({ page, text }) => {
    const prose = readFences(text).reduce((rest, { code }) => rest.replace(code, ''), text)
    return [...prose.matchAll(/^(?!\|).*\n(\|.*\n)(?!\| ?:?-)/gm)].map(([, row]) => `${page}: ${row}`)
  })
  expect(cut).toEqual([])
})

test('behavior: a documented command line may span several lines', () => {
  const lines = ['a \\\n  b', `c '{\n "d": 1\n}' | e`, `f # g's`]
  expect(wholeLines(`${lines.join('\n')}\n\n`)).toEqual(lines)
  expect(() => documentedLines('page', '```\nmintmark status\n```\n')).toThrow('is not sh')
  expect(documentedLines('page', '```console\n$ a\nb\n```\n').map((line) => line.text)).toEqual(['a'])
})

function isRun({ text }: DocumentedLine): boolean {
  return !skipped.some(({ line }) => line.test(text))
}

/** Runs lines one after another in one folder; variables of a line remain set for the next one. Throws if a line fails. */
async function startShell(): Promise<(line: string) => Promise<string>> {
  const state = await mkdtemp(join(folder, 'shell-'))
  const kept = join(state, 'variables')
  const { rpc, url, apiKey, tiles } = demo
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    KEY: apiKey,
    MINTMARK: url,
    CONTRACT: tiles,
    RECEIVER: listeners[0]!.url,
    RPC: rpc,
  }
  await writeFile(kept, '')
  const head = `
    ${bridge.shell}
    curl() { case " $* " in *' -N '*) first_event "$@";; *) plain_curl "$@";; esac; }
    plain_curl() { command curl --fail-with-body --noproxy '*' "$@"; }
    first_event() {
      mkfifo events && { plain_curl "$@" > events & }
      grep -m 1 '^data:' < events && kill $!
    }
    cd "${state}"
    . "${kept}"; set -ea`
  return async (line) => {
    const { input, output } = inputs.find((typed) => typed.line.test(line)) ?? { input: '', output: /(?:)/ }
    const script = `${head}\n${onDemo(line, await recentBlock())}\nexport -p > "${kept}"`
    const { out, fault } = await runShell(script, { env, input })
    if (fault !== undefined || !output.test(out)) throw new Error(`${line}\n${fault ?? 'unexpected output'}\n${out}`)
    return out
  }
}

/** A command line with the demo's names instead of public ones. */
function onDemo(line: string, atBlock: string): string {
  const last = listeners.at(-1)!.url
  return line
    .replaceAll('http://127.0.0.1:8080', demo.url)
    .replaceAll('http://127.0.0.1:8099', last)
    .replaceAll('https://chain.example', demo.url)
    .replaceAll('https://shop.example', last)
    .replaceAll('MINTMARK_API_KEY=…', `MINTMARK_API_KEY=${demo.apiKey}`)
    .replaceAll('X-API-Key: quickstart', `X-API-Key: ${demo.apiKey}`)
    .replaceAll(/0x(?:bc4ca0eda|a0b86991c)[0-9a-f]{31}/g, demo.tiles)
    .replaceAll('0x…', demo.items)
    .replaceAll('http://…', demo.rpc)
    .replaceAll('chain=eth', 'chain=local')
    .replaceAll(/\beth (?=0x)/g, 'local ')
    .replaceAll('"0x1"', '"0x7a69"')
    .replace('21000000', atBlock)
    .replaceAll(/(?:coins|holders|latest)\.csv|\w+\.parquet/g, (file) => join(folder, file))
}

/** A final block of the demo chain whose state the node still has: it keeps 128 blocks. */
async function recentBlock(): Promise<string> {
  const { number } = await createPublicClient({ transport: http(demo.rpc) }).getBlock({ blockTag: 'finalized' })
  return String(number - 2n)
}

/** Runs a command on the demo's database. `listen` keeps running while later lines run. */
async function runOnDemo(args: string[], signal: AbortSignal): Promise<CommandResult> {
  const where = args.includes('--config') ? args : [...args, '--config', demo.config]
  if (args[0] !== 'listen') return runCommand(where, signal)
  await listen(args.slice(1))
  return { code: 0, out: '', err: '' }
}

async function listen(args: string[]): Promise<void> {
  const command = await startCommand(
    ['listen', ...args, '--port', '0', '--config', demo.config],
    'waiting for webhooks',
  )
  listeners.push({ command, url: /http:\/\/[\d.:]+/.exec(command.err())![0] })
}

/** Waits until the last `mintmark listen` has printed what the quick start promises. */
async function untilHeard(): Promise<void> {
  const heard = [/ unconfirmed: \d+ logs? /, / confirmed: \d+ logs? /, /x-signature right, webhook-signature right/]
  const { out } = listeners.at(-1)!.command
  await vi.waitUntil(() => heard.every((pattern) => pattern.test(out())), patience).catch(() => expect(out()).toBe(''))
  expect(out()).not.toMatch(/-signature (?!right)/)
}

/** Coins of the demo in the format of an export. */
async function coinsAsCsv(): Promise<string> {
  const response = await fetch(`${demo.url}/coins/latest?limit=3`, { headers: { 'x-api-key': demo.apiKey } })
  const { result } = (await response.json()) as { result: Record<string, string | number | null>[] }
  const names = Object.keys(result[0]!)
  const cell = (value: unknown) => (value === null ? '' : `"${String(value).replaceAll('"', '""')}"`)
  return [names.join(','), ...result.map((coin) => names.map((name) => cell(coin[name])).join(','))].join('\n')
}
