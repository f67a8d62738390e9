import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * One step forward of the schema. Never edited once released. `sql`: one statement each, as a Citus cluster accepts no script of several that changes
 * a distributed table. Only the first step consists of scripts, as no table can be distributed before it.
 */
export type Migration = { id: number; name: string; sql: readonly string[] }

/**
 * SHA-256 in hex of a migration: of its statements without comments, which start with two hyphens, and with white space as one space. A database
 * stores it, so that a program detects a schema other than its own.
 */
export function migrationDigest({ sql }: Pick<Migration, 'sql'>): string {
  const statements = sql.map((text) => text.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim())
  return createHash('sha256').update(statements.join('\n')).digest('hex')
}

const folder = join(import.meta.dirname, '../schema')

/** All tables, from the SQL files of `db/schema/`, ordered by file name: no file refers to tables of another one. */
export const schema: Migration = {
  id: 100,
  name: 'schema',
  /** Read when the migration is applied: commands on an existing schema read no file. */
  get sql() {
    const files = readdirSync(folder).filter((name) => name.endsWith('.sql'))
    return files.sort().map((name) => readFileSync(join(folder, name), 'utf8'))
  },
}

/** In the order of their ids. */
export const migrations: readonly Migration[] = [schema]
