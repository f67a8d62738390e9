import { sameToken } from '../../transfers/tokenHash.ts'
import { dueNow } from './schedule.ts'

/**
 * SQL that makes listed tokens of a table or subquery due if nothing is known of them. Tokens that were read, failed or are already due do not
 * change. Counts the collections with newly due tokens.
 */
export function queueUnknown(tokens: string): string {
  return `
WITH due AS (
  INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at)
  SELECT DISTINCT t.partition, t.collection_id, t.token_hash, t.token_id, ${dueNow}
  FROM ${tokens} JOIN token t USING (partition, collection_id, token_hash)
  WHERE t.amount > 0 AND NOT EXISTS (SELECT 1 FROM token_metadata m
    WHERE ${sameToken('m', 't')})
  ON CONFLICT DO NOTHING
  RETURNING partition, collection_id
)
UPDATE collection c SET metadata_due_at = least(metadata_due_at, (SELECT ${dueNow}))
FROM (SELECT DISTINCT partition, collection_id FROM due) d WHERE c.partition = d.partition AND c.id = d.collection_id`
}

/**
 * SQL of the listed tokens of a table or subquery of which nothing is known: their hashes as 32 hex digits. Statistics do not cover rows of the newest
 * block, and a join or another index would read all of them for each token. So each is requested in the order that only the key's index has, and after
 * the join with `tokens`: the conditions name both sides. `tokens` has the alias v.
 */
export function selectUnknown(tokens: string): string {
  const inTable = (table: string) => `(
    SELECT m.token_hash FROM ${table} m WHERE m.partition = t.partition AND m.collection_id = t.collection_id
      AND m.token_hash >= t.token_hash AND m.token_hash <= t.token_hash ORDER BY m.token_hash LIMIT 1
  )`
  return `
SELECT encode(uuid_send(t.token_hash), 'hex') FROM ${tokens} JOIN token t USING (partition, collection_id, token_hash)
WHERE t.amount > 0 AND ${inTable('token_metadata')} IS DISTINCT FROM v.token_hash
  AND ${inTable('metadata_due')} IS DISTINCT FROM v.token_hash`
}
