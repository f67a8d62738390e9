import type { Sql } from '../../db/database.ts'

/** Media that previews are to be made of, now or later, at most `most`. */
export async function countDueMedia(sql: Sql, most: number): Promise<number> {
  const [[due] = [0n]] = await sql.rows<[bigint]>(
    'SELECT count(*) FROM (SELECT FROM media WHERE due_at IS NOT NULL LIMIT $1) due',
    [most],
  )
  return Number(due)
}
