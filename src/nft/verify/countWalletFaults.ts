import type { Sql } from '../../db/database.ts'
import { partitionSql } from '../../sync/partition.ts'
import { tokenFacts } from '../transfers/tokenFacts.ts'
import { zeroBytes } from '../transfers/transfer.ts'
import type { WalletFaults } from './verification.ts'

/**
 * Recounts the wallet rows of a collection. Reads whole tables, as no index leads with the collection. null: transfers are queued, so both cannot be
 * equal yet.
 */
export async function countWalletFaults(
  sql: Sql,
  { partition, id, chainId }: { partition: number; id: bigint; chainId: bigint },
): Promise<WalletFaults | null> {
  const pending = await sql.rows('SELECT 1 FROM wallet_due WHERE partition = $1 AND collection_id = $2 LIMIT 1', [
    partition,
    id,
  ])
  if (pending.length > 0) return null
  const count = async (statement: string) => (await sql.rows<[bigint]>(statement, [partition, id, chainId]))[0]![0]
  return {
    tokens: await count(tokenFaults),
    collections: await count(collectionFaults),
    transfers: await count(transferFaults),
  }
}

/** Holdings from the rows of tokens and balances. */
const held = `
  SELECT t.owner AS wallet, t.token_hash, 1::numeric AS amount, ${tokenFacts} AS facts FROM token t
  WHERE t.partition = $1 AND t.collection_id = $2 AND t.amount > 0 AND NOT t.erc1155
  UNION ALL SELECT t.holder AS wallet, t.token_hash, t.amount, NULL::bytea AS facts FROM balance t
  WHERE t.partition = $1 AND t.collection_id = $2 AND t.amount > 0`

const partitionOf = (wallet: string) => partitionSql('$3::bigint', wallet)

/** Rows that are in only one of both, or have different values: both have columns `value` and those of the key. */
const differing = (key: string, truth: string, stored: string) => `
SELECT count(*) FROM (${truth}) h FULL JOIN (${stored}) w USING (wallet_partition, wallet${key})
WHERE h.value IS DISTINCT FROM w.value`

/** Rows of a table of wallets. */
const rows = (table: string, key: string, value: string) => `
SELECT w.partition AS wallet_partition, w.wallet${key}, ${value} AS value FROM ${table} w WHERE w.chain_id = $3 AND w.collection_id = $2`

const amountAndFacts = (row: string) => `${row}.amount || ' ' || coalesce(${row}.facts, '')::text`

const tokenFaults = differing(
  ', token_hash',
  `SELECT ${partitionOf('h.wallet')} AS wallet_partition, h.wallet, h.token_hash, ${amountAndFacts('h')} AS value FROM (${held}) h`,
  rows('wallet_token', ', w.token_hash', amountAndFacts('w')),
)

const collectionFaults = differing(
  '',
  `SELECT ${partitionOf('h.wallet')} AS wallet_partition, h.wallet, $1::smallint || ' ' || count(*) AS value FROM (${held}) h
   GROUP BY h.wallet`,
  rows('wallet_collection', '', `w.collection_partition || ' ' || w.tokens`),
)

const transferFaults = differing(
  ', position, item',
  `SELECT DISTINCT ${partitionOf('side.wallet')} AS wallet_partition, side.wallet, t.position, t.item, $1::smallint AS value FROM transfer t
   CROSS JOIN LATERAL (VALUES (t.from_address), (t.to_address)) AS side (wallet)
   WHERE t.partition = $1 AND t.collection_id = $2 AND side.wallet <> ${zeroBytes}`,
  rows('wallet_transfer', ', w.position, w.item', 'w.collection_partition'),
)
