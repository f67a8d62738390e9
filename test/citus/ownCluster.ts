import { onTestFinished } from 'vitest'
import { createDatabase } from '../../src/db/database.ts'
import { noopLog } from '../../src/util/log.ts'
import { givenPostgres } from '../givenPostgres.ts'
import { makeTemplate } from '../makeTemplate.ts'
import { copyDatabase } from '../testPostgres.ts'
import { startCitusCluster } from './cluster.ts'

/** Starts a cluster with a migrated database, for a test that stops its nodes. Both end with the test; skip the test if `clusterMissing`. */
export async function startOwnCluster({ name, poolSize }: { name: string; poolSize: number }) {
  const cluster = await startCitusCluster()
  onTestFinished(cluster.end)
  const postgres = await givenPostgres(cluster.url)
  await makeTemplate(postgres)
  const database = `${postgres.prefix}${name}`
  await copyDatabase(postgres, postgres.template, database)
  const connection = { ...postgres.connection, database }
  const db = createDatabase({ connection, poolSize, log: noopLog })
  onTestFinished(db.close)
  return { cluster, postgres, connection, db }
}
