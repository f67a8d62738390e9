import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../src/db/database.ts'
import { createKey, findKeys, hashKey } from '../src/db/keys.ts'
import { pauseChain, resumeChain } from '../src/sync/leases/lease.ts'
import { commandEnv } from './commandEnv.ts'
import { runCommand } from './commandLine.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { onCluster } from './onCluster.ts'
import { builtProgram } from './program.ts'
import { system } from './system.ts'

const root = join(import.meta.dirname, '..')
const main = await builtProgram()
const folder = mkdtempSync(join(tmpdir(), 'mintmark-cli-'))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
afterAll(() => rmSync(folder, { recursive: true }))

type Result = { code: number; out: string; err: string }

/** Runs one command line as a separate process, in an empty folder. */
function mintmark(args: string[], env: Record<string, string> = {}): Promise<Result> {
  return new Promise((done) => {
    execFile(process.execPath, [main, ...args], { cwd: folder, env: { ...commandEnv, ...env } }, (error, out, err) =>
      done({ code: error ? ((error.code as unknown as number) ?? -1) : 0, out, err }),
    )
  })
}

let database: TestDatabase
let db: Database
let url: string[]

beforeAll(async () => {
  database = await createTestDatabase()
  db = database.db
  url = ['--database-url', database.url]
})
afterAll(() => database.drop())

