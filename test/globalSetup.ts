import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type pg from 'pg'
import type { TestProject } from 'vitest/node'
import { createDatabase } from '../src/db/database.ts'
import { choosePrograms } from '../src/db/embedded/choosePrograms.ts'
import { createCluster } from '../src/db/embedded/cluster.ts'
import { startEmbeddedPostgres } from '../src/db/embedded/startEmbeddedPostgres.ts'
import { migrate } from '../src/db/migrate.ts'
import { silentLog } from '../src/log.ts'
import { copyCluster } from './copyCluster.ts'
import { endWithThisProcess } from './endWithThisProcess.ts'
import { scratchFolder } from './scratchFolder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The server of this run, on it a database that is migrated and never connected to, and the folder of an empty
     * cluster that no server ever ran on.
     */
    postgres: { connection: pg.ClientConfig; template: string; cluster: string }
    /** How often the tests that find faults by chance are run: once, but for a soak. */
    rounds: number
  }
}

/** Loads the service in a process of its own, so that Node keeps its compiled code: services that tests kill do not get to do so. */
function compileService(env: Record<string, unknown>): void {
  const load = ['service.ts', 'cli/runProcess.ts'].map((file) => new URL(`../src/${file}`, import.meta.url).href)
  const program = `await Promise.all(${JSON.stringify(load)}.map((url) => import(url))); process.exit()`
  spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: 'ignore',
    env: env as NodeJS.ProcessEnv,
  }).unref()
}

/** Settings of a server whose data need not outlive a power cut: nothing is synced to the disk, and the WAL stays short. */
const throwaway = {
  max_connections: '300',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_compression: 'off',
  max_wal_size: '512MB',
  autovacuum: 'off',
}

/** One PostgreSQL for the run, in a temporary folder that is removed at the end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await scratchFolder('mintmark-test-')
  const reaper = endWithThisProcess(dataDir)
  const cluster = join(dataDir, 'cluster')
  const programs = await choosePrograms({ dataDir, owner: undefined, log: silentLog })
  await createCluster({ programs, folder: cluster })
  await copyCluster(cluster, dataDir)
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog, settings: throwaway })
  compileService(project.config.env)
  const template = 'template_migrated'
  const admin = createDatabase({ connection: server.connection, poolSize: 1, log: silentLog })
  await admin.run(`CREATE DATABASE ${template}`)
  await admin.close()
  const db = createDatabase({ connection: { ...server.connection, database: template }, poolSize: 1, log: silentLog })
  await migrate(db, silentLog)
  await db.close()
  project.provide('postgres', { connection: server.connection, template, cluster })
  return async () => {
    await server.stop()
    await reaper.end()
  }
}
