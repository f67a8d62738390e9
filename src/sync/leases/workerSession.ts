import { hostname } from 'node:os'
import type pg from 'pg'
import { type Database, type Sql, sqlOn } from '../../db/database.ts'
import { isConnectionError, marked } from '../../db/databaseError.ts'
import { isConnected, workerLock } from './livingWorkers.ts'

/** Notified whenever a worker released leases, so that the others take them immediately. */
export const leaseChannel = 'mintmark_leases'

/**
 * A worker's dedicated connection. It has the session lock that proves to other workers that this one is running. All statements about leases use it,
 * so a heartbeat never waits for a pool connection.
 */
export type WorkerSession = {
  id: number
  /** A statement without an answer for `mostUnresponsiveMs` fails and ends the session. */
  sql: Sql
  /** Sends a heartbeat. False: the others considered this worker dead. */
  beat(): Promise<boolean>
  /** Whether another worker ended without releasing its leases. */
  othersEnded(): Promise<boolean>
  end(): Promise<void>
}

export type WorkerSessionOptions = {
  db: Database
  /** The worker's row: kinds of leases, and keys by kind as JSON. */
  kinds: readonly string[]
  takes: string
  mostUnresponsiveMs: number
  /** The connection was closed, which released the lock. */
  onEnd: (session: WorkerSession | undefined) => void
  /** Another worker released leases. */
  onReturned: () => void
}

/** Inserts the worker's row. It becomes visible together with the session lock, so that no process considers a new worker dead. */
export async function openWorkerSession(options: WorkerSessionOptions): Promise<WorkerSession> {
  const { db, kinds, takes, mostUnresponsiveMs, onEnd, onReturned } = options
  const client = await db.connect()
  let session: WorkerSession | undefined
  client.on('end', () => onEnd(session))
  client.on('notification', onReturned)
  const sql = sqlOn({
    async query(config) {
      try {
        return await client.query({ ...config, query_timeout: mostUnresponsiveMs } as pg.QueryArrayConfig)
      } catch (error) {
        if (isConnectionError(error)) await client.end()
        throw marked(error)
      }
    },
  })
  try {
    await client.query('BEGIN')
    const [row] = await sql.rows<[number]>(
      'INSERT INTO worker (host, pid, connections, kinds, takes) VALUES ($1, $2, $3, $4, $5) RETURNING id',
      [hostname(), process.pid, db.name, kinds, takes],
    )
    const id = row![0]
    await sql.rows('SELECT pg_advisory_lock($1, $2)', [workerLock, id])
    await client.query(`COMMIT; LISTEN ${leaseChannel}`)
    session = {
      id,
      sql,
      beat: async () => (await sql.run('UPDATE worker SET heartbeat_at = now() WHERE id = $1', [id])) > 0,
      othersEnded: async () =>
        (await sql.rows(`SELECT 1 FROM worker w WHERE NOT ${isConnected('w')} LIMIT 1`)).length > 0,
      end: () => client.end(),
    }
    return session
  } catch (error) {
    await client.end()
    throw error
  }
}
