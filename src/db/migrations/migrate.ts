import { MintmarkError } from '../../util/errors.ts'
import type { Log } from '../../util/log.ts'
import { rejectLanguages, rejectWorker } from '../cluster/citus.ts'
import type { Database, Sql, Transaction } from '../database.ts'
import { sqlState } from '../databaseError.ts'
import { column, defineRow } from '../defineRow.ts'
import { ownSchema } from '../ownSchema.ts'
import { checkRights } from './checkRights.ts'
import type { Migration } from './index.ts'
import { migrationDigest, migrations } from './index.ts'
import { placeNewTables } from './placeTables.ts'
import { checkServerVersion } from './serverVersion.ts'

/** The database was migrated by a newer program. */
export class DatabaseTooNewError extends MintmarkError {
  readonly code = 'DATABASE_TOO_NEW'
}

/** The database, or a backup, is older than this program's first migration, so it cannot be migrated. */
export class DatabaseTooOldError extends MintmarkError {
  readonly code = 'DATABASE_TOO_OLD'
}

/** The database has tables that Mintmark does not overwrite: those of another program, or existing Mintmark tables at a restore. */
export class DatabaseNotEmptyError extends MintmarkError {
  readonly code = 'DATABASE_NOT_EMPTY'
}

/** The tables of the database, or of a backup, differ from those of this program's migrations. */
export class SchemaDiffersError extends MintmarkError {
  readonly code = 'SCHEMA_DIFFERS'
}

/** A migration that a database or a backup has. `digest`: its `migrationDigest`; null: it was applied before digests were stored. */
export type AppliedMigration = { id: number; digest: string | null }

/**
 * Throws if `what`, a database or a backup, has a migration that this program cannot continue from: `DatabaseTooOldError` for an older one than this
 * program has, `SchemaDiffersError` for one with other tables.
 */
export function rejectForeignSchema(
  what: string,
  done: readonly AppliedMigration[],
  steps: readonly Migration[],
): void {
  const first = steps[0]?.id ?? 0
  const at = done.findLast(({ id }) => id < first)?.id
  if (at !== undefined)
    throw new DatabaseTooOldError(
      `${what} is of migration ${at}, from before the first release: this program knows those from ${first} on, so start with a new folder (--data) or a new database (--database-url) and index again`,
    )
  const differing = done.find(({ id, digest }) => {
    const own = steps.find((step) => step.id === id)
    return own !== undefined && migrationDigest(own) !== digest
  })
  if (differing)
    throw new SchemaDiffersError(
      `${what} was made by another build of Mintmark, whose migration ${differing.id} made other tables: use that build, or start with a new folder (--data) or a new database (--database-url) and index again`,
    )
}

const appliedRow = defineRow({
  id: column.int4('m.id'),
  digest: column.text(`to_jsonb(m) ->> 'digest'`).orNull(),
})

/** The advisory lock, any fixed number, that serializes concurrent migrations of one database. */
export const migrationLock = 7_205_746_601

/** Migrates the schema to this program's version and returns the ids of the applied migrations. */
export async function migrate(db: Database, log: Log, steps: readonly Migration[] = migrations): Promise<number[]> {
  await checkServerVersion(db)
  await rejectWorker(db)
  await rejectLanguages(db)
  await checkRights(db)
  return db.transaction((tx) => applyMigrations(tx, log, steps))
}

/**
 * The migrations of the database, in the order of their ids; none if the table does not exist. Throws `DatabaseNotEmptyError` if the table is another
 * program's.
 */
export async function readMigrations(sql: Sql): Promise<AppliedMigration[]> {
  const [[exists, isOurs] = []] = await sql.rows<[boolean, boolean]>(
    `SELECT to_regclass('migration') IS NOT NULL, EXISTS (SELECT 1 FROM pg_attribute
       WHERE attrelid = to_regclass('migration') AND attname = 'id' AND atttypid = 'integer'::regtype)`,
  )
  if (!exists) return []
  if (!isOurs) throw foreignTables('its table migration has no column id of whole numbers')
  // As JSON, since the table of an earlier build has no column digest.
  const rows = await sql.rows(`SELECT ${appliedRow.columns} FROM migration m ORDER BY id`)
  return rows.map(appliedRow.decode)
}

function foreignTables(which: string): DatabaseNotEmptyError {
  return new DatabaseNotEmptyError(
    `the database contains tables of another program (${which}): use a separate database for Mintmark (--database-url)`,
  )
}

/** Creates the tables of this transaction beside those that exist, even if `search_path` begins with another schema. */
const createInOwnSchema = `
SELECT set_config('search_path', quote_ident(nspname) || ', ' || current_setting('search_path'), true)
FROM pg_namespace WHERE oid = ${ownSchema} AND nspname <> current_schema()`

/** Applies the pending migrations within the caller's transaction, and returns their ids. */
export async function applyMigrations(tx: Transaction, log: Log, steps: readonly Migration[]): Promise<number[]> {
  await tx.rows('SELECT pg_advisory_xact_lock($1)', [migrationLock])
  await tx.rows(createInOwnSchema)
  await tx.script(
    'CREATE TABLE IF NOT EXISTS migration (id integer PRIMARY KEY, name text NOT NULL, digest text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
  )
  const done = await readMigrations(tx)
  rejectForeignSchema('the database', done, steps)
  const newest = steps.at(-1)?.id ?? 0
  const ahead = done.filter(({ id }) => id > newest)
  if (ahead.length > 0)
    throw new DatabaseTooNewError(
      `the database is at migration ${ahead.at(-1)!.id}, this program knows ${newest}: run the program that migrated it, or a newer one`,
    )
  const pending = steps.filter((step) => !done.some(({ id }) => id === step.id))
  // For Citus: one step may change both a table on every node and a distributed one. Elsewhere the setting is ignored.
  await tx.script(`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`)
  for (const step of pending) {
    for (const statement of step.sql)
      await tx.script(statement).catch((error: unknown) => {
        // One of our tables has the same name as one that existed before.
        throw done.length === 0 && sqlState(error) === '42P07' ? foreignTables((error as Error).message) : error
      })
    await tx.run('INSERT INTO migration (id, name, digest) VALUES ($1, $2, $3)', [
      ...[step.id, step.name],
      migrationDigest(step),
    ])
    log.debug({ migration: step.id, name: step.name }, 'migration applied')
  }
  if (pending.length > 0) await placeNewTables(tx)
  if (pending.length > 0)
    log.info({ from: done.at(-1)?.id ?? 0, to: newest, migrations: pending.length }, 'database migrated')
  return pending.map((step) => step.id)
}
