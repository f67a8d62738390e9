import type { Database } from './database.ts'

/**
 * Writes a megabyte where the database keeps its tables and removes it again. Rejects with PostgreSQL's own error where the disk is
 * full; smaller writes would still fit into the files that are there.
 */
export async function probeStorage(db: Database): Promise<void> {
  await db.transaction((tx) =>
    tx.script(`CREATE TEMPORARY TABLE storage_probe ON COMMIT DROP AS
      SELECT repeat(md5(i::text), 60) AS filler FROM generate_series(1, 500) AS i`),
  )
}