test('default: prints --version and --help', async () => {
  expect(await mintmark(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' })
  const help = await mintmark(['--help'])
  expect(help).toMatchObject({ code: 0, err: '' })
  for (const command of ['start', 'demo', 'index', 'keys', 'migrate', 'status'])
    expect(help.out).toContain(`  ${command}`)
})

test.each([
  [['nonsense']],
  [['start', '--prot', '1']],
  [['start', '--port', 'http']],
  [['start', '--port', '65536']],
  [['start', '--role', 'boss']],
  [['index', 'eth']],
  [['index', 'eth', '0x12']],
  [['index', 'eth', '0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13g']],
  [['status', 'eth']],
  [['keys', 'create', '--access', 'root']],
  [['keys', 'create', '--burst', '0']],
  [['keys', 'revoke', 'one']],
  [['keys', 'revoke']],
  [['listen', '--secret', 'hunter2']],
  [['listen', '--secret', '']],
])('error: rejects the arguments %s with one line and exit code 2', async (args) => {
  const { code, out, err } = await runCommand(args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/^mintmark: .+: see "mintmark.* --help"\n$/)
})

test('error: no command prints the help and exits with code 2', async () => {
  const { code, out, err } = await mintmark([])
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/^Usage: mintmark/)
})

test.each([
  ['a file that is not there', ['start', '--config', 'nope.json'], 'nope.json does not exist'],
  ['a database that is not there', ['status', '--database-url', 'postgres://127.0.0.1:1/x'], 'cannot be reached'],
  ['no embedded database', ['status'], 'there is no database in'],
  ['no embedded database', ['keys', 'list', '--data', 'elsewhere'], 'there is no database in elsewhere'],
])('error: %s: prints one line without a stack, exit code 1', async (_, args, message) => {
  const { code, out, err } = await mintmark(args)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(/^mintmark: [^\n]+\n$/)
  expect(err).toContain(message)
  expect(existsSync(join(folder, '.mintmark'))).toBe(false)
})

test('error: reports all configuration errors, with a stack only at debug level', async () => {
  const env = { MINTMARK_PORT: 'x', MINTMARK_PROT: '1' }
  const { code, err } = await mintmark(['start'], env)
  expect(code).toBe(1)
  expect(err.split('\n')).toEqual([
    'mintmark: the configuration has errors:',
    expect.stringContaining('MINTMARK_PROT is not a setting; did you mean MINTMARK_PORT?'),
    expect.stringContaining('port is text; allowed: a whole number from 0 to 65535 (set by MINTMARK_PORT)'),
    expect.stringContaining('docs/configuration.md'),
    '',
  ])
  // The path in the message exists, even if the command runs in another folder than the package's.
  expect(existsSync(resolve(folder, /described in (\S+)$/m.exec(err)![1]!))).toBe(true)
  expect((await mintmark(['start'], { ...env, MINTMARK_LOG_LEVEL: 'debug' })).err).toContain('at parseConfig')
})

test('behavior: keys are created, listed and revoked', async () => {
  const found = async (key: string) => (await findKeys(db, [hashKey(key)])).get(hashKey(key).toString('hex'))
  const created = await runCommand(['keys', 'create', 'shop', '--access', 'admin', '--burst', '7', '--json', ...url])
  expect(created).toMatchObject({ code: 0, err: '' })
  const { id, key } = JSON.parse(created.out)
  expect(await found(key)).toMatchObject({ name: 'shop', access: 'admin', burst: 7 })
  const plain = await runCommand(['keys', 'create', ...url])
  expect(await found(plain.out.trim())).toMatchObject({ name: 'unnamed', access: 'read' })

  const listed = JSON.parse((await runCommand(['keys', 'list', '--json', ...url])).out)
  expect(listed).toContainEqual(expect.objectContaining({ id, name: 'shop', revokedAt: null }))
  expect(JSON.stringify(listed)).not.toContain(key)

  expect(await runCommand(['keys', 'revoke', id, ...url])).toMatchObject({ code: 0, out: `key ${id} is revoked\n` })
  expect(await found(key)).toBeUndefined()
  expect(await runCommand(['keys', 'revoke', id, ...url])).toMatchObject({ code: 1, out: '' })
})

test('behavior: index requests a collection, and status shows its state', async () => {
  const address = '0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d'
  expect(await runCommand(['status', 'eth', address, ...url])).toMatchObject({ code: 1, out: '' })
  const requested = await runCommand(['index', '0x1', address.toUpperCase().replace('0X', '0x'), '--json', ...url])
  expect(requested.code).toBe(0)
  expect(requested.err).toContain('no server runs')
  expect(JSON.parse(requested.out)).toMatchObject({ chain: 'eth', address, status: 'queued', tokens: '0' })
  expect(await db.rows('SELECT status, requested_by FROM collection')).toEqual([['queued', 0n]])
  expect(JSON.parse((await runCommand(['status', '--json', ...url])).out)).toMatchObject({
    servers: [],
    chains: [],
    collections: { queued: '1' },
    webhooks: { streams: {}, ledger: { matched: 0, pending: 0, unbalanced: [] } },
  })
  const waited = async () => (await runCommand(['index', 'eth', address, '--wait', ...url])).err
  expect(await waited()).toContain('no server runs')
  await pauseChain(db, 1n)
  expect(await waited()).toContain('is paused: run "mintmark chains resume eth"')
  await resumeChain(db, 1n)
})

/** A session lock identifies a running server. */
async function registerServer() {
  const server = await db.connect()
  const { rows } = await server.query(`INSERT INTO worker (host, pid) VALUES ('test', 1) RETURNING id`)
  await server.query('SELECT pg_advisory_lock(7205, $1)', [rows[0].id])
  return server
}

test('behavior: --wait ends when the collection reaches a final status', async () => {
  const server = await registerServer()
  for (const [status, code, output] of [
    ['none', 0, 'not an NFT contract'],
    ['nocode', 1, 'there is no contract'],
    ['failed', 1, 'failed: out of luck'],
  ] as const) {
    const address = `0x${status.padEnd(40, '0').replace(/[^0-9a-f]/g, '0')}`
    const child = spawn(process.execPath, [main, 'index', 'eth', address, '--wait', ...url], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let err = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      out += chunk
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      err += chunk
    })
    const closed = once(child, 'close')
    await expect.poll(() => err).toContain('0 %, queued')
    const reason = status === 'failed' ? 'out of luck' : null
    await db.run(`UPDATE collection SET status = $1, reason = $2 WHERE status = 'queued' AND address = $3`, [
      status,
      reason,
      Buffer.from(address.slice(2), 'hex'),
    ])
    expect(await closed).toEqual([code, null])
    expect(out).toContain(output)
  }
  await server.end()
})

test('behavior: --wait retries a previously failed collection immediately, and ends with the new failure', async () => {
  const server = await registerServer()
  const address = `0x${'fa'.repeat(20)}`
  await runCommand(['index', 'eth', address, ...url])
  const failed = `UPDATE collection SET status = 'failed', reason = $1, retry_at = now() + interval '1 hour' WHERE address = $2`
  const fail = (reason: string) => db.run(failed, [reason, Buffer.from(address.slice(2), 'hex')])
  await fail('the former node')
  const waited = runCommand(['index', 'eth', address, '--wait', ...url])
  const selectDue = `SELECT count(*) FROM collection WHERE status = 'failed' AND retry_at <= now()`
  await expect.poll(() => db.rows(selectDue)).toEqual([[1n]])
  await fail('the new node')
  const { code, out } = await waited
  expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('failed: the new node') })
  await server.end()
})

