import { endUndelivered } from './undelivered.ts'
import { bodyField } from './webhookBody.ts'

/** Writing the ledger, statement by statement, in the order in which a transaction runs them. Lists are unnested side by side. */

/** Counts what was matched, and holds each stream and chain until the transaction ends: positions are committed in their order. */
export const countMatched = `
INSERT INTO webhook_matched AS m (partition, stream_id, chain_id, matched, dropped, logs, txs, txs_internal, updated_at)
SELECT *, $9::timestamptz FROM unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])
  AS v (partition, stream_id, chain_id, matched, dropped, logs, txs, txs_internal)
ORDER BY partition, stream_id, chain_id
ON CONFLICT (partition, stream_id, chain_id) DO UPDATE SET
  matched = m.matched + excluded.matched, dropped = m.dropped + excluded.dropped, logs = m.logs + excluded.logs,
  txs = m.txs + excluded.txs, txs_internal = m.txs_internal + excluded.txs_internal, updated_at = excluded.updated_at`

export const countMatchedSpans = `
INSERT INTO webhook_matched_span AS m (partition, stream_id, chain_id, logs, txs, txs_internal, step, at)
SELECT v.*, step, date_trunc(step, $7::timestamptz, 'UTC')
FROM unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
  AS v (partition, stream_id, chain_id, logs, txs, txs_internal), unnest(ARRAY['minute', 'hour']) step
ORDER BY partition, stream_id, chain_id, step
ON CONFLICT (partition, stream_id, step, at, chain_id) DO UPDATE SET
  logs = m.logs + excluded.logs, txs = m.txs + excluded.txs, txs_internal = m.txs_internal + excluded.txs_internal`

/** How often blocks were retracted, where they were: each time all parts of a webhook, under the number of times before. */
export const countFlips = `
SELECT w.stream_id, w.chain_id, w.block_hash, max(w.flips) + 1
FROM unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bytea[]) AS v (partition, stream_id, chain_id, block_hash)
JOIN webhook w USING (partition, stream_id, chain_id, block_hash)
WHERE w.kind = 'retraction'
GROUP BY w.stream_id, w.chain_id, w.block_hash`

export const takePositions = `SELECT nextval('webhook_position') FROM generate_series(1, $1::int)`

/** One that is there under its id, and was not retracted since, stands: it is not answered. */
export const insertWebhooks = `
INSERT INTO webhook (partition, position, stream_id, chain_id, block_number, block_hash, kind, id, flips, live, logs, txs, txs_internal, part, parts, created_at)
SELECT *, $16::timestamptz FROM unnest($1::smallint[], $2::bigint[], $3::uuid[], $4::bigint[], $5::bigint[], $6::bytea[], $7::text[], $8::uuid[],
  $9::int[], $10::boolean[], $11::int[], $12::int[], $13::int[], $14::int[], $15::int[])
ON CONFLICT (partition, id) DO NOTHING RETURNING position`

/**
 * Bodies; $4 has the id of the unconfirmed webhook of the same match, or null. Where the body is that one's but for its beginning,
 * it is kept once.
 */
export const insertBodies = `
INSERT INTO webhook_text (partition, position, body, same_as)
SELECT v.partition, v.position, CASE WHEN o.position IS NULL THEN v.body ELSE '' END, o.position
FROM unnest($1::smallint[], $2::bigint[], $3::text[], $4::uuid[]) AS v (partition, position, body, twin)
LEFT JOIN LATERAL (
  SELECT t.position FROM webhook w JOIN webhook_text t ON t.partition = w.partition AND t.position = w.position
  WHERE w.partition = v.partition AND w.id = v.twin AND t.same_as IS NULL AND '{"confirmed":true' || substr(t.body, 19) = v.body OFFSET 0
) o ON v.twin IS NOT NULL`

export const insertQueue = `
INSERT INTO webhook_queue (partition, stream_id, chain_id, position, id, live, body_bytes, retraction, part, parts, replay)
SELECT *, 0 FROM unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::uuid[], $6::boolean[], $7::int[], $8::boolean[],
  $9::int[], $10::int[])`

/**
 * Webhooks of blocks $2 to $3 of chain $1, those with the hashes $4, that no reorganisation took back yet, with what their retraction
 * says: looked up stream by stream.
 */
export const selectRetractable = `
SELECT w.partition, w.position, w.stream_id, w.block_number, w.block_hash, w.kind, w.id, w.flips, w.part, w.parts,
  coalesce(${bodyField.timestamp}, ''), coalesce(${bodyField.tag}, '')
FROM webhook_matched m
CROSS JOIN LATERAL (SELECT * FROM webhook w WHERE w.partition = m.partition AND w.stream_id = m.stream_id AND w.chain_id = m.chain_id
  AND w.block_number BETWEEN $2 AND $3 AND w.block_hash = ANY($4::bytea[]) AND NOT w.retracted AND w.kind <> 'retraction' OFFSET 0) w
JOIN webhook_body b ON b.partition = w.partition AND b.position = w.position
WHERE m.chain_id = $1
ORDER BY w.block_number DESC, w.position`

export const deleteFromQueue = `
DELETE FROM webhook_queue q USING unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[]) AS v (partition, stream_id, chain_id, position)
WHERE q.partition = v.partition AND q.stream_id = v.stream_id AND q.chain_id = v.chain_id AND q.position = v.position`

export const markRetracted = `
UPDATE webhook w SET retracted = true
FROM unnest($1::smallint[], $2::bigint[]) AS v (partition, position)
WHERE w.partition = v.partition AND w.position = v.position`

/** Those that were still pending are dropped, and answered. */
export const dropRetracted = endUndelivered(`
UPDATE webhook w SET status = 'dropped', reason = $3
FROM unnest($1::smallint[], $2::bigint[]) AS v (partition, position)
WHERE w.partition = v.partition AND w.position = v.position AND w.status = 'pending'`)
