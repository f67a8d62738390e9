import pg from 'pg'
import { MintmarkError } from '../../util/errors.ts'
import type { Sql } from '../database.ts'
import { column, defineRow } from '../defineRow.ts'
import { ownSchemaName } from '../ownSchema.ts'

/** The user of the database lacks a right; the message names it and the statement that grants it. */
export class DatabaseRightError extends MintmarkError {
  readonly code = 'DATABASE_RIGHT'
}

const schema = `coalesce(${ownSchemaName}, current_schema())`

const rightsRow = defineRow({
  user: column.text('current_user::text'),
  database: column.text('current_database()::text'),
  /** The schema of the tables, or the first usable one of `search_path`. */
  schema: column.text(`${schema}::text`).orNull(),
  searchPath: column.text(`current_setting('search_path')`),
  mayCreate: column.bool(`has_schema_privilege(${schema}, 'CREATE')`).orNull(),
  mayUseTemporary: column.bool(`has_database_privilege(current_database(), 'TEMPORARY')`),
  /** The owner of the tables if it is another user; null if it is this one. */
  stranger: column
    .text(
      `(SELECT pg_get_userbyid(relowner)::text FROM pg_class
        WHERE oid = to_regclass('migration') AND NOT pg_has_role(relowner, 'USAGE'))`,
    )
    .orNull(),
})

/**
 * Checks that the user of the database owns the tables or may create them, and may create temporary ones, for `verify`, `db query` and the probe of a
 * full disk. Mintmark needs no superuser and no other right. Throws DatabaseRightError with everything that is missing.
 */
export async function checkRights(db: Sql): Promise<void> {
  const [row] = await db.rows(`SELECT ${rightsRow.columns}`)
  const { user, database, schema, searchPath, mayCreate, mayUseTemporary, stranger } = rightsRow.decode(row!)
  const quote = pg.escapeIdentifier
  const missing: string[] = []
  if (schema === null)
    missing.push(
      `finds no schema for its tables (its search_path is ${searchPath}): CREATE SCHEMA mintmark AUTHORIZATION ${quote(user)}; ALTER ROLE ${quote(user)} SET search_path = mintmark`,
    )
  else if (!mayCreate)
    missing.push(
      `may not create tables in schema ${schema}: GRANT USAGE, CREATE ON SCHEMA ${quote(schema)} TO ${quote(user)}`,
    )
  if (!mayUseTemporary)
    missing.push(`may not make temporary tables: GRANT TEMPORARY ON DATABASE ${quote(database)} TO ${quote(user)}`)
  if (stranger !== null)
    missing.push(
      `does not own the tables, ${stranger} does: connect as that user, or GRANT ${quote(stranger)} TO ${quote(user)}`,
    )
  if (missing.length > 0) throw new DatabaseRightError(`user ${user} of database ${database} ${missing.join('; and ')}`)
}
