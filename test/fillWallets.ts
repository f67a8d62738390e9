import type { Sql } from '../src/db/database.ts'
import { tokenFacts } from '../src/nft/transfers/tokenFacts.ts'
import { sameToken } from '../src/nft/transfers/tokenHash.ts'
import { partitionSql } from '../src/sync/partition.ts'

/** Fills the wallets' tables from tokens, balances and transfers, as indexing does once it has caught up. */
export async function fillWallets(db: Sql): Promise<void> {
  await db.run('DELETE FROM wallet_token')
  await db.run('DELETE FROM wallet_collection')
  await db.run('DELETE FROM wallet_transfer')
  await db.run('DELETE FROM wallet_due')
  await db.run(
    `INSERT INTO wallet_token (partition, chain_id, wallet, collection_id, token_hash, amount, facts)
     SELECT ${partitionSql('c.chain_id', 'h.wallet')}, c.chain_id, h.wallet, c.id, h.token_hash, h.amount, CASE WHEN c.standard = 'ERC721' THEN h.facts END
     FROM (
       SELECT partition, collection_id, token_hash, owner AS wallet, 1::numeric AS amount, ${tokenFacts} AS facts FROM token t WHERE owner IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM balance b WHERE ${sameToken('b', 't')} AND b.amount > 0)
       UNION ALL SELECT partition, collection_id, token_hash, holder, amount, NULL FROM balance WHERE amount > 0
     ) h JOIN collection c ON c.partition = h.partition AND c.id = h.collection_id`,
  )
  await db.run(
    `INSERT INTO wallet_collection (partition, chain_id, wallet, collection_id, collection_partition, tokens)
     SELECT w.partition, w.chain_id, w.wallet, w.collection_id, c.partition, w.tokens
     FROM (SELECT partition, chain_id, wallet, collection_id, count(*) AS tokens FROM wallet_token GROUP BY 1, 2, 3, 4 OFFSET 0) w
     JOIN (SELECT partition, id FROM collection OFFSET 0) c ON c.id = w.collection_id`,
  )
  await db.run(
    `INSERT INTO wallet_transfer (partition, chain_id, wallet, position, item, collection_id, collection_partition)
     SELECT DISTINCT ${partitionSql('c.chain_id', 'side.wallet')}, c.chain_id, side.wallet, t.position, t.item, c.id, c.partition
     FROM transfer t JOIN collection c ON c.partition = t.partition AND c.id = t.collection_id
     CROSS JOIN LATERAL (VALUES (t.from_address), (t.to_address)) AS side (wallet)
     WHERE side.wallet <> decode(repeat('00', 20), 'hex')`,
  )
}
