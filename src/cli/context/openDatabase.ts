import { existsSync } from 'node:fs'
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
import { noopLog } from '../../util/log.ts'
import type { Print } from '../report/print.ts'

/** The database during a command. */
export type CommandDatabase = {
  db: Database
  close(): Promise<void>
}

/** How long to wait for a server that is starting PostgreSQL on the same data folder. */
const startingMs = 10_000
/** How long to wait for other commands that use this command's PostgreSQL. */
const closingMs = 5_000

/**
 * Opens the configured database. An embedded one is joined by its socket while a server runs it, else started for this
 * command. It is also started here if another command stops it meanwhile. `nodeTimeoutMs`: connection timeout of
 * cluster nodes; default: that of Citus. `print` gets a note about a new database: without the server's settings, a
 * command would otherwise work on another database unnoticed.
 */
export async function openDatabase(
  config: Config,
  signal: AbortSignal,
  { nodeTimeoutMs, print }: { nodeTimeoutMs?: number | undefined; print?: Print } = {},
): Promise<CommandDatabase> {
  const check =
    nodeTimeoutMs === undefined
      ? undefined
      : async (client: pg.ClientBase) => void (await client.query(nodesWithin(nodeTimeoutMs)))
  const isNew = config.databaseUrl === null && !existsSync(join(config.dataDir, 'postgres'))
  for (const deadline = performance.now() + startingMs; ; await delay(100, undefined, { signal })) {
    const { connection, joined, stop } = await connect(config)
    const db = createDatabase({ connection, poolSize: 4, log: noopLog, check })
    const close = async () => {
      await db.close()
      if (!joined && config.databaseUrl === null) await untilAlone(connection)
      await stop()
    }
    try {
      await reachDatabase(db, connection)
      if (isNew)
        print?.note(`created a new database in ${config.dataDir}; --database-url or --data selects an existing one`)
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

/** Waits until other commands have left this command's PostgreSQL, as stopping it would end them. */
async function untilAlone(connection: pg.ClientConfig): Promise<void> {
  const db = createDatabase({ connection, poolSize: 1, log: noopLog })
  const others = `SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`
  try {
    for (const deadline = performance.now() + closingMs; performance.now() < deadline; await delay(20))
      if ((await db.rows(others)).length === 0) return
  } catch (error) {
    // PostgreSQL has already exited, so nobody uses it.
    if (!(error instanceof DatabaseUnavailableError)) throw error
  } finally {
    await db.close()
  }
}

/** `joined`: another process started the PostgreSQL. */
type Connection = { connection: pg.ClientConfig; joined: boolean; stop(): Promise<void> }

async function connect({ databaseUrl, dataDir }: Config): Promise<Connection> {
  if (databaseUrl !== null) return { connection: { connectionString: databaseUrl }, joined: false, async stop() {} }
  try {
    return { ...(await startEmbeddedPostgres({ dataDir, log: noopLog })), joined: false }
  } catch (error) {
    if (!(error instanceof DataDirInUseError)) throw error
    const { connection, close } = await joinDatabase(dataDir)
    return { connection, joined: true, stop: async () => close() }
  }
}

/**
 * Connection to the embedded database of a data folder that a server or command runs. Starts and locks nothing. Valid
 * until `close`; throws ENOENT if the folder has no database.
 */
export async function joinDatabase(dataDir: string): Promise<{ connection: pg.ClientConfig; close(): void }> {
  const socket = openSocketFolder(join(await realpath(dataDir), 'postgres'))
  const connection = { host: socket.path, port: socketPort, user: 'postgres', database: 'postgres' }
  return { connection, close: socket.close }
}
