// @module-tag system

import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../src/db/database.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded/startEmbeddedPostgres.ts'
import { noopLog } from '../../src/util/log.ts'
import { startAnvil } from '../anvil.ts'
import { certificates } from '../certificates.ts'
import { runCommand } from '../commandLine.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { startTestServer } from '../mintmark.ts'
import { startReceiver } from '../receiver.ts'
import { startTlsServer } from '../startTlsServer.ts'
import { createStreamClient } from '../stream/streamServer.ts'
import { system } from '../system.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

/** A database owned by the superuser. A new user has only the rights of `grants` there. */
async function databaseOf(grants: (user: string) => string): Promise<TestDatabase & { user: string }> {
  const owner = await createTestDatabase({ migrated: false })
  const user = `app_${randomBytes(4).toString('hex')}`
  await owner.db.run(`CREATE ROLE ${user} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION`)
  await owner.db.run('REVOKE ALL ON SCHEMA public FROM PUBLIC')
  await owner.db.run(`REVOKE ALL ON DATABASE ${owner.connection.database} FROM PUBLIC`)
  await owner.db.run(`GRANT CONNECT ON DATABASE ${owner.connection.database} TO ${user}`)
  for (const grant of grants(user).split(';')) await owner.db.run(grant.replaceAll('$db', owner.connection.database!))
  const connection = { ...owner.connection, user }
  const db = createDatabase({ connection, poolSize: 8, log: noopLog })
  const url = new URL(owner.url)
  url.searchParams.set('user', user)
  onTestFinished(async () => {
    await db.close()
    await owner.db.run(`DROP OWNED BY ${user} CASCADE`)
    await owner.db.run(`DROP ROLE ${user}`)
    await owner.drop()
  })
  return { ...owner, db, connection, url: url.href, user }
}

/** The rights that the documentation requires. */
const least = (user: string) =>
  `GRANT TEMPORARY ON DATABASE $db TO ${user};CREATE SCHEMA apart;GRANT USAGE, CREATE ON SCHEMA apart TO ${user};ALTER ROLE ${user} SET search_path = apart`

const command = async (database: TestDatabase, ...args: string[]) => {
  const result = await runCommand([...args, '--database-url', database.url])
  if (result.code !== 0) throw new Error(`${args.join(' ')}: ${result.err}`)
  return result.out
}

test('default: a database user that owns only its tables, in a separate schema, can run everything', async () => {
  await using anvil = await startAnvil()
  await using receiver = await startReceiver()
  const database = await databaseOf(least)
  await command(database, 'migrate')
  const contract = await anvil.deploy(plain721, ['Kept', 'KEP', 'data:,'])
  await anvil.send({
    ...{ to: contract, abi: plain721.abi, functionName: 'mintBatch' },
    args: [anvil.accounts[1]!, 0n, 5n],
  })
  const server = await startTestServer({
    rpc: [anvil.url],
    config: { outbound: { allow: ['127.0.0.1'] } },
    database,
  })
  await server.untilSynced(contract, await anvil.blockNumber())
  expect(await server.walk(contract)).toHaveLength(5)
  const streams = createStreamClient({ url: server.url, db: database.db, receiverUrl: receiver.url })
  await streams.create({ includeNativeTxs: true, allAddresses: true, topic0: [], tag: 'all' })
  const { blockHash } = await anvil.sendRaw({ to: anvil.accounts[1]!, value: 1n })
  await streams.untilFollowed(blockHash)
  await receiver.until(2)
  expect((await server.get('/ready')).status).toBe(200)
  expect(await command(database, 'status')).toContain('local')
  const file = join(await temporaryFolder(), 'backup')
  await command(database, 'backup', file)
  await server.close()

  const other = await databaseOf(least)
  await command(other, 'restore', file)
  await command(other, 'verify', '--streams')
  expect(await other.db.rows('SELECT count(*)::int FROM token')).toEqual([[5]])
  expect(
    await other.db.rows(`SELECT DISTINCT schemaname::text FROM pg_tables WHERE tableowner = $1`, [other.user]),
  ).toEqual([['apart']])
})

