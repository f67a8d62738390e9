import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Migration } from './migration.ts'

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
