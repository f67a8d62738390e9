// @module-tag system

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newCluster } from '../../../test/newCluster.ts'
import { canRunAsOrdinaryUser, ordinaryUser } from '../../../test/ordinaryUser.ts'
import { patience } from '../../../test/patience.ts'
import { startPostgresProcess } from '../../../test/startPostgresProcess.ts'
import { temporaryDataFolder } from '../../../test/temporaryFolder.ts'
import { noopLog } from '../../util/log.ts'
import { listProcesses } from './processes.ts'
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from './startEmbeddedPostgres.ts'

async function start(dataDir: string, options: Partial<EmbeddedPostgresOptions> = {}) {
  const server = await startEmbeddedPostgres({ dataDir, log: noopLog, ...options })
  onTestFinished(() => server.stop())
  return server
}

/** Connects a client whose connection the test terminates. Outside of a statement, pg emits this as an event. */
async function connectDoomed(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function query(connection: pg.ClientConfig, text: string): Promise<unknown> {
  const client = await connectDoomed(connection)
  try {
    const result = await client.query({ text, rowMode: 'array' })
    return result.rows?.[0]?.[0]
  } finally {
    await client.end()
  }
}

/** First line of postmaster.pid. */
async function postmasterPid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
}

async function runs(pid: number): Promise<boolean> {
  return (await listProcesses()).some((p) => p.pid === pid)
}

const isRoot = process.getuid?.() === 0
const withOrdinaryUser = await canRunAsOrdinaryUser()

test('default', async () => {
  const dataDir = join(await temporaryDataFolder(), 'not', 'there', 'yet')
  const { connection, stop } = await startEmbeddedPostgres({ dataDir, log: noopLog })
  expect(await query(connection, 'SHOW server_version_num')).toMatch(/^18/)
  expect(await query(connection, 'SHOW listen_addresses')).toBe('')
  expect(await query(connection, 'SHOW fsync')).toBe('on')
  expect(await query(connection, 'SHOW server_encoding')).toBe('UTF8')
  const modes = ['', 'postgres', 'lock'].map(async (name) =>
    ((await stat(join(dataDir, name))).mode & 0o777).toString(8),
  )
  expect(await Promise.all(modes)).toEqual(['700', '700', '600'])
  await query(connection, 'CREATE TABLE kept AS SELECT 7 AS number')
  const pid = await postmasterPid(dataDir)
  await stop()
  await stop()
  expect(await runs(pid)).toBe(false)
  expect((await readdir(dataDir)).sort()).toEqual(['lock', 'postgres'])

  const again = await start(dataDir)
  expect(again.connection).toEqual(connection)
  expect(await query(again.connection, 'SELECT number FROM kept')).toBe(7)
})

test('behavior: stop ends the server and its running statements', async () => {
  const { connection, stop } = await startEmbeddedPostgres({
    dataDir: await newCluster(await temporaryDataFolder()),
    log: noopLog,
  })
  const client = await connectDoomed(connection)
  const sleeping = expect(client.query('SELECT pg_sleep(600)')).rejects.toMatchObject({ code: '57P01' })
  await stop()
  await sleeping
})

test('behavior: the server ends when its process exits without stopping it, even during a long statement', async () => {
  const dataDir = await newCluster(await temporaryDataFolder())
  const service = await startPostgresProcess(dataDir)
  const { connection } = service.outcome
  const pid = await postmasterPid(dataDir)
  const client = await connectDoomed(connection!)
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
  // This statement never waits for anything.
  client.query('SELECT count(*) FROM generate_series(1, 1e12::bigint) a(x) WHERE x < 0').catch(() => undefined)
  await service.end('SIGUSR2')
  await vi.waitUntil(async () => !(await runs(pid)) && !(await runs(rows[0].pid)), patience)
})

