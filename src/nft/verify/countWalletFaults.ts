import type { Sql } from '../../db/database.ts'
import { partitionSql } from '../../sync/partition.ts'
import type { Standard } from '../transfers/decodeTransfers.ts'

/** Who holds what, from the rows of tokens and balances. */
const held: Record<Standard, string> = {
  ERC721: `SELECT t.owner AS wallet, t.token_hash, 1::numeric AS amount FROM token t
    WHERE t.partition = $1 AND t.collection_id = $2 AND t.amount > 0`,
  ERC1155: `SELECT t.holder AS wallet, t.token_hash, t.amount FROM balance t
    WHERE t.partition = $1 AND t.collection_id = $2 AND t.amount > 0`,
}

/**
 * Rows of wallet_token that a collection lacks, or that are not what its tokens and balances say. The whole table is read, as no index leads with
 * the collection. null: transfers wait in the queue, so the two cannot be equal yet.
 */
export async function countWalletFaults(
  sql: Sql,
  { partition, id, chainId, standard }: { partition: number; id: bigint; chainId: bigint; standard: Standard },
): Promise<bigint | null> {
  const due = await sql.rows('SELECT FROM wallet_due WHERE partition = $1 AND collection_id = $2 LIMIT 1', [
    partition,
    id,
  ])
  if (due.length > 0) return null
  const [row] = await sql.rows<[bigint]>(
    `SELECT count(*) FROM (
      SELECT ${partitionSql('$3::bigint', 'h.wallet')} AS wallet_partition, h.wallet, h.token_hash, h.amount FROM (${held[standard]}) h
    ) h FULL JOIN (
      SELECT w.partition AS wallet_partition, w.wallet, w.token_hash, w.amount FROM wallet_token w
      WHERE w.chain_id = $3 AND w.collection_id = $2
    ) w USING (wallet_partition, wallet, token_hash)
    WHERE h.amount IS DISTINCT FROM w.amount`,
    [partition, id, chainId],
  )
  return row![0]
}
