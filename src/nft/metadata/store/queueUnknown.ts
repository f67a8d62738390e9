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
 * SQL of the listed tokens of a table or subquery of which nothing is known: their hashes as 32 hex digits. Both tables are looked up for each token,
 * as without statistics a join may read all of their rows for each.
 */
export function selectUnknown(tokens: string): string {
  const isIn = (table: string) => `(SELECT true FROM ${table} m WHERE ${sameToken('m', 't')} LIMIT 1)`
  return `
SELECT encode(uuid_send(t.token_hash), 'hex') FROM ${tokens} JOIN token t USING (partition, collection_id, token_hash)
WHERE t.amount > 0 AND ${isIn('token_metadata')} IS NULL AND ${isIn('metadata_due')} IS NULL`
}
