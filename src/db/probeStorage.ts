import type { Database } from './database.ts'

/**
 * Writes a megabyte where the database keeps its tables and takes it back. Rejects with what PostgreSQL says where it has no
 * room: smaller writes find some in what was there before.
 */
export async function probeStorage(db: Database): Promise<void> {
  await db.transaction((tx) =>
    tx.script(`CREATE TEMPORARY TABLE storage_probe ON COMMIT DROP AS
      SELECT repeat(md5(i::text), 60) AS filler FROM generate_series(1, 500) AS i`),
  )
}
