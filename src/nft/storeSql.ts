/**
 * The merge, statement by statement. Staged rows of one call name each token and each balance once. The worker is alone in
 * the collections that it stores, so what one statement reads the next one finds unchanged.
 */

/**
 * The staging tables of this connection, empty. They have no statistics, so index lookups are asked for; and what joins
 * them is planned anew each time (`Transaction.fresh`), as a plan made while a table was small would later read all of it.
 */
export const prepareStage = `
SET LOCAL client_min_messages = warning;
CREATE TEMPORARY TABLE IF NOT EXISTS stage_token (
  partition smallint, collection_id bigint, token_hash uuid, token_id numeric, owner bytea, minter bytea,
  last_position bigint, first_position bigint, amount numeric, summed boolean
) ON COMMIT DELETE ROWS;
CREATE TEMPORARY TABLE IF NOT EXISTS stage_balance (
  partition smallint, collection_id bigint, token_hash uuid, holder bytea, amount numeric
) ON COMMIT DELETE ROWS;
DELETE FROM stage_token;
DELETE FROM stage_balance;
`

/** What staged tokens were before block $2 of chain $1. */
export const saveUndo = `
INSERT INTO token_undo (partition, collection_id, chain_id, block_number, token_hash, owner, minter, last_position, first_position)
SELECT s.partition, s.collection_id, $1, $2, s.token_hash, t.owner, t.minter, t.last_position, t.first_position
FROM stage_token s LEFT JOIN token t USING (partition, collection_id, token_hash)`

/**
 * A merge, and by collection how many more tokens are listed after it. The merge keeps in `was_listed` what a token was
 * before; it is false for one that is new. Rows come in order of the hash, as neighbours lie on one page.
 */
const counted = (insert: string) => `
WITH merged AS (${insert}
  RETURNING t.partition, t.collection_id, (t.amount > 0)::int - t.was_listed::int AS listed
)
SELECT partition, collection_id, sum(listed)::int8 FROM merged GROUP BY partition, collection_id`

/** ERC-721: the latest transfer decides the owner, the earliest the minter. Gives what is listed. */
export const mergeOwned = counted(`
INSERT INTO token AS t (partition, collection_id, token_hash, token_id, owner, minter, last_position, first_position, amount, holders)
SELECT partition, collection_id, token_hash, token_id, owner, minter, last_position, first_position, amount, amount::int
FROM stage_token WHERE NOT summed ORDER BY token_hash
ON CONFLICT (partition, collection_id, token_hash) DO UPDATE SET
  owner = CASE WHEN excluded.last_position > t.last_position THEN excluded.owner ELSE t.owner END,
  amount = CASE WHEN excluded.last_position > t.last_position THEN excluded.amount ELSE t.amount END,
  holders = CASE WHEN excluded.last_position > t.last_position THEN excluded.holders ELSE t.holders END,
  minter = CASE WHEN excluded.first_position < t.first_position THEN excluded.minter ELSE t.minter END,
  last_position = greatest(excluded.last_position, t.last_position),
  first_position = least(excluded.first_position, t.first_position),
  was_listed = t.amount > 0`)

/**
 * ERC-1155: amounts add up; holders are counted by whose balance rises above zero or falls to it. Before the balances. Gives
 * what is listed.
 */
export const mergeSummed = counted(`
INSERT INTO token AS t (partition, collection_id, token_hash, token_id, owner, minter, last_position, first_position, amount, holders)
SELECT s.partition, s.collection_id, s.token_hash, s.token_id, NULL, s.minter, s.last_position, s.first_position, s.amount, coalesce(h.change, 0)
FROM stage_token s LEFT JOIN (
  SELECT d.partition, d.collection_id, d.token_hash,
    sum((coalesce(b.amount, 0) + d.amount > 0)::int - (coalesce(b.amount, 0) > 0)::int)::int AS change
  FROM stage_balance d LEFT JOIN balance b USING (partition, collection_id, token_hash, holder)
  GROUP BY d.partition, d.collection_id, d.token_hash
) h USING (partition, collection_id, token_hash)
WHERE s.summed ORDER BY s.token_hash
ON CONFLICT (partition, collection_id, token_hash) DO UPDATE SET
  amount = t.amount + excluded.amount,
  holders = t.holders + excluded.holders,
  minter = CASE WHEN excluded.first_position < t.first_position THEN excluded.minter ELSE t.minter END,
  last_position = greatest(excluded.last_position, t.last_position),
  first_position = least(excluded.first_position, t.first_position),
  was_listed = t.amount > 0`)

/** Balances add up; one that comes to nothing leaves. */
export const mergeBalances = `
INSERT INTO balance AS b (partition, collection_id, token_hash, holder, amount)
SELECT partition, collection_id, token_hash, holder, amount FROM stage_balance
ON CONFLICT (partition, collection_id, token_hash, holder) DO UPDATE SET amount = b.amount + excluded.amount;
DELETE FROM balance b USING stage_balance s
WHERE b.partition = s.partition AND b.collection_id = s.collection_id AND b.token_hash = s.token_hash AND b.holder = s.holder
  AND b.amount = 0;
`

/** ERC-1155: the owner of an id that exactly one holds. After the balances. */
export const setSoleHolders = `
UPDATE token t SET owner = n.owner
FROM (
  SELECT t.partition, t.collection_id, t.token_hash, CASE WHEN t.holders = 1 THEN (
      SELECT b.holder FROM balance b
      WHERE b.partition = t.partition AND b.collection_id = t.collection_id AND b.token_hash = t.token_hash AND b.amount > 0
      LIMIT 1
    ) END AS owner
  FROM stage_token s JOIN token t USING (partition, collection_id, token_hash)
  WHERE s.summed
) n
WHERE t.partition = n.partition AND t.collection_id = n.collection_id AND t.token_hash = n.token_hash
  AND t.owner IS DISTINCT FROM n.owner`
