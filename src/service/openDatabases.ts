import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Config } from '../config.ts'
import { createDatabase, type Database } from '../db/database.ts'
import { DataDirInUseError } from '../db/embedded/dataDirLock.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../db/embedded/startEmbeddedPostgres.ts'
import { createPipeline, type Pipeline } from '../db/pipeline.ts'
import { reachDatabase } from '../db/reachDatabase.ts'
import type { Log } from '../log.ts'
import { watchDatabase } from './watchDatabase.ts'

/** Longest time of a statement for a client. Statements of background work have no bound. */
const clientTimeoutMs = 5_000

/** How long a server waits for the data folder, which a command may hold for a moment while no server runs. */
const folderWaitMs = 5_000

/**
 * Opens the database three times, each with connections of its own, so that none of them waits for another: `db` for background work,
 * with half of the connections; `forClients` for requests, whose statements have a timeout; `forPages` for the pages of records.
 */
export async function openDatabases(
  config: Config,
  log: Log,
  undo: (() => Promise<void>)[],
  onError: (error: unknown) => void,
): Promise<{ db: Database; forClients: Database; forPages: Pipeline }> {
  let connection: pg.ClientConfig
  if (config.databaseUrl === null) {
    const embedded = await startPostgres(config.dataDir, log)
    undo.push(embedded.stop)
    connection = embedded.connection
  } else connection = { connectionString: config.databaseUrl }
  const quarter = Math.ceil(config.databasePoolSize / 4)
  const db: Database = createDatabase({ connection, poolSize: 2 * quarter, log, onError: observe })
  undo.push(db.close)
  const watch = watchDatabase({ ask: () => db.rows('SELECT 1'), log })
  undo.push(watch.close)
  function observe(error: unknown): void {
    watch.observe(error)
    onError(error)
  }
  await reachDatabase(db, connection)
  const timeouts = { statement_timeout: clientTimeoutMs, query_timeout: clientTimeoutMs + 500 }
  const timely = { connection: { ...connection, ...timeouts }, log, onError: observe }
  const forClients = createDatabase({ ...timely, poolSize: quarter })
  undo.push(forClients.close)
  // The embedded PostgreSQL shares the cores with this process: more statements than it can work on at once only slow it down.
  const connections = config.databaseUrl === null ? Math.min(quarter, availableParallelism() + 1) : quarter
  const forPages = createPipeline({ ...timely, connections, turnTimeoutMs: clientTimeoutMs })
  undo.push(forPages.close)
  return { db, forClients, forPages }
}

async function startPostgres(dataDir: string, log: Log): Promise<EmbeddedPostgres> {
  for (const deadline = performance.now() + folderWaitMs; ; await delay(100))
    try {
      return await startEmbeddedPostgres({ dataDir, log })
    } catch (error) {
      if (!(error instanceof DataDirInUseError) || performance.now() > deadline) throw error
    }
}

/** Whether the database answers a statement. */
export async function isReachable(db: Database): Promise<boolean> {
  try {
    await db.rows('SELECT 1')
    return true
  } catch {
    // Whatever the reason, it cannot serve requests now.
    return false
  }
}
