import { schema } from './0100_schema.ts'
import type { Migration } from './migration.ts'

/** In the order of their ids. */
export const migrations: readonly Migration[] = [schema]
