import type pg from 'pg'
import { BadRequestError } from '../../util/errors.ts'

/**
 * Functions that every user may call and that have effects beyond the tables of a query: they run another query from its text, change the session's
 * role, end other sessions or hold locks that a server waits for.
 */
const reachBeyond =
  '^((query|table|cursor|schema|database)_to_xml.*|ts_stat|ts_rewrite|set_config|pg_(cancel|terminate)_backend|pg_(try_)?advisory_.*)$'

/** PostgreSQL views that contain column values, if this user owns the tables. */
const samples = ['pg_stats', 'pg_stats_ext', 'pg_stats_ext_exprs']

/**
 * The first relation or function that the query uses without permission, as PostgreSQL's parser understood the query. Functions that PostgreSQL does
 * not grant to every user may read files and passwords; those of extensions, such as dblink or Citus, may write.
 */
const reachedSql = `WITH asked AS (SELECT ev_action::text AS tree FROM pg_rewrite WHERE ev_class = 'pg_temp.mintmark_asked'::regclass),
  relations AS (SELECT c.oid, c.relname::text AS name, c.relnamespace::regnamespace::text AS schema
    FROM asked, regexp_matches(tree, ':relid (\\d+)', 'g') AS found JOIN pg_class c ON c.oid = found[1]::oid),
  functions AS (SELECT p.oid, p.proname::text AS name
    FROM asked, regexp_matches(tree, ':funcid (\\d+)', 'g') AS found JOIN pg_proc p ON p.oid = found[1]::oid)
SELECT schema || '.' || name, schema NOT IN ('pg_catalog', 'information_schema') FROM relations
  WHERE schema::regnamespace <> pg_my_temp_schema() AND (schema NOT IN ('pg_catalog', 'information_schema')
    OR name = ANY($1) OR NOT has_table_privilege('public', oid, 'SELECT'))
UNION ALL SELECT name || '()', false FROM functions
  WHERE name ~ $2 OR NOT has_function_privilege('public', oid, 'EXECUTE')
    OR EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = functions.oid AND d.deptype = 'e')
ORDER BY 1 LIMIT 1`

/**
 * Throws BadRequestError for a query that reads anything but catalogs and the temporary views of this session, by name or by a function. PostgreSQL
 * itself determines what a query reads: the query becomes a view, which runs nothing. The caller must roll the transaction back.
 */
export async function rejectUnmasked(client: pg.Client, sql: string): Promise<void> {
  // EXISTS, as a query may have two columns with one name, but a view may not.
  const view = `CREATE TEMPORARY VIEW mintmark_asked AS SELECT EXISTS (\n${sql.replace(/[\s;]+$/, '')}\n)`
  // The extended protocol accepts only one statement.
  await client.query({ text: view, queryMode: 'extended' } as pg.QueryConfig)
  const { rows } = await client.query<[name: string, isTable: boolean]>({
    text: reachedSql,
    values: [samples, reachBeyond],
    rowMode: 'array',
  })
  const [reached] = rows
  if (!reached) return
  const [name, isTable] = reached
  throw new BadRequestError(
    isTable
      ? `the query reads ${name}, where no secret is masked: name the table without its schema`
      : `the query uses ${name}, by which it could read secrets or disturb servers: remove it`,
  )
}
