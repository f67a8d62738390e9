import type { Sql } from '../src/db/database.ts'
import { stages } from '../src/db/staging/stagingTables.ts'

/** The staging tables with visible rows, and their number. Outside of a transaction, there are none. */
export async function stagedRows(sql: Sql): Promise<[stage: string, rows: number][]> {
  const counts = stages.map((stage) => `SELECT '${stage}' AS stage, count(*)::int AS rows FROM ${stage}`)
  return sql.rows(`SELECT * FROM (${counts.join(' UNION ALL ')}) s WHERE rows > 0`)
}
