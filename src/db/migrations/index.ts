import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * One step forward of the schema. Never edited once released. `sql`: one statement each, as a Citus cluster takes no script of several that changes a
 * table of its nodes; only the first step, before which no table can be distributed, is scripts.
 */
export type Migration = { id: number; name: string; sql: readonly string[] }

/**
 * SHA-256 in hex of what a migration does: of its statements without comments, which start with two hyphens, and with one space for any white
 * space. A database keeps it, so that a program knows a schema other than its own.
 */
export function migrationDigest({ sql }: Pick<Migration, 'sql'>): string {
  const statements = sql.map((text) => text.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim())
  return createHash('sha256').update(statements.join('\n')).digest('hex')
}

const folder = join(import.meta.dirname, '../schema')

/** All tables, from the SQL files of `db/schema/`, by the names of the files: no file refers to tables of another one. */
export const schema: Migration = {
  id: 100,
  name: 'schema',
  /** Read when the migration is applied: commands that find the schema in place read no file. */
  get sql() {
    const files = readdirSync(folder).filter((name) => name.endsWith('.sql'))
    return files.sort().map((name) => readFileSync(join(folder, name), 'utf8'))
  },
}

/** In the order of their ids. */
export const migrations: readonly Migration[] = [schema]
