import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockDataDir } from '../src/db/embedded/dataDirLock.ts'
import { runCommand } from './commandLine.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { system } from './system.ts'

const folder = mkdtempSync(join(tmpdir(), 'mintmark-errors-'))
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const makeFolder = (name: string) => {
  mkdirSync(join(folder, name))
  return join(folder, name)
}
const quiet = ['--config', file('quiet.json', '{ "logLevel": "silent" }')]
const taken = createServer()
let port: string
let database: TestDatabase
let url: string[]

beforeAll(async () => {
  database = await createTestDatabase()
  url = ['--database-url', database.url, ...quiet]
  await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening))
  port = String((taken.address() as AddressInfo).port)
  mkdirSync(join(folder, 'used', 'postgres'), { recursive: true })
})
afterAll(async () => {
  taken.close()
  await database.drop()
  rmSync(folder, { recursive: true })
})

const withNetwork = () => {
  const config = '{ "logLevel": "silent", "aptos": { "mainnet": { "rest": "http://127.0.0.1:1/v1" } } }'
  return ['--database-url', database.url, '--config', file('network.json', config)]
}
const someone = `0x${'12'.repeat(20)}`

/** Each case: the mistake, the command line, the expected error, and the expected advice. */
const cases: [string, () => string[], RegExp, RegExp][] = [
  [
    'no configuration file',
    () => ['status', '--config', 'nope.json'],
    /nope\.json does not exist/,
    /docs\/configuration/,
  ],
  [
    'a configuration that is not JSON',
    () => ['status', '--config', file('broken.json', '{ "port": ')],
    /broken\.json cannot be read/,
    /docs\/configuration/,
  ],
  [
    'a configuration that is a folder',
    () => ['status', '--config', makeFolder('folder.json')],
    /folder\.json cannot be read: it is a folder, not a file/,
    /docs\/configuration/,
  ],
  [
    'a database that is unreachable',
    () => ['status', ...quiet, '--database-url', 'postgres://127.0.0.1:1/x'],
    /the database at 127\.0\.0\.1:1 cannot be reached.*ECONNREFUSED/,
    /start PostgreSQL, or correct --database-url/,
  ],
  [
    'the same, to start',
    () => ['start', '--port', '0', ...quiet, '--database-url', 'postgres://user:hidden@127.0.0.1:1/x'],
    /the database at 127\.0\.0\.1:1 cannot be reached: connect ECONNREFUSED/,
    /start PostgreSQL, or correct --database-url/,
  ],
  [
    'a database whose socket is not there',
    () => ['start', '--port', '0', ...quiet, '--database-url', 'postgres:///x?host=/nowhere'],
    /the database at the socket in \/nowhere cannot be reached/,
    /start PostgreSQL, or correct --database-url/,
  ],
  [
    'a database that does not exist',
    () => ['status', ...quiet, '--database-url', database.url.replace(/\/\/\/\w+/, '///nowhere')],
    /database "nowhere" does not exist/,
    /create that database, or correct --database-url/,
  ],
  [
    'no embedded database',
    () => ['keys', 'list', ...quiet, '--data', join(folder, 'none')],
    /there is no database in/,
    /--data, or create one with "mintmark start"/,
  ],
  [
    'a data folder where none can be made',
    () => ['keys', 'create', ...quiet, '--data', '/proc/mintmark'],
    /the data folder \/proc\/mintmark cannot be used: no folder can be made there/,
    /choose a folder of this user with --data/,
  ],
  [
    'the same, to start',
    () => ['start', '--port', '0', ...quiet, '--data', '/proc/mintmark'],
    /cannot be used: no folder can be made there/,
    /choose a folder of this user with --data/,
  ],
  [
    'a data folder that is a file',
    () => ['keys', 'create', ...quiet, '--data', file('data', '')],
    /data cannot be used: a file of that name, or above it, is not a folder/,
    /choose a folder of this user with --data/,
  ],
  [
    'a port that is taken',
    () => ['start', '--port', port, ...url],
    /cannot listen on 127\.0\.0\.1:\d+: the port is taken/,
    /stop the program that listens there, or choose another port with --port \(port\)$/m,
  ],
  [
    'a port that is taken, of listen, before its database is looked for',
    () => ['listen', '--port', port, ...quiet, '--data', join(folder, 'none')],
    /cannot listen on 127\.0\.0\.1:\d+: the port is taken/,
    /stop the program that listens there, or choose another port with --port \(port\)$/m,
  ],
  [
    'a port that is taken, of the demo, before its chain is started',
    () => ['demo', '--port', port],
    /cannot listen on 127\.0\.0\.1:\d+: the port is taken/,
    /stop the program that listens there, or choose another port with --port \(port\)$/m,
  ],
  [
    'a host that is another machine',
    () => ['start', '--port', '0', '--host', '192.0.2.1', ...url],
    /cannot listen on 192\.0\.2\.1:0: this machine does not have that address/,
    /choose 127\.0\.0\.1, 0\.0\.0\.0 or an address of this machine with --host \(host\)$/m,
  ],
  [
    'a chain that is unknown',
    () => ['index', 'moon', someone, ...url],
    /no chain "moon"; available: eth, sepolia, /,
    /Add others to/,
  ],
  ['a chain without a node', () => ['index', 'goerli', someone, ...url], /goerli has no node/, /chains\.goerli\.rpc/],
  [
    'no key of that id',
    () => ['keys', 'revoke', '999', ...url],
    /there is no active key 999/,
    /see "mintmark keys list"/,
  ],
  [
    'a collection that is not indexed',
    () => ['status', '0x1', someone, ...url],
    /0x1212\S+ of eth is not indexed/,
    /start its indexing with "mintmark index eth 0x1212/,
  ],
  [
    'the same, to flag',
    () => ['flag', 'eth', someone, '--spam', 'yes', ...url],
    /of eth is not indexed/,
    /start its indexing with "mintmark index eth 0x1212/,
  ],
  [
    'no server to wait for',
    () => ['index', 'eth', someone, '--wait', ...url],
    /no server runs/,
    /with "mintmark start"/,
  ],
  [
    'a network that is not configured',
    () => ['coins', 'import', 'nope.csv', ...url],
    /there is no network "mainnet"/,
    /Add it to the configuration under aptos/,
  ],
  [
    'no file of coins',
    () => ['coins', 'import', 'nope.csv', ...withNetwork()],
    /nope\.csv cannot be read/,
    /import it again/,
  ],
  [
    'a file of coins with a broken line',
    () => ['coins', 'import', file('coins.json', '{ "coin_type": \n'), ...withNetwork()],
    /coins\.json, line 1: not JSON/,
    /correct the whole file and import it again/,
  ],
  [
    'a folder for a backup that is not there',
    () => ['backup', join(folder, 'nope', 'backup'), ...url],
    /there is no folder \S+nope:/,
    /create it, or choose a file elsewhere/,
  ],
  ['a backup that is not there', () => ['restore', join(folder, 'nope.backup'), ...url], /there is no file/, /./],
]

