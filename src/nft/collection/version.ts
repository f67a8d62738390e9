import type { Sql } from '../../db/database.ts'

/**
 * SQL of a SET clause that increments the version of a collection or wallet; `row`: its alias. Cached pages contain the
 * version, so every statement that changes a page or state needs this clause.
 */
export const raisedVersion = (row = 'collection') => `version = ${row}.version + 1`

/** The same if `condition`, on the row before the statement, is true. */
export const raisedVersionIf = (condition: string) =>
  `version = collection.version + CASE WHEN ${condition} THEN 1 ELSE 0 END`

/** Increments the version of a collection after a change of another table that its pages show. */
export async function raiseVersion(sql: Sql, { partition, id }: { partition: number; id: bigint }): Promise<void> {
  await sql.run(`UPDATE collection SET ${raisedVersion()} WHERE partition = $1 AND id = $2`, [partition, id])
}
