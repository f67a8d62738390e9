import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { expect, inject, onTestFinished, test } from 'vitest'
import { listenBefore } from '../../test/beforePostgres.ts'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { onCluster } from '../../test/onCluster.ts'
import { onServer } from '../../test/onServer.ts'
import { outageOf } from '../util/errors.ts'
import { noopLog } from '../util/log.ts'
import { createDatabase, type Database } from './database.ts'
import { isConnectionError } from './databaseError.ts'
import { createPipeline, type Pipeline } from './pipeline/pipeline.ts'

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ migrated: false })
  onTestFinished(database.drop)
  return database
}

function clientsOf(connection: TestDatabase['connection']): { db: Database; pipeline: Pipeline } {
  const db = createDatabase({ connection, poolSize: 2, log: noopLog })
  onTestFinished(db.close)
  const pipeline = createPipeline({ connection, connections: 1, queueTimeoutMs: 5_000, log: noopLog })
  onTestFinished(pipeline.close)
  return { db, pipeline }
}

/** A role that only this test uses. */
async function createRole(db: Database, options: string): Promise<string> {
  const role = `mintmark_test_${randomBytes(6).toString('hex')}`
  await db.run(`CREATE ROLE ${role} ${options}`)
  onTestFinished(async () => void (await db.run(`DROP ROLE ${role}`)))
  return role
}

type Refusal = [
  what: string,
  code: string | undefined,
  prepare: (t: TestDatabase) => Promise<TestDatabase['connection']>,
]
const refusals: Refusal[] = [
  ['a role that may not log in', '28000', async (t) => ({ ...t.connection, user: await createRole(t.db, 'NOLOGIN') })],
  [
    'a database that accepts no connections',
    '55000',
    async ({ connection }) => {
      await onServer(inject('postgres').connection, `ALTER DATABASE ${connection.database} ALLOW_CONNECTIONS false`)
      return connection
    },
  ],
  [
    'a role without the right CONNECT',
    '42501',
    async ({ db, connection }) => {
      await db.run(`REVOKE CONNECT ON DATABASE ${connection.database} FROM public`)
      return { ...connection, user: await createRole(db, 'LOGIN') }
    },
  ],
  ['a database that was dropped', '3D000', async ({ connection }) => ({ ...connection, database: 'mintmark_nowhere' })],
  ['a server without TLS', undefined, async ({ connection }) => ({ ...connection, ssl: true })],
  // TCP has no route to a broadcast address.
  ['a host without a route', 'ENETUNREACH', async () => ({ host: '255.255.255.255', port: 1 })],
]

test.skipIf(onCluster).each(refusals)('error: %s counts as an unreachable database (%s)', async (_, code, prepare) => {
  const { db, pipeline } = clientsOf(await prepare(await emptyDatabase()))
  const failures = await Promise.all(
    [
      db.rows('SELECT 1'),
      db.transaction(async () => undefined),
      db.connect(),
      db.listen('news', () => undefined),
      pipeline.rows('SELECT 1'),
    ].map((work) => work.then(String, (error: Error) => error)),
  )
  const cause = code === undefined ? expect.any(Error) : expect.objectContaining({ code })
  for (const failure of failures) {
    expect(failure).toMatchObject({ code: 'DATABASE_UNAVAILABLE', cause })
    expect([isConnectionError(failure), outageOf(failure)]).toEqual([true, 'database'])
  }
})

test('behavior: times and texts with backslashes are read alike, whatever the database has as its defaults', async () => {
  const { db: admin, connection } = await emptyDatabase()
  for (const setting of [`datestyle = 'SQL, DMY'`, 'standard_conforming_strings = off'])
    await admin.run(`ALTER DATABASE ${connection.database} SET ${setting}`)
  const { db, pipeline } = clientsOf(connection)
  const client = await db.connect()
  onTestFinished(() => client.end())
  const text = String.raw`SELECT '2026-02-01T00:00Z'::timestamptz, '\x00ff'::bytea`
  const rows = [
    ...(await db.rows(text)),
    ...(await db.transaction((tx) => tx.fresh.rows(text))),
    ...(await client.query({ text, rowMode: 'array' })).rows,
    ...(await pipeline.rows(text)),
  ]
  expect(rows).toEqual(Array(4).fill([new Date('2026-02-01'), Buffer.from('00ff', 'hex')]))
})

test('error: a connection that this side gives up, as the server requests a missing password, is closed', async () => {
  const open = new Set<Socket>()
  const { port } = await listenBefore((client) => {
    open.add(client.once('close', () => open.delete(client)))
    // AuthenticationSASL, then AuthenticationSASLContinue. Source: PostgreSQL, Message Formats.
    client.write(authentication(10, 'SCRAM-SHA-256\0\0'))
    client.once('data', () => client.write(authentication(11, 'r=nonce,s=salt,i=4096')))
  })
  const { db, pipeline } = clientsOf({ host: '127.0.0.1', port, user: 'nobody', database: 'none' })
  const works = [db.rows('SELECT 1'), db.connect(), db.listen('news', () => undefined), pipeline.rows('SELECT 1')]
  const failures = await Promise.all(works.map((work) => work.then(String, (error: unknown) => error)))
  const failure = { code: 'DATABASE_UNAVAILABLE', cause: { message: expect.stringContaining('password must be a') } }
  expect(failures).toMatchObject(works.map(() => failure))
  await expect.poll(() => open.size).toBe(0)
})

function authentication(code: number, text: string): Buffer {
  const message = Buffer.alloc(9 + text.length)
  message.write('R')
  message.writeInt32BE(8 + text.length, 1)
  message.writeInt32BE(code, 5)
  message.write(text, 9)
  return message
}
