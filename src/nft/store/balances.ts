import type { StagingTable, Within } from '../../db/staging/stagingTables.ts'
import { sameToken } from '../transfers/tokenHash.ts'

// Statements on balances and holders of ERC-1155 tokens, for storing and undoing transfers.

/** All staging tables of a merge. */
export const mergeStaging: readonly StagingTable[] = ['stage_token', 'stage_balance', 'stage_held', 'stage_sole']

/**
 * ERC-1155: adds to balances. Writes to staging tables the change of each token's holder count, the change of its missing amount (balances below
 * zero), and zero balances. `was_held` stores whether a balance was positive before, and `was_below` its value if it was negative; false and null for
 * a new one. Rows are in key order, as neighbours are on the same page.
 */
export const mergeBalances = (of: Within) => `
WITH merged AS MATERIALIZED (
  INSERT INTO balance AS b (partition, collection_id, token_hash, holder, amount)
  SELECT partition, collection_id, token_hash, holder, amount FROM stage_balance s
  WHERE true${of('s')} ORDER BY token_hash, holder
  ON CONFLICT (partition, collection_id, token_hash, holder) DO UPDATE SET
    amount = b.amount + excluded.amount,
    was_held = b.amount > 0,
    was_below = CASE WHEN b.amount < 0 THEN b.amount END
  RETURNING b.partition, b.collection_id, b.token_hash, b.holder, b.amount, (b.amount > 0)::int - b.was_held::int AS change,
    coalesce(b.was_below, 0) - least(b.amount, 0) AS lacking
)
INSERT INTO stage_held (partition, collection_id, token_hash, holder, change, lacking)
SELECT partition, collection_id, token_hash, NULL, sum(change), sum(lacking) FROM merged
GROUP BY partition, collection_id, token_hash HAVING sum(change) <> 0 OR sum(lacking) <> 0
UNION ALL
SELECT partition, collection_id, token_hash, holder, NULL, NULL FROM merged WHERE amount = 0`

/** Deletes zero balances. */
export const deleteEmptyBalances = (of: Within) => `
DELETE FROM balance b USING stage_held h
WHERE ${sameToken('b', 'h')} AND b.holder = h.holder${of('b', 'h')}`

/**
 * Staged ERC-1155 tokens with the changes of holder count and missing amount by the merged balances; null without changes. Every token with changed
 * balances is staged, so the join finds a token for every change.
 */
export const summedTokens = (of: Within) => `(SELECT * FROM stage_token i WHERE summed${of('i')}) s
  FULL JOIN (SELECT partition, collection_id, token_hash, change, lacking FROM stage_held i WHERE holder IS NULL${of('i')}) h
  USING (partition, collection_id, token_hash)`

/** ERC-1155: sets the owner of each id with exactly one holder, after the balances are merged. */
export const setSoleHolders = (of: Within) => `
UPDATE token t SET owner = n.owner
FROM (
  SELECT s.partition, s.collection_id, s.token_hash, (
      SELECT b.holder FROM balance b
      WHERE ${sameToken('b', 's')}${of('b')} AND b.amount > 0
      LIMIT 1
    ) AS owner
  FROM stage_sole s
  WHERE true${of('s')}
) n
WHERE ${sameToken('t', 'n')}${of('t')}
  AND t.owner IS DISTINCT FROM n.owner`
