import type { Sql } from '../../db/database.ts'

/**
 * SQL of a SET clause that increments the version of a collection or a wallet; `row`: its alias in the statement. Cached pages contain the version,
 * so every statement that changes a page or the state of a collection has this clause.
 */
export const raisedVersion = (row = 'collection') => `version = ${row}.version + 1`

/** The same, but the version is raised only if `condition` holds, which is about the row before the statement. */
export const raisedVersionIf = (condition: string) =>
  `version = collection.version + CASE WHEN ${condition} THEN 1 ELSE 0 END`

/** Raises the version of a collection after a change of another table that its pages show. */
export async function raiseVersion(sql: Sql, { partition, id }: { partition: number; id: bigint }): Promise<void> {
  await sql.run(`UPDATE collection SET ${raisedVersion()} WHERE partition = $1 AND id = $2`, [partition, id])
}
