import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Config } from '../config/config.ts'
import { readUnreachableNodes } from '../db/cluster/readNodes.ts'
import { createDatabase, type Database } from '../db/database.ts'
import { DataDirInUseError } from '../db/embedded/dataDirLock.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../db/embedded/startEmbeddedPostgres.ts'
import { createPipeline, type Pipeline } from '../db/pipeline/pipeline.ts'
import { reachDatabase } from '../db/server/reachDatabase.ts'
import { createTimelineCheck } from '../db/server/timelineCheck.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Log } from '../util/log.ts'
import { backgroundNiceness, lowerPriorityOf } from '../util/threads/lowerPriority.ts'
import { watchDatabase } from './watchDatabase.ts'

/** Time limit of a statement for a client. Statements of background work have none. */
const clientTimeoutMs = 5_000

/** The time limits of a statement for a client, as connection settings. */
export const clientTimeouts = { statement_timeout: clientTimeoutMs, query_timeout: clientTimeoutMs + 500 }

/** How long the database may take to report unreachable cluster nodes: longer than it waits for one (`citus.node_connection_timeout`). */
const queryTimeoutMs = 60_000

/** How long the statement of a page waits for a connection, in milliseconds. */
export const pageQueueMs = clientTimeoutMs

/** How long a server waits for a starting PostgreSQL, for example during crash recovery. */
const startingMs = 60_000

/** How long a server waits for the data folder, which a command may hold briefly while no server runs. */
const folderWaitMs = 5_000

/**
 * Opens four pools, each with a quarter of the connections, so that none waits for another. `db`: for leases, the head and webhooks; `background`:
 * for deferrable work; `forClients`: for requests, whose statements have a timeout; `forPages`: for the pages of records. One of its connections is
 * `lookups`: for the short statements of every cached page. Processes that consider this one dead end its work through both `db` and `background`.
 * `unreachableNodes`: the cluster nodes that do not answer. `cut`: stops the embedded PostgreSQL, which cancels all statements; undefined for an external
 * server.
 */
export async function openDatabases(options: {
  config: Config
  metrics: Pick<Metrics, 'unreachableDatabaseNodes'>
  log: Log
  undo: (() => Promise<void>)[]
  onError: (error: unknown) => void
  /** Called once if a connection leads to a diverged timeline of the database, or to another database. */
  onOtherTimeline?: ((error: Error) => void) | undefined
  /** Ends the wait for a starting database. */
  signal?: AbortSignal | undefined
}): Promise<{
  db: Database
  background: Database
  forClients: Database
  forPages: Pipeline
  lookups: Pipeline
  unreachableNodes: () => readonly string[]
  cut: (() => Promise<void>) | undefined
}> {
  const { config, metrics, log, undo, onError, onOtherTimeline, signal } = options
  let connection: pg.ClientConfig
  let cut: (() => Promise<void>) | undefined
  if (config.databaseUrl === null) {
    const embedded = await startPostgres(config.dataDir, log)
    cut = embedded.stop
    undo.push(embedded.stop)
    connection = embedded.connection
  } else connection = { connectionString: config.databaseUrl }
  const quarter = Math.ceil(config.databasePoolSize / 4)
  // A transaction may have to wait for another one of the same pool.
  const some = Math.max(2, quarter)
  const { check } = createTimelineCheck((error) => {
    log.error({ reason: error.message }, 'database timeline diverged')
    onOtherTimeline?.(error)
  })
  const db: Database = createDatabase({ connection, poolSize: some, log, onError: observe, check })
  undo.push(db.close)
  const background = createDatabase({
    ...{ connection, poolSize: some, log, onError: observe, check, name: db.name },
    ...(config.databaseUrl === null && { onBackend: niceDown }),
  })
  undo.push(background.close)
  // Statements that wait for an unresponsive node may hold all connections of `db`. This one is opened while something is unreachable.
  const requesting = createDatabase({ connection: { ...connection, query_timeout: queryTimeoutMs }, poolSize: 1, log })
  undo.push(requesting.close)
  const watch = watchDatabase({ request: () => readUnreachableNodes(requesting), metrics, log })
  undo.push(watch.close)
  function observe(error: unknown): void {
    watch.observe(error)
    onError(error)
  }
  await reachDatabase(db, connection, { startingMs, signal })
  const timely = { connection: { ...connection, ...clientTimeouts }, log, onError: observe }
  const forClients = createDatabase({ ...timely, poolSize: quarter, check })
  undo.push(forClients.close)
  // The embedded PostgreSQL shares the cores with this process: more concurrent statements than cores only slow it down.
  const most = config.databaseUrl === null ? availableParallelism() + 1 : quarter - 1
  const connections = Math.max(1, Math.min(quarter - 1, most))
  const forPages = createPipeline({ ...timely, connections, queueTimeoutMs: pageQueueMs })
  undo.push(forPages.close)
  // Not one of the page connections: a short statement would wait there for long ones.
  const lookups = createPipeline({ ...timely, connections: 1, queueTimeoutMs: pageQueueMs })
  undo.push(lookups.close)
  return { db, background, forClients, forPages, lookups, unreachableNodes: watch.unreachableNodes, cut }
}

/** Lowers the priority of this process of the embedded server. */
function niceDown(pid: number): void {
  try {
    lowerPriorityOf(pid)
  } catch {
    // If the server's user differs, so that this process may not change its priorities, all of them are equal.
  }
  try {
    // Each connection's process is a session of its own. If Linux groups processes by session (sched(7), autogroup), it compares their groups first,
    // and a niceness counts only within its group.
    writeFileSync(`/proc/${pid}/autogroup`, String(backgroundNiceness), { flag: 'r+' })
  } catch {
    // This system has no such groups.
  }
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
