/**
 * SQL: the schema of Mintmark's tables. It may differ from `current_schema()`: the schema of the promised views (`db/views`) comes first in the
 * `search_path` of a user with its name.
 */
export const ownSchema = `(SELECT relnamespace FROM pg_class WHERE oid = to_regclass('migration'))`

/** SQL: its name. */
export const ownSchemaName = `(SELECT nspname FROM pg_namespace WHERE oid = ${ownSchema})`