test('behavior: a start ends the server that a killed service left, and keeps its data', async () => {
  const dataDir = await newCluster(await temporaryDataFolder())
  const service = await startPostgresProcess(dataDir)
  const survivor = service.outcome.connection!
  await query(survivor, 'CREATE TABLE kept AS SELECT 7 AS number')
  const client = await connectDoomed(survivor)
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
  client.query('SELECT pg_sleep(600)').catch(() => undefined)
  const pid = await postmasterPid(dataDir)
  await service.end('SIGKILL')
  expect(await runs(pid)).toBe(true)

  const { connection } = await start(dataDir)
  expect(await query(connection, 'SELECT number FROM kept')).toBe(7)
  expect(await postmasterPid(dataDir)).not.toBe(pid)
  expect(await runs(pid)).toBe(false)
  expect(await runs(rows[0].pid)).toBe(false)
})

test('behavior: a start waits for a backend that outlived its postmaster', async () => {
  const dataDir = await newCluster(await temporaryDataFolder())
  const service = await startPostgresProcess(dataDir)
  const survivor = service.outcome.connection!
  await query(survivor, 'CREATE TABLE kept AS SELECT 7 AS number')
  const client = await connectDoomed(survivor)
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
  // This statement never waits for anything, so its backend does not notice the end of the postmaster.
  client.query('SELECT count(*) FROM generate_series(1, 1e12::bigint) a(x) WHERE x < 0').catch(() => undefined)
  await vi.waitUntil(
    async () => (await query(survivor, `SELECT state FROM pg_stat_activity WHERE pid = ${rows[0].pid}`)) === 'active',
    patience,
  )
  await service.end('SIGKILL')
  process.kill(await postmasterPid(dataDir), 'SIGKILL')
  expect(await runs(rows[0].pid)).toBe(true)

  const { connection } = await start(dataDir)
  expect(await runs(rows[0].pid)).toBe(false)
  expect(await query(connection, 'SELECT number FROM kept')).toBe(7)
})

test('behavior: only one of several services starts on the same folder, new or existing', async () => {
  const dataDir = await temporaryDataFolder()
  for (const round of ['new', 'old']) {
    const services = await Promise.all([1, 2, 3].map(() => startPostgresProcess(dataDir)))
    expect(services.map((s) => s.outcome.code ?? 'RUNS').sort(), round).toEqual([
      'DATA_DIR_IN_USE',
      'DATA_DIR_IN_USE',
      'RUNS',
    ])
    const winner = services.find((s) => s.outcome.connection)!
    expect(await query(winner.outcome.connection!, 'SELECT 1')).toBe(1)
    await winner.end('SIGTERM')
  }
})

test('behavior: a stale postmaster.pid of a dead server is ignored, even if another process has its PID', async () => {
  const dataDir = await newCluster(await temporaryDataFolder())
  const service = await startPostgresProcess(dataDir)
  await query(service.outcome.connection!, 'CREATE TABLE kept AS SELECT 7 AS number')
  const pidFile = join(dataDir, 'postgres/postmaster.pid')
  const owner = await stat(pidFile)
  const before = await readFile(pidFile, 'utf8')
  await service.end('SIGKILL')
  const pid = Number(before.split('\n')[0])
  process.kill(pid, 'SIGKILL')
  await vi.waitUntil(async () => !(await runs(pid)), patience)

  // The pid file has the pid of another program of the same user. PostgreSQL itself would take it for a running postmaster.
  const stranger = spawn('sleep', ['600'], isRoot ? { uid: owner.uid, gid: owner.gid } : {})
  onTestFinished(() => void stranger.kill())
  await once(stranger, 'spawn')
  await writeFile(pidFile, before.replace(/^\d+/, String(stranger.pid)))
  await writeFile(join(dataDir, 'postgres/.s.PGSQL.5432.lock'), before.replace(/^\d+/, String(stranger.pid)))

  const { connection } = await start(dataDir)
  expect(await query(connection, 'SELECT number FROM kept')).toBe(7)
  expect(await runs(stranger.pid!)).toBe(true)
})

test('behavior: a server that dies is restarted', async () => {
  const dataDir = await newCluster(await temporaryDataFolder())
  const onExit = vi.fn()
  const { connection } = await start(dataDir, { onExit })
  await query(connection, 'CREATE TABLE kept AS SELECT 7 AS number')
  process.kill(await postmasterPid(dataDir), 'SIGKILL')
  await vi.waitUntil(() => query(connection, 'SELECT number FROM kept').catch(() => undefined), patience)
  expect(onExit.mock.calls).toEqual([[{ code: null, signal: 'SIGKILL' }]])
})

