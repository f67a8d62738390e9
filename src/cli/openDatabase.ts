import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Config } from '../config.ts'
import { createDatabase, type Database, DatabaseUnavailableError } from '../db/database.ts'
import { DataDirInUseError } from '../db/embedded/dataDirLock.ts'
import { openSocketFolder, socketPort } from '../db/embedded/socketFolder.ts'
import { startEmbeddedPostgres } from '../db/embedded/startEmbeddedPostgres.ts'
import { silentLog } from '../log.ts'

/** The database of a command, for as long as the command lasts. */
export type CommandDatabase = {
  db: Database
  close(): Promise<void>
}

/** How long a server on the same data folder may still be starting its PostgreSQL. */
const startingMs = 10_000

/**
 * Opens the database of the configuration. The embedded one of a running server is joined by its socket; where no server
 * runs, it is started for the time of the command.
 */
export async function openDatabase(config: Config, signal: AbortSignal): Promise<CommandDatabase> {
  const { connection, joined, stop } = await connect(config)
  const db = createDatabase({ connection, poolSize: 4, log: silentLog })
  const close = async () => {
    await db.close()
    await stop()
  }
  try {
    await untilReachable(db, config.databaseUrl === null ? startingMs : 0, signal)
    return { db, close }
  } catch (error) {
    await close()
    if (joined && error instanceof DatabaseUnavailableError)
      throw new DataDirInUseError(
        `${config.dataDir} is in use by another Mintmark, whose PostgreSQL does not answer: wait until it has started, or stop it`,
        { cause: error },
      )
    throw error
  }
}

/** `joined`: it is another process that runs it. */
type Connection = { connection: pg.ClientConfig; joined: boolean; stop(): Promise<void> }

async function connect({ databaseUrl, dataDir }: Config): Promise<Connection> {
  if (databaseUrl !== null) return { connection: { connectionString: databaseUrl }, joined: false, async stop() {} }
  try {
    return { ...(await startEmbeddedPostgres({ dataDir, log: silentLog })), joined: false }
  } catch (error) {
    if (!(error instanceof DataDirInUseError)) throw error
    const socket = openSocketFolder(join(await realpath(dataDir), 'postgres'))
    return {
      connection: { host: socket.path, port: socketPort, user: 'postgres', database: 'postgres' },
      joined: true,
      async stop() {
        socket.close()
      },
    }
  }
}

async function untilReachable(db: Database, patienceMs: number, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      await db.transaction((tx) => tx.rows('SELECT 1'))
      return
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError) || performance.now() > deadline) throw error
      await delay(100, undefined, { signal })
    }
  }
}
