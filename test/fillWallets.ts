import type { Sql } from '../src/db/database.ts'
import { partitionSql } from '../src/sync/partition.ts'

/** Fills the tables of wallets from tokens, balances and transfers, as indexing leaves them once it has caught up. */
export async function fillWallets(db: Sql): Promise<void> {
  await db.run('DELETE FROM wallet_token')
  await db.run('DELETE FROM wallet_collection')
  await db.run('DELETE FROM wallet_transfer')
  await db.run('DELETE FROM wallet_due')
  await db.run(
    `INSERT INTO wallet_token (partition, chain_id, wallet, collection_id, token_hash, amount)
     SELECT ${partitionSql('c.chain_id', 'h.wallet')}, c.chain_id, h.wallet, c.id, h.token_hash, h.amount
     FROM (
       SELECT collection_id, token_hash, owner AS wallet, 1::numeric AS amount FROM token WHERE owner IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM balance b WHERE b.collection_id = token.collection_id AND b.token_hash = token.token_hash)
       UNION ALL SELECT collection_id, token_hash, holder, amount FROM balance WHERE amount > 0
     ) h JOIN collection c ON c.id = h.collection_id`,
  )
  await db.run(
    `INSERT INTO wallet_collection (partition, chain_id, wallet, collection_id, collection_partition, tokens)
     SELECT w.partition, w.chain_id, w.wallet, w.collection_id, c.partition, count(*)
     FROM wallet_token w JOIN collection c ON c.id = w.collection_id GROUP BY w.partition, w.chain_id, w.wallet, w.collection_id, c.partition`,
  )
  await db.run(
    `INSERT INTO wallet_transfer (partition, chain_id, wallet, position, item, collection_id, collection_partition)
     SELECT DISTINCT ${partitionSql('c.chain_id', 'side.wallet')}, c.chain_id, side.wallet, t.position, t.item, c.id, c.partition
     FROM transfer t JOIN collection c ON c.partition = t.partition AND c.id = t.collection_id
     CROSS JOIN LATERAL (VALUES (t.from_address), (t.to_address)) AS side (wallet)
     WHERE side.wallet <> decode(repeat('00', 20), 'hex')`,
  )
}