test('behavior: Ctrl-C ends a wait immediately, and indexing continues', async () => {
  const server = await registerServer()
  const args = ['index', 'eth', `0x${'5'.repeat(40)}`, '--wait', ...url]
  const child = spawn(process.execPath, [main, ...args], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let err = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk
  })
  const closed = once(child, 'close')
  await expect.poll(() => err).toContain('queued')
  child.kill('SIGINT')
  expect(await closed).toEqual([130, null])
  expect(err).not.toMatch(/Error|abort/i)
  await server.end()
})

test('behavior: a command whose output pipe is closed ends without an error or crash', async () => {
  const child = spawn(process.execPath, [main, 'config', 'show', ...url], { cwd: folder })
  child.stdout.destroy()
  let err = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk
  })
  const [code] = await once(child, 'close')
  expect([code, err]).toEqual([expect.toBeOneOf([0, 141]), ''])
})

test('behavior: a new database gets its schema from a command that writes, and commands reject an older or newer schema', async () => {
  const other = await createTestDatabase({ migrated: false })
  const otherUrl = ['--database-url', other.url]
  const expectError = async (args: string[], err: RegExp) =>
    expect(await runCommand([...args, ...otherUrl])).toMatchObject({ code: 1, err: expect.stringMatching(err) })
  try {
    await expectError(['keys', 'list'], /^mintmark: the database is empty: .*\n$/)
    expect(await other.db.rows(`SELECT to_regclass('migration') IS NULL`)).toEqual([[true]])
    expect(await runCommand(['keys', 'create', ...otherUrl])).toMatchObject({ code: 0 })
    expect(JSON.parse((await runCommand(['migrate', '--json', ...otherUrl])).out)).toEqual({ applied: [] })
    // Without a cluster, the database has no Citus.
    if (!onCluster) {
      await expectError(['migrate', '--distribute'], /^mintmark: the database has no Citus .*\n$/)
      await expectError(['rebalance'], /^mintmark: the tables are on one server: .*\n$/)
    }
    await createKey(other.db, { name: 'x', access: 'read' })
    await other.db.run(`UPDATE migration SET digest = 'of another build'`)
    for (const command of [['keys', 'list'], ['migrate']])
      await expectError(command, /^mintmark: the database was made by another build of Mintmark, .*\n$/)
    const output = [
      [999, 'the database is at migration 999'],
      [37, 'the database is of migration 37, from before the first release'],
    ] as const
    for (const [id, err] of output) {
      await other.db.run('UPDATE migration SET id = $1', [id])
      for (const command of [['keys', 'list'], ['migrate']])
        expect(await runCommand([...command, ...otherUrl])).toMatchObject({
          code: 1,
          err: expect.stringContaining(err),
        })
    }
  } finally {
    await other.drop()
  }
})

test('behavior: commands run concurrently with the embedded database', system, async () => {
  const data = ['--data', join(folder, 'data')]
  writeFileSync(join(folder, 'mintmark.config.json'), '{ "logLevel": "error" }')
  try {
    const first = await mintmark(['migrate', ...data])
    expect(first).toMatchObject({ code: 0, out: expect.stringMatching(/^migrated: 1/) })
    expect(first.err).toContain(`created a new database in ${data[1]};`)
    const both = await Promise.all([
      mintmark(['keys', 'create', 'a', ...data]),
      mintmark(['keys', 'create', 'b', ...data]),
    ])
    for (const { code, err } of both) expect([code, /mintmark:|created/.test(err)]).toEqual([0, false])
    const queried = await mintmark(['db', 'query', 'SELECT name, hash FROM api_key ORDER BY name', '--json', ...data])
    expect(JSON.parse(queried.out)).toMatchObject({
      rows: [
        ['a', '***'],
        ['b', '***'],
      ],
    })
  } finally {
    rmSync(join(folder, 'mintmark.config.json'))
  }
})
