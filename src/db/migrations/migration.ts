/** One step forward of the schema. Never edited once released. */
export type Migration = { id: number; name: string; sql: string }
