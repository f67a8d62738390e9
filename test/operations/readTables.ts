import type { Sql } from '../../src/db/database.ts'

/** Every row of every table as text, with byte columns in hex. */
export async function readTables(db: Sql): Promise<[table: string, text: string][]> {
  const tables = await db.rows<[string]>(
    `SELECT quote_ident(relname) FROM pg_class WHERE relkind IN ('r', 'p', 'm') AND relnamespace = 'public'::regnamespace`,
  )
  return Promise.all(
    tables.map(async ([table]): Promise<[string, string]> => {
      const rows = await db.rows<[string]>(`SELECT t::text FROM ${table} t`)
      return [
        table,
        rows
          .map(([row]) => row)
          .sort()
          .join('\n'),
      ]
    }),
  )
}
