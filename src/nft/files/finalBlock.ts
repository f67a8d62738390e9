import type { Sql } from '../../db/database.ts'
import type { CollectionState } from '../query.ts'

/** The last block that a collection covers and no reorganisation can take away: its snapshot stays what it is. null: there is none. */
export async function finalBlock(sql: Sql, chainId: bigint, { toBlock }: CollectionState): Promise<bigint | null> {
  const [row] = await sql.rows<[bigint]>('SELECT finalized_number FROM chain WHERE id = $1', [chainId])
  if (toBlock === null || !row) return null
  return toBlock < row[0] ? toBlock : row[0]
}
