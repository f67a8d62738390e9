import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { createDatabase, type Database } from '../src/db/database.ts'
import { type Log, silentLog } from '../src/log.ts'

export type TestDatabase = {
  db: Database
  /** For further clients and for processes that the test starts. */
  connection: pg.ClientConfig
  /** The same connection as a `databaseUrl`. */
  url: string
  /** Closes `db` and removes the database, also where others are still connected to it. */
  drop(): Promise<void>
}

export type TestDatabaseOptions = {
  poolSize?: number
  log?: Log
  /** False for one without any table. */
  migrated?: boolean
}

/** A migrated database without data, of the test's own, on the server of this run. Takes 30 to 60 ms. */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const server = inject('postgres')
  const name = `test_${randomBytes(6).toString('hex')}`
  await onServer(
    server.connection,
    // Copied as files: page by page through the log takes twenty times as long.
    `CREATE DATABASE ${name} TEMPLATE ${options.migrated === false ? 'template0' : server.template} STRATEGY file_copy`,
  )
  const connection = { ...server.connection, database: name }
  const db = createDatabase({ connection, poolSize: options.poolSize ?? 8, log: options.log ?? silentLog })
  return {
    db,
    connection,
    url: databaseUrl(connection),
    async drop() {
      await db.close()
      await onServer(server.connection, `DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

/** One statement outside of any transaction, on a connection that lasts no longer. */
async function onServer(connection: pg.ClientConfig, text: string): Promise<void> {
  const client = new pg.Client(connection)
  // A connection that is lost between statements fails the next one; without a listener it would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

function databaseUrl({ host = '', port = 5432, user = '', database = '' }: pg.ClientConfig): string {
  const query = new URLSearchParams({ host, port: String(port), user })
  return `postgres:///${database}?${query}`
}
