import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { BadRequestError, ConflictError, NotFoundError } from '../../util/errors.ts'
import { isDistributed } from '../cluster/citus.ts'
import type { Database, Sql, Transaction } from '../database.ts'
import { promisedViews, viewQuery } from './promisedViews.ts'

/** The schema of the promised views. */
export const viewSchema = 'mintmark'

/** Connections that a reader may have at once: dashboards keep a few open. */
const mostConnections = 10

/** Marks roles that were created here, so that no other role is removed. */
const mark = 'reads the views of Mintmark'

const quote = pg.escapeIdentifier

/**
 * Creates a role that can only read the promised views, and updates older views. Returns its password, which is stored nowhere else. Throws
 * ConflictError if the role exists, BadRequestError on a Citus cluster and if this user may create no role.
 */
export async function createReader(
  db: Database,
  { name, timeoutMs }: { name: string; timeoutMs: number },
): Promise<string> {
  const password = randomBytes(24).toString('base64url')
  await db.transaction(async (tx) => {
    await rejectUnable(tx)
    if (await exists(tx, name)) throw new ConflictError(`the role ${name} already exists: choose another name`)
    await writeViews(tx)
    const role = quote(name)
    await tx.script(`
CREATE ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT NOREPLICATION CONNECTION LIMIT ${mostConnections} PASSWORD ${pg.escapeLiteral(password)};
COMMENT ON ROLE ${role} IS ${pg.escapeLiteral(mark)};
ALTER ROLE ${role} SET statement_timeout = ${Math.ceil(timeoutMs)};
ALTER ROLE ${role} SET idle_in_transaction_session_timeout = '60s';
ALTER ROLE ${role} SET default_transaction_read_only = on;
ALTER ROLE ${role} SET search_path = ${viewSchema};
GRANT USAGE ON SCHEMA ${viewSchema} TO ${role}`)
    // Earlier readers get the views that this version adds.
    const all = (await listReaders(tx)).map((reader) => quote(reader.name))
    await tx.script(`GRANT SELECT ON ALL TABLES IN SCHEMA ${viewSchema} TO ${all.join(', ')}`)
  })
  return password
}

/** Removes a role that `createReader` created. Throws NotFoundError if there is none with that name. */
export async function removeReader(db: Database, name: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx.rows(
      `SELECT 1 FROM pg_roles WHERE rolname = $1 AND shobj_description(oid, 'pg_authid') = $2`,
      [name, mark],
    )
    if (!row) throw new NotFoundError(`there is no reader ${name}: see "mintmark db reader list"`)
    // Its rights can be revoked with its own rights only, which a user without superuser gets as a member.
    await tx.script(`GRANT ${quote(name)} TO current_user; DROP OWNED BY ${quote(name)}; DROP ROLE ${quote(name)}`)
  })
}

export async function listReaders(sql: Sql): Promise<{ name: string; statementTimeout: string | null }[]> {
  const rows = await sql.rows<[string, string | null]>(
    `SELECT r.rolname::text, (SELECT substr(s, 19) FROM unnest(r.rolconfig) AS s WHERE s LIKE 'statement_timeout=%')
     FROM pg_roles r WHERE shobj_description(r.oid, 'pg_authid') = $1 ORDER BY 1`,
    [mark],
  )
  return rows.map(([name, statementTimeout]) => ({ name, statementTimeout }))
}

async function exists(tx: Transaction, name: string): Promise<boolean> {
  return (await tx.rows('SELECT 1 FROM pg_roles WHERE rolname = $1', [name])).length > 0
}

async function rejectUnable(tx: Transaction): Promise<void> {
  if (await isDistributed(tx))
    throw new BadRequestError(
      'this database is a Citus cluster, whose workers check rights on tables and not on views: give readers a PostgreSQL that exports are loaded into',
    )
  const [[may] = [false]] = await tx.rows<[boolean]>(
    `SELECT (rolsuper OR rolcreaterole) AND (to_regnamespace($1) IS NOT NULL OR has_database_privilege(current_database(), 'CREATE'))
     FROM pg_roles WHERE rolname = current_user`,
    [viewSchema],
  )
  if (!may)
    throw new BadRequestError(
      'this database user may not create roles and schemas: give it CREATEROLE and CREATE on the database, or run the command as another user with --database-url',
    )
}

/** Creates the views of this version. Rights of readers stay, as no column ever changes or is removed. */
async function writeViews(tx: Transaction): Promise<void> {
  const views = promisedViews.map(
    (view) => `CREATE OR REPLACE VIEW ${viewSchema}.${view.name} AS ${viewQuery(view)};
COMMENT ON VIEW ${viewSchema}.${view.name} IS ${pg.escapeLiteral(view.sentence)}`,
  )
  const schema = (await tx.rows('SELECT to_regnamespace($1)', [viewSchema]))[0]?.[0]
  await tx.script([...(schema === null ? [`CREATE SCHEMA ${viewSchema}`] : []), ...views].join(';\n'))
}
