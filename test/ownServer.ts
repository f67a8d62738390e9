import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDatabase } from '../src/db/database.ts'
import { startEmbeddedPostgres } from '../src/db/embedded/startEmbeddedPostgres.ts'
import { migrate } from '../src/db/migrations/migrate.ts'
import { noopLog } from '../src/util/log.ts'
import { databaseUrl, type TestDatabase } from './database.ts'
import { endWithThisProcess } from './endWithThisProcess.ts'
import { newCluster } from './newCluster.ts'
import { temporaryDataFolder } from './temporaryFolder.ts'

/** A PostgreSQL for one test, which the test may kill. It restarts automatically, with everything that it committed. */
export type OwnServer = {
  /** Migrated. `drop` only closes it, because the server ends with the test. */
  database: TestDatabase
  /** The id of the postmaster, the parent of all other processes. */
  postmaster(): Promise<number>
  [Symbol.asyncDispose](): Promise<void>
}

export async function startOwnServer(): Promise<OwnServer> {
  const dataDir = await newCluster(await temporaryDataFolder())
  const server = await startEmbeddedPostgres({ dataDir, log: noopLog, settings: { fsync: 'off' } })
  const reaper = endWithThisProcess(dataDir)
  const { connection } = server
  const db = createDatabase({ connection, poolSize: 8, log: noopLog })
  await migrate(db, noopLog)
  return {
    database: { db, connection, url: databaseUrl(connection), drop: () => db.close() },
    async postmaster() {
      return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
    },
    async [Symbol.asyncDispose]() {
      await server.stop()
      await reaper.end()
    },
  }
}
