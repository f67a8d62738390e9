import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Config } from '../../config/config.ts'
import { nodesWithin } from '../../db/cluster/citus.ts'
import { createDatabase, type Database } from '../../db/database.ts'
import { DatabaseUnavailableError } from '../../db/databaseError.ts'
import { DataDirInUseError } from '../../db/embedded/dataDirLock.ts'
import { openSocketFolder, socketPort } from '../../db/embedded/socketFolder.ts'
import { startEmbeddedPostgres } from '../../db/embedded/startEmbeddedPostgres.ts'
import { reachDatabase } from '../../db/server/reachDatabase.ts'
import { silentLog } from '../../util/log.ts'

/** The database of a command, for as long as the command lasts. */
export type CommandDatabase = {
  db: Database
  close(): Promise<void>
}

/** How long a server on the same data folder may still be starting its PostgreSQL. */
const startingMs = 10_000
/** How long a command waits for others that use its PostgreSQL. */
const leavingMs = 5_000

/**
 * Opens the database of the configuration. The embedded one of a running server is joined by its socket; where no server
 * runs, it is started for the time of the command. A PostgreSQL that another command ran and stops meanwhile is started here. `nodeTimeoutMs`: how
 * long a node of a cluster may take to accept a connection; else as long as Citus waits.
 */
export async function openDatabase(
  config: Config,
  signal: AbortSignal,
  { nodeTimeoutMs }: { nodeTimeoutMs?: number | undefined } = {},
): Promise<CommandDatabase> {
  const check =
    nodeTimeoutMs === undefined
      ? undefined
      : async (client: pg.ClientBase) => void (await client.query(nodesWithin(nodeTimeoutMs)))
  for (const deadline = performance.now() + startingMs; ; await delay(100, undefined, { signal })) {
    const { connection, joined, stop } = await connect(config)
    const db = createDatabase({ connection, poolSize: 4, log: silentLog, check })
    const close = async () => {
      await db.close()
      if (!joined && config.databaseUrl === null) await untilAlone(connection)
      await stop()
    }
    try {
      await reachDatabase(db, connection)
      return { db, close }
    } catch (error) {
      await close()
      if (!joined || !(error instanceof DatabaseUnavailableError)) throw error
      if (performance.now() > deadline)
        throw new DataDirInUseError(
          `${config.dataDir} is in use by another Mintmark process, whose PostgreSQL does not respond: wait until it has started, or stop it`,
          { cause: error },
        )
    }
  }
}

/** Waits until the commands that joined this command's PostgreSQL have left it, as its end would end them. */
async function untilAlone(connection: pg.ClientConfig): Promise<void> {
  const db = createDatabase({ connection, poolSize: 1, log: silentLog })
  const others = `SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`
  try {
    for (const deadline = performance.now() + leavingMs; performance.now() < deadline; await delay(20))
      if ((await db.rows(others)).length === 0) return
  } catch (error) {
    // PostgreSQL ended by itself: no process uses it.
    if (!(error instanceof DatabaseUnavailableError)) throw error
  } finally {
    await db.close()
  }
}

/** `joined`: another process runs the PostgreSQL. */
type Connection = { connection: pg.ClientConfig; joined: boolean; stop(): Promise<void> }

async function connect({ databaseUrl, dataDir }: Config): Promise<Connection> {
  if (databaseUrl !== null) return { connection: { connectionString: databaseUrl }, joined: false, async stop() {} }
  try {
    return { ...(await startEmbeddedPostgres({ dataDir, log: silentLog })), joined: false }
  } catch (error) {
    if (!(error instanceof DataDirInUseError)) throw error
    const { connection, close } = await joinDatabase(dataDir)
    return { connection, joined: true, stop: async () => close() }
  }
}

/**
 * How to reach the embedded database of a data folder while another process runs it: a server, or a command. Nothing is started
 * and nothing is locked. Good until `close`; throws ENOENT where the folder has no database.
 */
export async function joinDatabase(dataDir: string): Promise<{ connection: pg.ClientConfig; close(): void }> {
  const socket = openSocketFolder(join(await realpath(dataDir), 'postgres'))
  const connection = { host: socket.path, port: socketPort, user: 'postgres', database: 'postgres' }
  return { connection, close: socket.close }
}
