import { partitionSql } from '../../sync/partition.ts'
import { zeroBytes } from '../transfers/transfer.ts'

/** SQL condition: a row of a wallet table and one of the staging table are of one wallet and collection. */
export const sameWallet = (row: string, staged: string) =>
  `${row}.partition = ${staged}.partition AND ${row}.chain_id = ${staged}.chain_id AND ${row}.wallet = ${staged}.wallet
  AND ${row}.collection_id = ${staged}.collection_id`

/**
 * Writes current holdings of tokens to staging tables. `touched`: rows of partition, collection, chain, token and wallet, as `t`; `amount` and
 * `facts`: the holding of such a row. Rows are in wallet order, as neighbours are on the same page.
 */
export const stageHeld = (touched: string, amount: string, facts: string) => `
INSERT INTO stage_wallet (partition, chain_id, wallet, collection_id, collection_partition, token_hash, amount, facts)
SELECT DISTINCT ON (wallet_partition, t.chain_id, t.wallet, t.collection_id, t.partition, t.token_hash)
  ${partitionSql('t.chain_id', 't.wallet')} AS wallet_partition, t.chain_id, t.wallet, t.collection_id, t.partition, t.token_hash, ${amount}, ${facts}
FROM ${touched}
WHERE t.wallet <> ${zeroBytes}
ORDER BY wallet_partition, t.chain_id, t.wallet, t.collection_id, t.partition, t.token_hash`

/** SQL of changes of a wallet's number of tokens in a collection, written to `wallet_collection`. Collections are the lists $1 and $2. */
const countTokens = (more: string) => `
  INSERT INTO wallet_collection AS o (partition, chain_id, wallet, collection_id, collection_partition, tokens)
  SELECT partition, chain_id, wallet, collection_id, ($1::int2[])[array_position($2::int8[], collection_id)], sum(more) FROM (${more}) m
  GROUP BY partition, chain_id, wallet, collection_id HAVING sum(more) <> 0
  ORDER BY partition, chain_id, wallet, collection_id
  ON CONFLICT (partition, chain_id, wallet, collection_id) DO UPDATE SET tokens = o.tokens + excluded.tokens, was_held = true
  RETURNING o.partition, o.chain_id, o.wallet, o.collection_id, o.collection_partition, o.tokens, o.was_held`

const countOwners = `
INSERT INTO owner_count AS n (partition, collection_id, owners)
SELECT collection_partition, collection_id, sum((NOT was_held)::int - (tokens = 0)::int) AS more FROM counted
GROUP BY collection_partition, collection_id HAVING sum((NOT was_held)::int - (tokens = 0)::int) <> 0
ON CONFLICT (partition, collection_id) DO UPDATE SET owners = n.owners + excluded.owners`

const insertTokens = `
  INSERT INTO wallet_token AS h (partition, chain_id, wallet, collection_id, token_hash, amount, facts)
  SELECT s.partition, s.chain_id, s.wallet, s.collection_id, s.token_hash, s.amount, s.facts FROM stage_wallet s WHERE s.amount IS NOT NULL`

/**
 * Writes the staged holdings, with counts by wallet and collection, and by collection. Collections are the lists $1 and $2. Stages wallets that may
 * have nothing left of a collection.
 */
export const writeHeld = `
WITH gone AS (
  DELETE FROM wallet_token h USING stage_wallet s
  WHERE ${sameWallet('h', 's')} AND h.token_hash = s.token_hash AND s.amount IS NULL
  RETURNING h.partition, h.chain_id, h.wallet, h.collection_id
), written AS (${insertTokens}
  ON CONFLICT (partition, chain_id, wallet, collection_id, token_hash) DO UPDATE SET amount = excluded.amount, facts = excluded.facts, was_held = true
  WHERE h.amount <> excluded.amount OR h.facts IS DISTINCT FROM excluded.facts
  RETURNING h.partition, h.chain_id, h.wallet, h.collection_id, h.was_held
), counted AS (${countTokens(`
    SELECT partition, chain_id, wallet, collection_id, -1 AS more FROM gone
    UNION ALL
    SELECT partition, chain_id, wallet, collection_id, 1 FROM written WHERE NOT was_held`)}
), emptied AS (
  INSERT INTO stage_wallet (partition, chain_id, wallet, collection_id)
  SELECT partition, chain_id, wallet, collection_id FROM counted WHERE tokens = 0
)${countOwners}`

/** The same if wallets held none of these tokens before. Fails with a unique violation otherwise. */
export const writeNew = `
WITH written AS (${insertTokens}
), counted AS (${countTokens('SELECT partition, chain_id, wallet, collection_id, 1 AS more FROM stage_wallet')}
)${countOwners}`

export const deleteEmpty = `
DELETE FROM wallet_collection o USING stage_wallet s WHERE ${sameWallet('o', 's')} AND s.token_hash IS NULL AND o.tokens = 0`
