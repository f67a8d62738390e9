import type pg from 'pg'
import { MintmarkError } from '../../util/errors.ts'
import { clientSettings } from '../database.ts'
import { sqlState } from '../databaseError.ts'
import { SessionClient } from '../sessionClient.ts'

/** The address leads to a pooler that assigns each transaction another session of PostgreSQL, or that has too few sessions. */
export class PooledSessionsError extends MintmarkError {
  readonly code = 'DATABASE_POOLED'
}

/** Rounds in which two connections are compared: a round-robin pooler may assign a connection the same session once. */
const rounds = 3

/**
 * Throws PooledSessionsError if a connection is not one session of PostgreSQL, as behind PgBouncer with pool_mode transaction. Prepared statements,
 * LISTEN and the workers' liveness locks would then be lost. A pooler is recognized by its behaviour. One of two connections keeps a transaction
 * open, so its session is not available to the other one. A pooler then shows one session to both, or several to one.
 */
export async function checkSessions(connection: pg.ClientConfig, what = 'the database'): Promise<void> {
  const pooled = (cause?: unknown) =>
    new PooledSessionsError(
      `the address of ${what} leads to a pooler in transaction or statement mode (pool_mode of PgBouncer), which Mintmark cannot use: use PostgreSQL itself, or pool_mode session`,
      { cause },
    )
  const full = (cause: unknown) =>
    new PooledSessionsError(
      `the pooler at the address of ${what} gave no session: make its pool larger (default_pool_size of PgBouncer), as each process needs databasePoolSize plus eight`,
      { cause },
    )
  const clients = [open(connection), open(connection)] as const
  try {
    for (const client of clients) await client.connect()
    const seen = [new Set<number>(), new Set<number>()] as const
    const request = async (which: 0 | 1) => {
      const { rows } = await clients[which].query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      const { pid } = rows[0]!
      seen[which].add(pid)
      if (seen[which].size > 1 || seen[1 - which]!.has(pid)) throw pooled()
    }
    for (let round = 0; round < rounds; round++) {
      const holding = (round % 2) as 0 | 1
      const other = (1 - holding) as 0 | 1
      await request(other)
      await clients[holding].query('BEGIN').catch((error: unknown) => {
        if (sqlState(error) !== '08P01') throw error
        // A pooler in statement mode has no transactions. With the same code, PgBouncer reports that its pool is full.
        throw /statement pooling/.test((error as Error).message) ? pooled(error) : full(error)
      })
      await request(holding)
      await request(other)
      await clients[holding].query('COMMIT')
    }
  } finally {
    for (const client of clients) await client.end().catch(() => undefined)
  }
}

function open(connection: pg.ClientConfig): pg.Client {
  const client = new SessionClient(clientSettings(connection))
  // A lost connection fails its pending statement.
  client.on('error', () => undefined)
  return client
}
