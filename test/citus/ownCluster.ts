import { onTestFinished } from 'vitest'
import { createDatabase } from '../../src/db/database.ts'
import { silentLog } from '../../src/log.ts'
import { startCitusCluster } from '../citusCluster.ts'
import { givenPostgres } from '../givenPostgres.ts'
import { makeTemplate } from '../makeTemplate.ts'
import { copyDatabase } from '../testPostgres.ts'

/** A cluster for a test that takes its nodes away, with a migrated database; both end with the test. Skips the test where none can be started. */
export async function startOwnCluster(options: { skip: (note: string) => never; name: string; poolSize: number }) {
  const { skip, name, poolSize } = options
  const cluster = await startCitusCluster().catch((error: unknown) => skip(`no cluster can be started here: ${error}`))
  onTestFinished(cluster.end)
  const postgres = await givenPostgres(cluster.url)
  await makeTemplate(postgres)
  const database = `${postgres.prefix}${name}`
  await copyDatabase(postgres, postgres.template, database)
  const connection = { ...postgres.connection, database }
  const db = createDatabase({ connection, poolSize, log: silentLog })
  onTestFinished(db.close)
  return { cluster, postgres, connection, db }
}
