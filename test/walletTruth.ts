import { expect } from 'vitest'
import type { Sql } from '../src/db/database.ts'
import { tokenFacts } from '../src/nft/transfers/tokenFacts.ts'
import { partitionSql } from '../src/sync/partition.ts'

const nobody = `decode(repeat('00', 20), 'hex')`

/** Expects the wallets' tables to match the tokens, balances and transfers of all collections exactly. */
export async function expectWalletTruth(sql: Sql): Promise<void> {
  expect(await sql.rows('SELECT 1 FROM wallet_due')).toEqual([])
  for (const [stored, truth] of tables) {
    const differing = `(TABLE a EXCEPT ALL TABLE b) UNION ALL (TABLE b EXCEPT ALL TABLE a)`
    const rows = await sql.rows(`WITH a AS (${stored}), b AS (${truth}) SELECT * FROM (${differing}) d LIMIT 10`)
    expect(rows, stored).toEqual([])
  }
}

const held = `
SELECT ${partitionSql('c.chain_id', 'o.wallet')} AS wallet_partition, c.chain_id, o.wallet, c.id, c.partition, o.token_hash, o.amount, o.facts
FROM collection c JOIN (
  SELECT partition, collection_id, owner AS wallet, token_hash, 1::numeric AS amount, ${tokenFacts} AS facts FROM token t WHERE amount > 0 AND NOT erc1155
  UNION ALL
  SELECT partition, collection_id, holder, token_hash, amount, NULL FROM balance WHERE amount > 0
) o ON o.partition = c.partition AND o.collection_id = c.id`

const tables = [
  [
    'SELECT partition, chain_id, wallet, collection_id, token_hash, amount, facts FROM wallet_token',
    `SELECT wallet_partition, chain_id, wallet, id, token_hash, amount, facts FROM (${held}) h`,
  ],
  [
    'SELECT partition, chain_id, wallet, collection_id, collection_partition, tokens FROM wallet_collection',
    `SELECT wallet_partition, chain_id, wallet, id, partition, count(*) FROM (${held}) h GROUP BY 1, 2, 3, 4, 5`,
  ],
  [
    'SELECT partition, collection_id, owners FROM owner_count WHERE owners <> 0',
    `SELECT partition, id, count(DISTINCT wallet) FROM (${held}) h GROUP BY 1, 2`,
  ],
  [
    'SELECT partition, chain_id, wallet, position, item, collection_id, collection_partition FROM wallet_transfer',
    `SELECT DISTINCT ${partitionSql('c.chain_id', 'side.wallet')}, c.chain_id, side.wallet, t.position, t.item, c.id, c.partition
     FROM collection c JOIN transfer t ON t.partition = c.partition AND t.collection_id = c.id
     CROSS JOIN LATERAL (VALUES (t.from_address), (t.to_address)) AS side (wallet) WHERE side.wallet <> ${nobody}`,
  ],
] as const
