import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Database } from '../database.ts'
import { DatabaseUnavailableError, isConnectionError, isStarting } from '../databaseError.ts'
import { checkSessions } from './checkSessions.ts'

export type ReachOptions = {
  /** Name of the database in errors; default: the database. */
  what?: string
  /** How long a server may report that it is starting, in milliseconds; omitted: it is an error at once. */
  startingMs?: number
  /** Ends the wait. */
  signal?: AbortSignal | undefined
}

/**
 * Connects to a database for the first time. Throws DatabaseUnavailableError with its address if it does not respond, and PooledSessionsError if an
 * unusable pooler is in front of it. The embedded database has no pooler.
 */
export async function reachDatabase(
  db: Database,
  connection: pg.ClientConfig,
  { what = 'the database', startingMs = 0, signal }: ReachOptions = {},
): Promise<void> {
  for (const deadline = performance.now() + startingMs; ; await delay(100, undefined, { signal }))
    try {
      await db.rows('SELECT 1')
      break
    } catch (error) {
      if (!isConnectionError(error)) throw error
      // Our own error says no more than the new one: only its cause does.
      const cause = error instanceof DatabaseUnavailableError ? error.cause : error
      if (isStarting(cause) && performance.now() < deadline) continue
      throw new DatabaseUnavailableError(`${what} at ${placeOf(connection)} cannot be reached`, { cause })
    }
  if (connection.connectionString !== undefined) await checkSessions(connection, what)
}

/** `127.0.0.1:5432`, or the folder of a socket: as the driver reads the URL, with the variables PGHOST and PGPORT. */
function placeOf(connection: pg.ClientConfig): string {
  const { host, port } = new pg.Client(connection)
  return host.startsWith('/') ? `the socket in ${host}` : `${host.includes(':') ? `[${host}]` : host}:${port}`
}