test('behavior: Ctrl-C at the terminal does not reach the server', async () => {
  const dataDir = await newCluster(await temporaryDataFolder())
  const service = await startPostgresProcess(dataDir)
  const client = new pg.Client(service.outcome.connection)
  await client.connect()
  process.kill(-service.child.pid!, 'SIGINT')
  // A fast shutdown would close this connection and reject the next one.
  await client.query('SELECT pg_sleep(0.3)')
  await client.end()
  expect(await query(service.outcome.connection!, 'SELECT 1')).toBe(1)
})

for (const [title, build] of [
  ['a path closed to others', async (folder: string) => folder],
  ['a path too long for a socket', async (folder: string) => join(folder, 'a'.repeat(75), 'b'.repeat(75))],
] as const) {
  test(`behavior: the server works under ${title}, and restarts there after kill -9`, async () => {
    const closed = await temporaryDataFolder()
    await chmod(closed, 0o700)
    const dataDir = await build(closed)
    const service = await startPostgresProcess(dataDir)
    await query(service.outcome.connection!, 'CREATE TABLE kept AS SELECT 7 AS number')
    await service.end('SIGKILL')
    const { connection } = await start(dataDir)
    expect(await query(connection, 'SELECT number FROM kept')).toBe(7)
  })

  test.runIf(withOrdinaryUser)(`behavior: the server works for an ordinary user under ${title}`, async () => {
    const closed = await temporaryDataFolder()
    await chown(closed, ordinaryUser.uid, ordinaryUser.gid)
    await chmod(closed, 0o700)
    const service = await startPostgresProcess(await build(closed), ordinaryUser)
    expect(service.outcome.code).toBeUndefined()
    expect(await query(service.outcome.connection!, 'SELECT 1')).toBe(1)
  })
}

test('error: rejects the database of another major version', async () => {
  const dataDir = await temporaryDataFolder()
  await mkdir(join(dataDir, 'postgres'))
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), '17\n')
  await expect(start(dataDir)).rejects.toMatchObject({ code: 'DATA_VERSION', message: expect.stringContaining('17') })
})

test('error: rejects a folder with other contents, and leaves it unchanged', async () => {
  const dataDir = await temporaryDataFolder()
  await mkdir(join(dataDir, 'postgres'))
  await writeFile(join(dataDir, 'postgres/letters.txt'), 'dear')
  await expect(start(dataDir)).rejects.toMatchObject({ code: 'DATA_VERSION' })
  expect(await readFile(join(dataDir, 'postgres/letters.txt'), 'utf8')).toBe('dear')
})

test('error: a failed start reports the PostgreSQL error, and unlocks the folder', async () => {
  const dataDir = await temporaryDataFolder()
  await expect(start(dataDir, { settings: { work_mem: 'plenty' } })).rejects.toMatchObject({
    code: 'POSTGRES_START',
    message: expect.stringContaining('work_mem'),
  })
  await start(dataDir)
})

test.runIf(withOrdinaryUser)(
  'error: reports to an ordinary user that the database belongs to another user',
  async () => {
    const dataDir = await temporaryDataFolder()
    await chmod(dataDir, 0o755)
    const { stop } = await startEmbeddedPostgres({ dataDir, log: noopLog })
    await stop()
    const stranger = { uid: 12_345, gid: 12_345 }
    expect((await startPostgresProcess(dataDir, stranger)).outcome.code).toBe('DATA_DIR')
    await chown(dataDir, stranger.uid, stranger.gid)
    await chown(join(dataDir, 'lock'), stranger.uid, stranger.gid)
    expect((await startPostgresProcess(dataDir, stranger)).outcome).toMatchObject({
      code: 'EMBEDDED_POSTGRES_UNAVAILABLE',
      message: expect.stringContaining('belongs to the user'),
    })
  },
)
