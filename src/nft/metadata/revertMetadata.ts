import type { Transaction } from '../../db/database.ts'
import { forgetTokens } from './forgetTokens.ts'

/** The collections whose blocks are undone, taken before their metadata rows as everybody does. */
const lockCollections = `
SELECT 1 FROM collection c JOIN (SELECT DISTINCT partition, collection_id FROM stage_undo) u
  ON c.partition = u.partition AND c.id = u.collection_id
ORDER BY c.partition, c.id FOR UPDATE OF c`

const selectGone = `
SELECT u.partition, u.collection_id, u.token_hash::text FROM stage_undo u LEFT JOIN token t USING (partition, collection_id, token_hash)
WHERE t.token_hash IS NULL OR t.amount <= 0`

/** Tokens whose burn was undone: what they said was forgotten. */
const makeBackDue = `
WITH due AS (
  INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at)
  SELECT t.partition, t.collection_id, t.token_hash, t.token_id, date_trunc('milliseconds', now())
  FROM stage_undo u JOIN token t USING (partition, collection_id, token_hash)
  WHERE t.amount > 0 AND NOT EXISTS (SELECT FROM token_metadata m
    WHERE m.partition = t.partition AND m.collection_id = t.collection_id AND m.token_hash = t.token_hash)
  ON CONFLICT DO NOTHING
  RETURNING partition, collection_id
)
UPDATE collection c SET metadata_due_at = least(metadata_due_at, date_trunc('milliseconds', now()))
FROM (SELECT DISTINCT partition, collection_id FROM due) d WHERE c.partition = d.partition AND c.id = d.collection_id`

/** What undone blocks mean for metadata, after the tokens in `stage_undo` are as they were before those. */
export async function revertMetadata(tx: Transaction): Promise<void> {
  await tx.fresh.rows(lockCollections)
  const gone = await tx.fresh.rows<[number, bigint, string]>(selectGone)
  await forgetTokens(tx, {
    partitions: gone.map(([partition]) => partition),
    collections: gone.map(([, id]) => id),
    hashes: gone.map(([, , hash]) => hash),
  })
  await tx.fresh.run(makeBackDue)
}
