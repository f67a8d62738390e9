import type { Sql } from '../../db/database.ts'

/** Streams by status; a status that none has is left out. */
export async function countStreams(sql: Sql): Promise<Record<string, number>> {
  const rows = await sql.rows<[string, bigint]>('SELECT status, count(*) FROM stream GROUP BY status ORDER BY status')
  return Object.fromEntries(rows.map(([status, count]) => [status, Number(count)]))
}
