import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { BadRequestError } from '../../util/errors.ts'
import { hasCitus, hereAlone } from '../cluster/citus.ts'
import type { Database } from '../database.ts'
import { isConnectionError, marked, sqlState } from '../databaseError.ts'
import { ownSchema } from '../ownSchema.ts'
import { promisedViews, viewQuery } from '../views/promisedViews.ts'
import { rejectUnmasked } from './rejectUnmasked.ts'
import { secretColumns } from './secretColumns.ts'

/** The rows of a query: bigint and numeric as text, bytes as 0x and hex, times in PostgreSQL's format. */
export type QueryResult = {
  columns: string[]
  rows: unknown[][]
  /** There are further rows. */
  more: boolean
}

export type QueryOptions = {
  db: Database
  /** One statement that returns rows. */
  sql: string
  /** Most rows of the result. */
  limit: number
  timeoutMs: number
  signal: AbortSignal
}

/**
 * Runs one query that cannot change anything or see secrets, in a read-only transaction that is always rolled back. A temporary view with the same
 * name that masks its secrets hides every table, and a query of anything else is rejected. If this user may create roles, the query runs as one that
 * may only read those views. This guards against mistakes: a person who can connect as the owner of the tables can read all of them anyway. Throws
 * BadRequestError with PostgreSQL's message for a rejected query, and for one that takes longer than `timeoutMs`.
 */
export async function queryReadOnly({ db, sql, limit, timeoutMs, signal }: QueryOptions): Promise<QueryResult> {
  signal.throwIfAborted()
  const client = await db.connect()
  const processId = (client as pg.Client & { processID: number }).processID
  const cancel = () => void db.rows('SELECT pg_cancel_backend($1::integer)', [processId]).catch(() => undefined)
  signal.addEventListener('abort', cancel)
  try {
    await client.query(`BEGIN; SET LOCAL lock_timeout = '5s'; ${hereAlone}`)
    const become = await hideTables(client)
    await rejectUnmasked(client, sql)
    if (become) await client.query(become)
    await client.query(`SET TRANSACTION READ ONLY; SET LOCAL statement_timeout = ${Math.ceil(timeoutMs)}`)
    return await fetchRows(client, sql, limit)
  } catch (error) {
    signal.throwIfAborted()
    throw queryFault(error, timeoutMs)
  } finally {
    signal.removeEventListener('abort', cancel)
    // If the rollback fails, the end of the connection rolls back and releases the locks of the query.
    await client.query('ROLLBACK').catch(() => undefined)
    await client.end()
  }
}

type Table = [schema: string, table: string, columns: string[]]

const tablesSql = `SELECT n.nspname::text, c.relname::text, array_agg(a.attname::text ORDER BY a.attnum)
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relkind IN ('r', 'p', 'v', 'm') AND n.oid = ${ownSchema}
  GROUP BY 1, 2 ORDER BY 1, 2`

/** On a Citus cluster a role of only this transaction is useless, as the workers admit no unknown role. */
const mayMakeRoleSql = `SELECT (rolsuper OR rolcreaterole) AND has_database_privilege('public', current_database(), 'TEMPORARY')
    AND NOT ${hasCitus}
  FROM pg_roles WHERE rolname = current_user`

/** Creates the views. Returns the statements that switch to a role with no other read right; undefined if no role can be created. */
async function hideTables(client: pg.Client): Promise<string | undefined> {
  const quote = pg.escapeIdentifier
  const { rows: all } = await client.query<Table>({ text: tablesSql, rowMode: 'array' })
  // The promised views may be in the schema of the tables. They are created below, over the temporary views.
  const tables = all.filter(([, table]) => !promisedViews.some(({ name }) => name === table))
  const { rows: may } = await client.query<[boolean]>({ text: mayMakeRoleSql, rowMode: 'array' })
  // No other session sees the views and the role, as they are never committed.
  const role = may[0]?.[0] ? quote(`mintmark_query_${randomBytes(8).toString('hex')}`) : undefined
  const views = tables.map(([schema, table, columns]) => {
    const shown = columns.map((column) => {
      const secret = secretColumns[table]?.[column]
      return secret ? `${secret(quote(column))} AS ${quote(column)}` : quote(column)
    })
    return `CREATE TEMPORARY VIEW ${quote(table)} AS SELECT ${shown.join(', ')} FROM ${quote(schema)}.${quote(table)}`
  })
  // Over the temporary views. Their names are not table names; an older schema may lack a table of one.
  const known = new Set(tables.map(([, table]) => table))
  const promised = known.has('collection') ? promisedViews : []
  const named = promised.map((view) => `CREATE TEMPORARY VIEW ${quote(view.name)} AS ${viewQuery(view)}`)
  await client.query([...views, ...named].join(';\n'))
  if (!role) return undefined
  const readable = [...known, ...promised.map(({ name }) => name)]
  const grants = readable.map((table) => `GRANT SELECT ON pg_temp.${quote(table)} TO ${role}`)
  const becoming = [`CREATE ROLE ${role} NOLOGIN`, `GRANT ${role} TO current_user`, ...grants, `SET LOCAL ROLE ${role}`]
  return becoming.join(';\n')
}

/** Reads the rows through a cursor, which accepts only a query; the extended protocol accepts only one statement. */
async function fetchRows(client: pg.Client, sql: string, limit: number): Promise<QueryResult> {
  const statement = { text: `DECLARE answer NO SCROLL CURSOR FOR ${sql}`, queryMode: 'extended' }
  await client.query(statement)
  const { fields, rows } = await client.query<unknown[]>({
    text: `FETCH ${limit + 1} FROM answer`,
    rowMode: 'array',
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  })
  return { columns: fields.map(({ name }) => name), rows: rows.slice(0, limit), more: rows.length > limit }
}

const { builtins } = pg.types
const numbers: ReadonlySet<number> = new Set([builtins.INT2, builtins.INT4, builtins.FLOAT4, builtins.FLOAT8])

function parserOf(type: number): (text: string) => unknown {
  if (numbers.has(type)) return (text) => (Number.isFinite(Number(text)) ? Number(text) : text)
  if (type === builtins.BOOL) return (text) => text === 't'
  if (type === builtins.JSON || type === builtins.JSONB) return (text) => JSON.parse(text)
  if (type === builtins.BYTEA) return (text) => text.replace(/^\\x/, '0x')
  return (text) => text
}

function queryFault(error: unknown, timeoutMs: number): unknown {
  const state = sqlState(error)
  if (state === undefined) return error
  if (state === '57014')
    return new BadRequestError(`the query took longer than ${timeoutMs / 1_000} s: add a filter, or allow more time`)
  if (isConnectionError(error)) return marked(error)
  const { message } = error as Error
  // For a statement that no cursor accepts, PostgreSQL reports only that its parser stopped.
  const allowed = state === '42601' ? '; allowed: one SELECT (or WITH, VALUES, TABLE), which changes nothing' : ''
  return new BadRequestError(`the database refuses the query: ${message}${allowed}`)
}
