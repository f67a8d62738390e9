/**
 * One step forward of the schema. Never edited once released. `sql`: one statement each, as a Citus cluster takes no script of several that changes a
 * table of its nodes; only the first step, before which no table can be distributed, is scripts.
 */
export type Migration = { id: number; name: string; sql: readonly string[] }
