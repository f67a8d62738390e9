import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Migration } from './migration.ts'

const folder = join(import.meta.dirname, '../schema')

/** All tables, from the SQL files of `db/schema/`. They do not refer to each other, so their order is that of their names. */
export const schema: Migration = {
  id: 100,
  name: 'schema',
  /** Read when it is asked for: commands that find the schema in place read no file. */
  get sql() {
    const files = readdirSync(folder).filter((name) => name.endsWith('.sql'))
    return files
      .sort()
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n')
  },
}
