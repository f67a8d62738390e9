import { createDatabase } from '../src/db/database.ts'
import { distribute, planDistribution } from '../src/db/migrations/distribute.ts'
import { migrate } from '../src/db/migrations/migrate.ts'
import { noopLog } from '../src/util/log.ts'
import { copyDatabase, sealDatabase, type TestPostgres } from './testPostgres.ts'

/** Few shards for Citus: each shard of each table adds files to copy for each database. */
const shards = 4

/** Makes the database that others are copied from: migrated, and distributed on a cluster. */
export async function makeTemplate(postgres: TestPostgres): Promise<void> {
  await copyDatabase(postgres, postgres.blank, postgres.template)
  const connection = { ...postgres.connection, database: postgres.template }
  const db = createDatabase({ connection, poolSize: 1, log: noopLog })
  await migrate(db, noopLog)
  if (postgres.workers.length > 0)
    await distribute(db, { plan: await planDistribution(db, shards), onTable: () => undefined })
  await db.close()
  await sealDatabase(postgres, postgres.template)
}