test.each([
  [
    'no schema',
    () => 'SELECT 1',
    /finds no schema for its tables .*CREATE SCHEMA mintmark AUTHORIZATION "app_\w+".* and may not make temporary tables: GRANT TEMPORARY ON DATABASE/,
  ],
  [
    'no right to create',
    (user: string) => `GRANT TEMPORARY ON DATABASE $db TO ${user};GRANT USAGE ON SCHEMA public TO ${user}`,
    /may not create tables in schema public: GRANT USAGE, CREATE ON SCHEMA "public" TO "app_\w+"/,
  ],
  [
    'no temporary tables',
    (user: string) => `GRANT USAGE, CREATE ON SCHEMA public TO ${user}`,
    /may not make temporary tables: GRANT TEMPORARY ON DATABASE "test_\w+" TO "app_\w+"/,
  ],
] as const)('error: one line reports the missing right of a user with %s', async (_, grants, expected) => {
  const database = await databaseOf(grants)
  for (const args of [['migrate'], ['keys', 'create']]) {
    const { code, err } = await runCommand([...args, '--database-url', database.url])
    expect([code, err.trim().split('\n').length], err).toEqual([1, 1])
    expect(err).toMatch(expected)
  }
})

test('error: the message says that another user owns the tables', async () => {
  const database = await databaseOf(least)
  const other = new URL(database.url)
  other.searchParams.set('user', 'postgres')
  other.searchParams.set('options', '-c search_path=apart')
  expect(await runCommand(['migrate', '--database-url', other.href])).toMatchObject({ code: 0 })
  const { code, err } = await runCommand(['migrate', '--database-url', database.url])
  expect([code, err.trim().split('\n').length], err).toEqual([1, 1])
  expect(err).toContain(
    `does not own the tables, postgres does: connect as that user, or GRANT "postgres" TO "${database.user}"`,
  )
})

/** A PostgreSQL behind TLS that requires SCRAM passwords, like a hosted database. */
async function startGuarded(): Promise<(password: string, settings: Record<string, string>) => string> {
  const folder = await temporaryFolder()
  const server = await startEmbeddedPostgres({ dataDir: folder, log: noopLog })
  onTestFinished(() => server.stop())
  const admin = createDatabase({ connection: server.connection, poolSize: 1, log: noopLog })
  await admin.run(`CREATE ROLE app LOGIN PASSWORD 'se:cr/et'`)
  await admin.run('CREATE SCHEMA app AUTHORIZATION app')
  const hba = join(folder, 'postgres', 'pg_hba.conf')
  await writeFile(hba, 'local all postgres trust\nlocal all all scram-sha-256\n')
  await admin.rows('SELECT pg_reload_conf()')
  await admin.close()
  const { port } = await startTlsServer(server.connection)
  return (password, settings) =>
    `postgres://app:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres?${new URLSearchParams(settings)}`
}

test(
  'behavior: SCRAM passwords and verified certificates work, and a wrong one of either is reported in one line',
  system,
  async () => {
    const url = await startGuarded()
    const ca = join(await temporaryFolder(), 'ca.pem')
    await writeFile(ca, certificates.good)
    const migrate = (...values: Parameters<typeof url>) => runCommand(['migrate', '--database-url', url(...values)])
    const verified = { sslmode: 'verify-full', sslrootcert: ca }
    expect(await migrate('se:cr/et', verified)).toMatchObject({ code: 0 })
    expect(await migrate('se:cr/et', { sslmode: 'no-verify' })).toMatchObject({ code: 0 })
    for (const [password, settings, expected] of [
      ['wrong', verified, 'password authentication failed for user "app": correct the user and the password'],
      [
        'se:cr/et',
        { sslmode: 'verify-full' },
        'add the file of its certificate authority, sslrootcert=FILE, to --database-url',
      ],
    ] as const) {
      const { code, err } = await migrate(password, settings)
      expect([code, err.trim().split('\n').length], err).toEqual([1, 1])
      expect(err).toContain(expected)
      expect(err).not.toContain(password)
    }
  },
)
