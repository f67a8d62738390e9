import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { WriteStream } from 'node:tty'
import type { Command } from 'commander'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProgram } from '../src/cli/createProgram.ts'
import { createPrint } from '../src/cli/report/print.ts'
import type { Address } from '../src/util/hex.ts'
import { createSecrets } from '../src/util/urls/secrets.ts'
import { runCommand } from './commandLine.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { seedCollection } from './seedCollection.ts'

const folder = mkdtempSync(join(tmpdir(), 'mintmark-terminal-'))
let database: TestDatabase
let options: string[]
beforeAll(async () => {
  database = await createTestDatabase()
  const config = join(folder, 'quiet.json')
  writeFileSync(config, '{ "logLevel": "silent" }')
  options = ['--database-url', database.url, '--config', config]
})
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true })
})

/** Sequences that clear the screen, set the title, add a line or move the cursor, in seven and eight bits; one reverses letters. */
const attacks = [
  '\u001b[2J',
  '\u001b]0;owned\u0007',
  '\r\nfake: line',
  '\b\b\b',
  '\u009b31m',
  '\u007f',
  '\u202eevil',
  '\u2028',
  '\u0000',
]
const hostile = `Apes${attacks.filter((text) => text !== '\u0000').join('x')}!`
/** All characters that a terminal interprets, except line feed. */
const obeyed = /[\u2028\u2029]|(?!\n)\p{C}/u

test('default: hostile names, reasons and URIs are printed without terminal control characters', async () => {
  const address: Address = `0x${'ab'.repeat(20)}`
  const { partition, id } = await seedCollection(database.db, {
    address,
    tokens: [1n],
    columns: { name: hostile, symbol: hostile, spam_reasons: [hostile] },
  })
  await database.db.run(
    `INSERT INTO token_metadata (partition, collection_id, token_hash, state, reason, attempts, record, tried_at)
     SELECT partition, collection_id, token_hash, 'failed', $3, 1, '"token_uri":null', now() FROM token
     WHERE partition = $1 AND collection_id = $2`,
    [partition, id, hostile],
  )
  const failed: Address = `0x${'cd'.repeat(20)}`
  await seedCollection(database.db, { address: failed, columns: { status: 'failed', reason: hostile } })
  await database.db.run('UPDATE chain SET failure = $1', [hostile])
  await runCommand(['keys', 'create', hostile, ...options])

  for (const args of [
    ['status', 'eth', address],
    ['status', 'eth', failed],
    ['status'],
    ['flag', 'eth', address, '--spam', 'auto'],
    ['index', 'eth', address],
    ['keys', 'list'],
    ['keys', 'create', hostile],
    ['index', hostile, address],
    ['keys', 'create', '--access', hostile],
    ['coins', 'import', `nope${hostile}`],
  ]) {
    const plain = await runCommand([...args, ...options])
    expect([args, plain.out + plain.err]).toEqual([args, expect.not.stringMatching(obeyed)])
    expect([args, plain.out + plain.err]).toEqual([args, expect.not.stringMatching(/^fake: line/m)])
  }
  const named = await runCommand(['status', 'eth', address, ...options])
  expect(named.out).toContain('"Apes[2Jx]0;ownedx fake: linex')
  expect((await runCommand(['keys', 'list', ...options])).out).toContain('fake: line')
})

test('default: JSON output contains the same texts, escaped', async () => {
  const address: Address = `0x${'ab'.repeat(20)}`
  const { out } = await runCommand(['status', 'eth', address, '--json', ...options])
  expect(out).not.toMatch(obeyed)
  expect(JSON.parse(out)).toMatchObject({ name: hostile })
})

function printTo(isTTY: boolean) {
  let text = ''
  const stream = new Writable({
    write(chunk, _, done) {
      text += chunk
      done()
    },
  })
  const out = Object.assign(stream, {
    isTTY,
    getColorDepth: WriteStream.prototype.getColorDepth,
  }) as unknown as NodeJS.WriteStream
  return { print: createPrint(out, out, (text) => text), text: () => text }
}

test('behavior: colours are printed only to terminals, and not with NO_COLOR', () => {
  // biome-ignore lint/style/noProcessEnv: what is tested
  const env = process.env
  const names = ['NO_COLOR', 'FORCE_COLOR', 'NODE_DISABLE_COLORS', 'CI', 'TERM']
  const before = Object.fromEntries(names.map((name) => [name, env[name]]))
  const written = (isTTY: boolean) => {
    const { print, text } = printTo(isTTY)
    print.line(`${print.style('red', `a${attacks[0]}b`)} \u001b[31mc`)
    print.table(['head'], [['cell']])
    return text()
  }
  try {
    for (const name of names) delete env[name]
    env.TERM = 'xterm-256color'
    expect(written(true)).toBe('\u001b[31ma[2Jb\u001b[39m [31mc\n\u001b[1mhead\u001b[22m\ncell\n')
    expect(written(false)).toBe('a[2Jb [31mc\nhead\ncell\n')
    env.NO_COLOR = '1'
    expect(written(true)).toBe('a[2Jb [31mc\nhead\ncell\n')
  } finally {
    for (const [name, value] of Object.entries(before))
      if (value === undefined) delete env[name]
      else env[name] = value
  }
})

/** Commands that print only logs or JSON. */
const withoutOutput = new Set(['mintmark start', 'mintmark snapshot proof', 'mintmark mcp'])

function* leaves(command: Command, path = ''): Generator<[string, Command]> {
  const name = `${path} ${command.name()}`.trim()
  if (command.commands.length === 0) yield [name, command]
  for (const child of command.commands) yield* leaves(child, name)
}

test('default: every command that prints data has --json', () => {
  const { print } = printTo(false)
  const context = { print, prompt: undefined, secrets: createSecrets(), signal: new AbortController().signal }
  const commands = [...leaves(createProgram(context))]
  expect(commands.length).toBeGreaterThan(10)
  const without = commands.filter(([, command]) => !command.options.some(({ long }) => long === '--json'))
  expect(new Set(without.map(([name]) => name))).toEqual(withoutOutput)
})
