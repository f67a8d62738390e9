import pg from 'pg'
import { checkSessions } from './checkSessions.ts'
import type { Database } from './database.ts'
import { DatabaseUnavailableError, isConnectionError } from './databaseError.ts'

/**
 * Asks a database a first time, `what` of this server. Where it does not answer, throws DatabaseUnavailableError, which names the database's address. Throws
 * PooledSessionsError where a pooler stands before it that Mintmark cannot work with; before the embedded one there is none.
 */
export async function reachDatabase(db: Database, connection: pg.ClientConfig, what = 'the database'): Promise<void> {
  try {
    await db.rows('SELECT 1')
  } catch (error) {
    if (!isConnectionError(error)) throw error
    // An error of our own says no more than this one will: its cause does.
    const cause = error instanceof DatabaseUnavailableError ? error.cause : error
    throw new DatabaseUnavailableError(`${what} at ${placeOf(connection)} cannot be reached`, { cause })
  }
  if (connection.connectionString !== undefined) await checkSessions(connection, what)
}

/** `127.0.0.1:5432`, or the folder of a socket: as the driver reads the address, the variables PGHOST and PGPORT included. */
function placeOf(connection: pg.ClientConfig): string {
  const { host, port } = new pg.Client(connection)
  return host.startsWith('/') ? `the socket in ${host}` : `${host.includes(':') ? `[${host}]` : host}:${port}`
}
