import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { refuseWorker } from '../../db/cluster/citus.ts'
import { readUnreachableNodes } from '../../db/cluster/readNodes.ts'
import type { Database } from '../../db/database.ts'
import { isNodeUnreachable, NodesUnreachableError } from '../../db/databaseError.ts'
import { migrations } from '../../db/migrations/index.ts'
import { migrate, readMigrations, refuseForeignSchema } from '../../db/migrations/migrate.ts'
import { MintmarkError } from '../../util/errors.ts'
import { silentLog } from '../../util/log.ts'
import { type ConfigOptions, configFrom } from './configOptions.ts'
import type { CliContext } from './context.ts'
import { openDatabase } from './openDatabase.ts'

/** The schema is older than this program. */
export class DatabaseBehindError extends MintmarkError {
  readonly code = 'DATABASE_BEHIND'
}

/** There is no embedded database where one was looked for. */
export class NoDatabaseError extends MintmarkError {
  readonly code = 'NO_DATABASE'
}

/**
 * Runs `work` on the database of the configuration. A new database gets its schema, an older one is left as it is.
 * `create`: the embedded one is made where there is none; a command that only looks leaves no database behind.
 * `anySchema`: the schema may be of any version. `nodeTimeoutMs`: as of `openDatabase`.
 */
export async function withDatabase(
  options: ConfigOptions & { create?: boolean; anySchema?: boolean; nodeTimeoutMs?: number },
  { signal, secrets }: CliContext,
  work: (db: Database, config: Config) => Promise<void>,
): Promise<void> {
  const config = await configFrom(options, { secrets })
  if (!options.create && config.databaseUrl === null && !existsSync(join(config.dataDir, 'postgres')))
    throw new NoDatabaseError(
      `there is no database in ${config.dataDir}: give its folder with --data, or create one with "mintmark start"`,
    )
  const { db, close } = await openDatabase(config, signal, options)
  try {
    if (!options.anySchema) await checkSchema(db)
    await work(db, config)
  } catch (error) {
    throw await nameUnreachableNodes(db, error)
  } finally {
    await close()
  }
}

/** An error that lists the unreachable nodes of a cluster, if `error` reports such nodes; else `error` itself. */
async function nameUnreachableNodes(db: Database, error: unknown): Promise<unknown> {
  const nodes = isNodeUnreachable(error) ? await readUnreachableNodes(db).catch(() => []) : []
  if (nodes.length === 0) return error
  const which = nodes.length === 1 ? 'this node' : 'these nodes'
  return new NodesUnreachableError(
    `${nodes.map(({ name }) => name).join(', ')}: the coordinator of the database cannot reach ${which}, whose data this command needs`,
    { cause: error },
  )
}

async function checkSchema(db: Database): Promise<void> {
  await refuseWorker(db)
  const done = await readMigrations(db)
  const at = done.at(-1)?.id
  const newest = migrations.at(-1)?.id ?? 0
  refuseForeignSchema('the database', done, migrations)
  // A server that runs on an older schema must not have it changed under it by a command that only looks.
  if (at && at < newest)
    throw new DatabaseBehindError(
      `the database is at migration ${at}, this program needs ${newest}: stop older servers and run "mintmark migrate"`,
    )
  if (at !== newest) await migrate(db, silentLog)
}
