import type { Stage, Within } from '../../db/stages/stages.ts'
import { sameToken } from '../transfers/tokenHash.ts'

// The statements on balances and holders of ERC-1155 tokens, which storing transfers and taking them back share.

/** All staging tables of a merge. */
export const mergeStages: readonly Stage[] = ['stage_token', 'stage_balance', 'stage_held', 'stage_sole']

/**
 * ERC-1155: balances add up. Writes to staging tables how many more holders each token has, how many more pieces its balances below zero lack, and the
 * balances that are zero now. The merge keeps in `was_held` whether a balance was above zero before, and in `was_below` what it was
 * where it was below; of a new one they are false and null. Rows come in order of the key, as neighbours lie on one page.
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

/** Deletes balances that are zero now. */
export const deleteGoneBalances = (of: Within) => `
DELETE FROM balance b USING stage_held h
WHERE ${sameToken('b', 'h')} AND b.holder = h.holder${of('b', 'h')}`

/**
 * The staged tokens of ERC-1155 with how many more holders the merged balances make, and how many more pieces those below zero lack; null
 * where both stay. Every token whose balances change is staged, so the join finds a token for every change.
 */
export const summedTokens = (of: Within) => `(SELECT * FROM stage_token i WHERE summed${of('i')}) s
  FULL JOIN (SELECT partition, collection_id, token_hash, change, lacking FROM stage_held i WHERE holder IS NULL${of('i')}) h
  USING (partition, collection_id, token_hash)`

/** ERC-1155: the owner of each id that has exactly one holder, once the balances are merged. */
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
