import type { Sql } from '../../db/database.ts'

/**
 * SQL of a SET clause that raises the version of a collection; `row`: what the statement calls the collection. Cached pages carry the
 * version, so every statement that changes what a page shows, or where a collection stands, has this clause.
 */
export const raisedVersion = (row = 'collection') => `version = ${row}.version + 1`

/** The same where `condition` holds, in terms of the row before the statement. */
export const raisedVersionIf = (condition: string) =>
  `version = collection.version + CASE WHEN ${condition} THEN 1 ELSE 0 END`

/** Raises the version of a collection of which a page shows something that is stored in another table. */
export async function raiseVersion(sql: Sql, { partition, id }: { partition: number; id: bigint }): Promise<void> {
  await sql.run(`UPDATE collection SET ${raisedVersion()} WHERE partition = $1 AND id = $2`, [partition, id])
}
