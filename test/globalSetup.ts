import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { choosePrograms } from '../src/db/embedded/choosePrograms.ts'
import { createCluster } from '../src/db/embedded/cluster.ts'
import { startEmbeddedPostgres } from '../src/db/embedded/startEmbeddedPostgres.ts'
import { consoleSources } from '../src/service/console/consoleFolders.ts'
import { noopLog } from '../src/util/log.ts'
import { copyCluster } from './copyCluster.ts'
import { endWithThisProcess } from './endWithThisProcess.ts'
import { dropAll, givenPostgres } from './givenPostgres.ts'
import { makeTemplate } from './makeTemplate.ts'
import { scratchFolder } from './scratchFolder.ts'
import type { TestPostgres } from './testPostgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of this run, and the folder of an empty cluster on which no server has run. */
    postgres: TestPostgres & { cluster: string }
    /** How often the random tests run: once, except in a soak. */
    rounds: number
  }
}

/** Settings of a server whose data need not survive a power failure: no fsync, and little WAL. */
const throwaway = {
  max_connections: '300',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_compression: 'off',
  max_wal_size: '512MB',
  autovacuum: 'off',
}

/** Builds the console in parallel with the first tests. Services that tests start as processes then find it and build none. */
function buildConsole(): void {
  const sources = consoleSources()
  if (sources && !existsSync(sources.built))
    spawn(process.execPath, [sources.script, sources.built], { stdio: 'ignore' }).unref()
}

/**
 * One PostgreSQL for the run, in a temporary folder that is removed at the end.
 * If MINTMARK_TEST_DATABASE_URL is set, the tests use that server instead. The URL must be a superuser's.
 * The tests touch only the databases that they create there.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await scratchFolder('mintmark-test-')
  const reaper = endWithThisProcess(dataDir)
  const cluster = join(dataDir, 'cluster')
  const programs = await choosePrograms({ dataDir, owner: undefined, log: noopLog })
  await createCluster({ programs, folder: cluster })
  const url = givenUrl()
  const { postgres, end } = url ? await useGiven(url) : await startOwn(cluster, dataDir)
  buildConsole()
  await makeTemplate(postgres)
  project.provide('postgres', { ...postgres, cluster })
  return async () => {
    await end()
    await reaper.end()
  }
}

/** Removes the variable from the environment: commands that tests run reject variables that are no settings of Mintmark. */
function givenUrl(): string | undefined {
  const name = 'MINTMARK_TEST_DATABASE_URL'
  // biome-ignore-start lint/style/noProcessEnv: which server the tests are run on is not a setting of Mintmark
  const url = process.env[name]
  delete process.env[name]
  // biome-ignore-end lint/style/noProcessEnv: as above
  return url
}

type Server = { postgres: TestPostgres; end(): Promise<void> }

async function startOwn(cluster: string, dataDir: string): Promise<Server> {
  await copyCluster(cluster, dataDir)
  const { connection, stop } = await startEmbeddedPostgres({ dataDir, log: noopLog, settings: throwaway })
  const names = { prefix: 'test_', blank: 'template0', template: 'template_migrated' }
  return { postgres: { connection, workers: [], ...names }, end: stop }
}

async function useGiven(url: string): Promise<Server> {
  const postgres = await givenPostgres(url)
  return { postgres, end: () => dropAll(postgres) }
}
