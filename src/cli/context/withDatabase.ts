import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { rejectWorker } from '../../db/cluster/citus.ts'
import { readUnreachableNodes } from '../../db/cluster/readNodes.ts'
import type { Database } from '../../db/database.ts'
import { DatabaseUnavailableError, isNodeUnreachable, NodesUnreachableError } from '../../db/databaseError.ts'
import { migrations } from '../../db/migrations/index.ts'
import { migrate, readMigrations, rejectForeignSchema } from '../../db/migrations/migrate.ts'
import { MintmarkError, outageOf } from '../../util/errors.ts'
import { noopLog } from '../../util/log.ts'
import { type ConfigOptions, configFrom } from './configOptions.ts'
import type { CliContext } from './context.ts'
import { openDatabase } from './openDatabase.ts'

/** The schema is older than this program. */
export class DatabaseBehindError extends MintmarkError {
  readonly code = 'DATABASE_BEHIND'
}

/** There is no embedded database in the configured folder, or the configured one is empty. */
export class NoDatabaseError extends MintmarkError {
  readonly code = 'NO_DATABASE'
}

/**
 * Runs `work` on the configured database. An older schema is not migrated. `create`: creates a missing embedded database
 * and the tables of an empty one. Other commands must not: "mintmark restore" needs an empty database. `anySchema`:
 * allows any schema version. `nodeTimeoutMs`: as in `openDatabase`.
 */
export async function withDatabase(
  options: ConfigOptions & { create?: boolean; anySchema?: boolean; nodeTimeoutMs?: number },
  { signal, secrets, print }: CliContext,
  work: (db: Database, config: Config) => Promise<void>,
): Promise<void> {
  const config = await configFrom(options, { secrets })
  if (!options.create && config.databaseUrl === null && !existsSync(join(config.dataDir, 'postgres')))
    throw new NoDatabaseError(
      `there is no database in ${config.dataDir}: give its folder with --data, or create one with "mintmark start"`,
    )
  const { db, close } = await openDatabase(config, signal, { nodeTimeoutMs: options.nodeTimeoutMs, print })
  try {
    if (!options.anySchema) await checkSchema(db, options.create ?? false)
    await work(db, config)
  } catch (error) {
    throw await explainOutage(db, error)
  } finally {
    await close()
  }
}

/**
 * Replaces an error about unreachable cluster nodes by one that lists them, and the driver's error about a lost connection by one that says so.
 * Returns other errors unchanged.
 */
async function explainOutage(db: Database, error: unknown): Promise<unknown> {
  const nodes = isNodeUnreachable(error) ? await readUnreachableNodes(db).catch(() => []) : []
  const which = nodes.length === 1 ? 'this node' : 'these nodes'
  if (nodes.length > 0)
    return new NodesUnreachableError(
      `${nodes.map(({ name }) => name).join(', ')}: the coordinator of the database cannot reach ${which}, whose data this command needs`,
      { cause: error },
    )
  if (error instanceof MintmarkError || outageOf(error) !== 'database') return error
  return new DatabaseUnavailableError(
    `the connection to the database ended during the command (${(error as Error).message}): run it again once the database is reachable`,
    { cause: error },
  )
}

async function checkSchema(db: Database, create: boolean): Promise<void> {
  await rejectWorker(db)
  const done = await readMigrations(db)
  const at = done.at(-1)?.id
  const newest = migrations.at(-1)?.id ?? 0
  rejectForeignSchema('the database', done, migrations)
  // A read-only command must not migrate the schema under a running older server.
  if (at && at < newest)
    throw new DatabaseBehindError(
      `the database is at migration ${at}, this program needs ${newest}: stop older servers and run "mintmark migrate"`,
    )
  if (at === undefined && !create)
    throw new NoDatabaseError('the database is empty: "mintmark start" creates the tables, "mintmark restore" fills it')
  if (at !== newest) await migrate(db, noopLog)
}