test.each(cases)('error: %s: prints one line with the next step, exit code 1', async (_, args, what, next) => {
  const { code, out, err } = await runCommand(args())
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(/^mintmark: [^\n]+\n$/)
  expect(err).toMatch(what)
  expect(err).toMatch(next)
})

test('error: rejects a data folder in use by a server that is starting', system, async () => {
  const data = join(folder, 'used')
  const lock = lockDataDir(data)
  try {
    const [start, status] = await Promise.all([
      runCommand(['start', '--port', '0', '--data', data, ...quiet]),
      runCommand(['status', '--data', data, ...quiet]),
    ])
    expect(start.err).toMatch(/^mintmark: [^\n]+ is in use by another Mintmark: stop it, or choose another dataDir\n$/)
    expect(status.err).toMatch(
      /^mintmark: [^\n]+ is in use by another Mintmark[^\n]+: wait until it has started, or stop it[^\n]*\n$/,
    )
    expect([start.code, status.code]).toEqual([1, 1])
  } finally {
    lock.release()
  }
})

test.each(['0x10', '1e3', '', ' 5'])('error: rejects %j as a number of requests', async (text) => {
  const { code, err } = await runCommand(['keys', 'create', '--requests-per-second', text, ...url])
  expect(code).toBe(2)
  expect(err).toContain('It must be a number above 0')
})

test('error: an option with an empty value, as from an unset variable, counts as without a value', async () => {
  for (const args of [
    ['status', '--data', ''],
    ['keys', 'list', '--config='],
    ['start', '--database-url', ''],
  ]) {
    const { code, err } = await runCommand(args)
    expect(code).toBe(2)
    expect(err).toMatch(/^mintmark: option '--[a-z-]+ <\w+>' argument missing: see "mintmark [a-z ]+--help"\n$/)
  }
})

test.each([
  ['--data', ['status', '--data', '--json']],
  ['--config', ['keys', 'list', '--config', '--data', 'x']],
  ['--port', ['start', '--port', '--data']],
  ['--access', ['keys', 'create', '--access', '--json']],
])('error: rejects %s followed by another option instead of its value', async (option, args) => {
  const { code, out, err } = await runCommand(args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(
    new RegExp(`^mintmark: option '${option} <\\w+>' argument missing: see "mintmark [a-z ]+--help"\n$`),
  )
})
