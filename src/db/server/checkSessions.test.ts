import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { runCommand } from '../../../test/commandLine.ts'
import { freePort } from '../../../test/freePort.ts'
import { patience } from '../../../test/patience.ts'
import { temporaryFolder } from '../../../test/temporaryFolder.ts'
import { serverOf, startTransactionPooler } from '../../../test/transactionPooler.ts'
import { checkSessions } from './checkSessions.ts'

const { connection } = inject('postgres')
const { user } = connection
const over = (port: number) => ({ host: '127.0.0.1', port, user: user!, database: 'postgres' })
const rejected = { code: 'DATABASE_POOLED', message: expect.stringContaining('transaction or statement mode') }

test('default: direct connections to PostgreSQL pass the check', async () => {
  await checkSessions(connection)
})

test.each([true, false])(
  'error: rejects a pooler that switches sessions between transactions; sessions in turn: %s',
  async (serially) => {
    const pooler = await startTransactionPooler(serverOf(connection), { serially })
    await expect(checkSessions(over(pooler.port))).rejects.toMatchObject(rejected)
    const url = `postgres://${user}@127.0.0.1:${pooler.port}/postgres`
    const { code, err } = await runCommand(['status', '--database-url', url])
    expect(code).not.toBe(0)
    expect(err.trim().split('\n')).toHaveLength(1)
    expect(err).toContain('use PostgreSQL itself, or pool_mode session')
  },
)

const pgbouncer = '/usr/sbin/pgbouncer'

/** Starts the real PgBouncer, if it is installed. Returns its port. */
async function startPgbouncer(
  mode: 'transaction' | 'statement' | 'session',
  poolSize: number,
  waitSeconds?: number,
): Promise<number> {
  const own = await freePort()
  // The user of PgBouncer has no access to the folder of the socket.
  const relay = createServer((socket) => {
    const upstream = connect(serverOf(connection))
    for (const end of [socket, upstream]) end.on('error', () => undefined)
    socket.pipe(upstream).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(relay, 'listening')
  onTestFinished(() => void relay.close())
  const target = (relay.address() as AddressInfo).port
  const folder = await temporaryFolder()
  await chmod(folder, 0o755)
  const lines = [
    ...['[databases]', `* = host=127.0.0.1 port=${target} user=${user}`],
    ...['[pgbouncer]', 'listen_addr = 127.0.0.1', `listen_port = ${own}`, 'unix_socket_dir =', 'auth_type = any'],
    ...[`pool_mode = ${mode}`, `default_pool_size = ${poolSize}`],
    ...(waitSeconds === undefined ? [] : [`query_wait_timeout = ${waitSeconds}`]),
  ]
  await writeFile(join(folder, 'pgbouncer.ini'), lines.join('\n'))
  // PgBouncer refuses to run as root.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const child = spawn(pgbouncer, [join(folder, 'pgbouncer.ini')], { stdio: 'ignore', ...nobody })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return own
}

/** Runs the check once PgBouncer accepts connections. */
const checkedOnceUp = (port: number) =>
  vi.waitFor(async () => {
    const outcome = await checkSessions(over(port)).catch((error: unknown) => error)
    expect(outcome).not.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
    return outcome
  }, patience)

test.skipIf(!existsSync(pgbouncer)).each([
  ['transaction', 20],
  ['transaction', 1],
  ['statement', 20],
] as const)('error: rejects PgBouncer in %s mode with %s sessions', async (mode, poolSize) => {
  expect(await checkedOnceUp(await startPgbouncer(mode, poolSize))).toMatchObject(rejected)
})

test.skipIf(!existsSync(pgbouncer))('behavior: accepts PgBouncer in session mode', async () => {
  expect(await checkedOnceUp(await startPgbouncer('session', 20))).toBe(undefined)
})

test.skipIf(!existsSync(pgbouncer))('error: PgBouncer with too few sessions is not another mode', async () => {
  const outcome = (await checkedOnceUp(await startPgbouncer('session', 1, 1))) as Error
  expect(outcome.message).toContain('the pooler at the address of the database gave no session: make its pool larger')
})
